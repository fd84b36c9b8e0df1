import { assert, describe, it } from "@effect/vitest"
import { oddZones } from "../domain/rules.ts"
import { aroundTransitions, dayRules } from "./cases.ts"
import { intlClock, temporalClock } from "./clocks.ts"
import { compare } from "./compare.ts"

const zones = Intl.supportedValuesOf("timeZone")

// In small parts, since a test runner that hears nothing for a minute gives up.
const partSize = 20
const parts = Array.from({ length: Math.ceil(zones.length / partSize) }, (_, i) => ({
  seed: 1000 * i,
  zones: zones.slice(i * partSize, (i + 1) * partSize),
  name: `${zones[i * partSize]} and those that follow`
}))

describe.each([temporalClock, intlClock])("occurrences by brute force through $name", (clock) => {
  it.each(parts)("around the transitions of 1900-2100: $name", async ({ seed, zones }) => {
    const { asked, disagreements } = await compare(clock, aroundTransitions({ zones, perZone: 8, seed }))
    assert.deepStrictEqual(disagreements.slice(0, 10), [])
    assert.isAbove(asked, 8 * 16 * zones.length)
  })

  it.each(parts)("around the transitions of far years, which tables borrow from near ones: $name", async (part) => {
    for (const years of [
      [2101, 2103],
      [2400, 2402],
      [9990, 9992]
    ] as const) {
      const { disagreements } = await compare(clock, aroundTransitions({ ...part, perZone: 1, years }))
      assert.deepStrictEqual(disagreements.slice(0, 10), [])
    }
  })

  it.each(oddZones)("around the transitions of a zone that does what others do not: %s", async (zone) => {
    const cases = aroundTransitions({ zones: [zone], perZone: 60, seed: 2 })
    assert.deepStrictEqual((await compare(clock, cases)).disagreements.slice(0, 10), [])
  })

  it.each(parts)("of day rules with and without stars: $name", async ({ seed, zones }) => {
    const cases = dayRules({ zones, count: 300, seed })
    assert.deepStrictEqual((await compare(clock, cases)).disagreements.slice(0, 10), [])
  })
})
