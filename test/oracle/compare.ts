import * as Occurrence from "../../src/domain/Occurrence.ts"
import * as Preview from "../../src/domain/Preview.ts"
import type { Case } from "./cases.ts"
import { type LocalClock, Oracle } from "./Oracle.ts"

/** How many questions were asked, and every answer that the oracle gives otherwise. */
export interface Comparison {
  readonly asked: number
  readonly disagreements: ReadonlyArray<string>
}

/** Asks the engine and an oracle `next` and `latest` at every instant of the cases, and a preview at the first. */
export const compare = async (clock: LocalClock, cases: ReadonlyArray<Case>): Promise<Comparison> => {
  let asked = 0
  const disagreements: Array<string> = []
  const check = (rule: Occurrence.WallClockRule, what: string, instant: number, actual: number, expected: number) => {
    asked++
    if (!agree(instant, actual, expected)) {
      const asking = `${JSON.stringify(rule)} ${what}(${text(instant)})`
      disagreements.push(`${asking} is ${text(actual)}, ${clock.name} says ${text(expected)}`)
    }
  }
  for (const { instants, rule } of cases) {
    // The test runner wants to hear of a long test now and then.
    await new Promise((resolve) => setImmediate(resolve))
    const oracle = new Oracle(clock, rule)
    for (const instant of instants) {
      check(rule, "next", instant, Occurrence.next(rule, instant), oracle.next(instant))
      check(rule, "latest", instant, Occurrence.latest(rule, instant), oracle.latest(instant))
    }
    let after = instants[0]!
    for (const [i, previewed] of Preview.occurrences(rule, after, 3).entries()) {
      const expected = oracle.next(after)
      check(rule, `preview[${i}]`, instants[0]!, Date.parse(previewed), expected)
      after = expected
    }
  }
  return { asked, disagreements }
}

// The oracles look forty years far, the engine to the end of time.
const agree = (instant: number, actual: number, expected: number): boolean =>
  Object.is(actual, expected) || (Number.isNaN(expected) && Math.abs(actual - instant) > 40 * 365 * 86_400_000)

const text = (instant: number): string => (Number.isNaN(instant) ? "none" : new Date(instant).toISOString())
