import * as FastCheck from "effect/FastCheck"
import type * as Occurrence from "../../src/domain/Occurrence.ts"
import { anyExpression, anyField, anyRule, anyTime, bounds } from "../domain/rules.ts"
import { shown, transitions } from "./clocks.ts"

/** A rule, and the instants to ask it about. */
export interface Case {
  readonly rule: Occurrence.WallClockRule
  readonly instants: ReadonlyArray<number>
}

const hourMillis = 3_600_000
const dayMillis = 24 * hourMillis

/** Rules that have something to do around transitions, asked before, at and after them. */
export const aroundTransitions = (options: {
  readonly zones: ReadonlyArray<string>
  readonly perZone: number
  readonly seed: number
  readonly years?: readonly [from: number, to: number]
}): ReadonlyArray<Case> =>
  options.zones.flatMap((timeZone, i) => {
    const seed = options.seed + i
    const [from, to] = (options.years ?? [1900, 2100]).map((year) => Date.UTC(year, 0, 1)) as [number, number]
    const changes = transitions(timeZone, from, to)
    const anyChange =
      changes.length > 0 ? FastCheck.constantFrom(...changes) : FastCheck.integer({ min: from, max: to })
    const anyCase = anyChange.chain((change) =>
      FastCheck.record({
        rule: anyRuleAt(timeZone, change),
        instants: FastCheck.tuple(
          ...[-dayMillis, -hourMillis, -1, 0, 1, hourMillis].map((by) => FastCheck.constant(change + by)),
          FastCheck.integer({ min: -2 * dayMillis, max: 2 * dayMillis }).map((by) => change + by),
          FastCheck.integer({ min: -3 * hourMillis, max: 3 * hourMillis }).map((by) => change + by)
        )
      })
    )
    return FastCheck.sample(anyCase, { numRuns: options.perZone, seed })
  })

/** Cron rules in which the two day fields meet in every way, asked at random instants. */
export const dayRules = (options: {
  readonly zones: ReadonlyArray<string>
  readonly count: number
  readonly seed: number
}): ReadonlyArray<Case> =>
  FastCheck.sample(
    FastCheck.record({
      rule: FastCheck.tuple(
        anyField(...bounds[2]),
        anyField(...bounds[3]),
        anyField(...bounds[4]),
        FastCheck.constantFrom(...options.zones)
      ).map(([date, month, weekday, timeZone]) => {
        return { kind: "cron" as const, expression: `30 12 ${date} ${month} ${weekday}`, timeZone }
      }),
      instants: FastCheck.tuple(FastCheck.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2100, 0, 1) }))
    }),
    { numRuns: options.count, seed: options.seed }
  )

/** Rules of any kind in the local time around a transition, where most rules at random would have nothing to say. */
const anyRuleAt = (timeZone: string, change: number): FastCheck.Arbitrary<Occurrence.WallClockRule> => {
  const localTimes = [change - 1, change].map((instant) => {
    return ((shown(timeZone, instant) % dayMillis) + dayMillis) % dayMillis
  })
  const near = FastCheck.tuple(
    FastCheck.constantFrom(...localTimes),
    FastCheck.oneof(FastCheck.constantFrom(-1, 0, 1), FastCheck.integer({ min: -2 * hourMillis, max: 2 * hourMillis }))
  ).map(([time, by]) => (time + by + dayMillis) % dayMillis)
  const time = FastCheck.oneof({ weight: 4, arbitrary: near.map(timeText) }, { weight: 1, arbitrary: anyTime })
  const expression = FastCheck.tuple(anyExpression, near, near).map(([text, one, other]) => {
    const [minute, , ...dates] = text.split(" ")
    return [minute, `${Math.floor(one / hourMillis)},${Math.floor(other / hourMillis)}`, ...dates].join(" ")
  })
  return FastCheck.oneof(
    anyRule(FastCheck.constant(timeZone)).chain((rule) =>
      rule.kind === "cron"
        ? expression.map((expression): Occurrence.WallClockRule => ({ ...rule, expression }))
        : time.map((time): Occurrence.WallClockRule => ({ ...rule, time }))
    ),
    anyRule(FastCheck.constant(timeZone))
  )
}

const timeText = (millis: number): string => new Date(millis).toISOString().slice(11, -1)
