import { assert, describe, it } from "@effect/vitest"
import { aroundTransitions, dayRules } from "../oracle/cases.ts"
import { intlClock, temporalClock } from "../oracle/clocks.ts"
import { compare } from "../oracle/compare.ts"
import { oddZones } from "./rules.ts"

// A sample of what `npm run test:oracle` compares.
describe.each([temporalClock, intlClock])("occurrences by brute force through $name", (clock) => {
  it("around transitions", async () => {
    const cases = aroundTransitions({ zones: oddZones, perZone: 4, seed: 11 })
    assert.deepStrictEqual((await compare(clock, cases)).disagreements, [])
  })

  it("around transitions of far years", async () => {
    const cases = aroundTransitions({ zones: oddZones, perZone: 2, seed: 13, years: [2500, 2504] })
    assert.deepStrictEqual((await compare(clock, cases)).disagreements, [])
  })

  it("of day rules with and without stars", async () => {
    const cases = dayRules({ zones: oddZones, count: 200, seed: 12 })
    assert.deepStrictEqual((await compare(clock, cases)).disagreements, [])
  })
})
