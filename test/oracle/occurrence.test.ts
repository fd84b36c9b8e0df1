import { assert, describe, it } from "@effect/vitest"
import { oddZones } from "../domain/rules.ts"
import { aroundTransitions, dayRules } from "./cases.ts"
import { intlClock, temporalClock } from "./clocks.ts"
import { compare } from "./compare.ts"

const zones = Intl.supportedValuesOf("timeZone")

describe.each([temporalClock, intlClock])("occurrences by brute force through $name", (clock) => {
  it("around the transitions of every zone, 1900-2100", async () => {
    const cases = aroundTransitions({ zones, perZone: 8, seed: 1 })
    const { asked, disagreements } = await compare(clock, cases)
    assert.deepStrictEqual(disagreements.slice(0, 10), [])
    assert.isAbove(asked, 50_000)
  })

  it("around the transitions of zones that do what others do not", async () => {
    const { asked, disagreements } = await compare(clock, aroundTransitions({ zones: oddZones, perZone: 60, seed: 2 }))
    assert.deepStrictEqual(disagreements.slice(0, 10), [])
    assert.isAbove(asked, 20_000)
  })

  it("around the transitions of far years, which the tables borrow from near ones", async () => {
    for (const years of [
      [2101, 2103],
      [2400, 2402],
      [9990, 9992]
    ] as const) {
      const { asked, disagreements } = await compare(clock, aroundTransitions({ zones, perZone: 1, seed: 4, years }))
      assert.deepStrictEqual(disagreements.slice(0, 10), [])
      assert.isAbove(asked, 6000)
    }
  })

  it("of day rules with and without stars", async () => {
    const { asked, disagreements } = await compare(clock, dayRules({ zones, count: 6000, seed: 3 }))
    assert.deepStrictEqual(disagreements.slice(0, 10), [])
    assert.isAbove(asked, 12_000)
  })
})
