import { assert, beforeEach, describe, it } from "@effect/vitest"
import { differences } from "./offsets.ts"

const day = 86_400_000

describe("zone tables against Intl", () => {
  // The test runner wants to hear of a long run now and then.
  beforeEach(() => new Promise<void>((resolve) => setImmediate(resolve)))

  it.each(Intl.supportedValuesOf("timeZone"))("%s", (name) => {
    assert.deepStrictEqual(differences(name, Date.UTC(1820, 0, 1), Date.UTC(2130, 0, 1), 2 * day), [])
    // Years that borrow from others: the first ones, one round of 400 years, and the last ones.
    assert.deepStrictEqual(differences(name, -62_135_596_800_000, -62_000_000_000_000, 20 * day), [])
    assert.deepStrictEqual(differences(name, Date.UTC(2130, 0, 1), Date.UTC(2530, 0, 1), 20 * day), [])
    assert.deepStrictEqual(differences(name, Date.UTC(9990, 0, 1), Date.UTC(9999, 11, 1), 5 * day), [])
  })
})
