import * as FastCheck from "effect/FastCheck"
import { lenientClock, temporalClock, transitions } from "../../test/oracle/clocks.ts"
import { Oracle } from "../../test/oracle/Oracle.ts"

export const expressions = [
  "*/15 9-17 * * 1-5",
  "0 0 29 2 *",
  "0 12 * * 1",
  "30 2 * * *",
  "* * * * *",
  "0 0 13 * 5",
  "59 23 31 12 *"
]

export const zones = ["UTC", "Asia/Shanghai", "America/New_York", "Europe/London", "Australia/Lord_Howe"]

/** The zones that agreement is counted in: those of {@link zones} that change their clocks, and some that do it in odd ways. */
export const changingZones = [
  "America/New_York",
  "Europe/London",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "America/Santiago",
  "Antarctica/Troll",
  "Asia/Gaza",
  "Pacific/Chatham"
]

/** Instants of 2024–2030, the same in every run. */
export const instants = (count: number): Float64Array => {
  const [from, to] = [Date.UTC(2024, 0, 1), Date.UTC(2031, 0, 1)]
  let state = 20_240_101
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from + Math.floor(((to - from) * state) / 2 ** 32)
  })
}

/** One question whose answer is known by brute force. */
export interface Question {
  readonly expression: string
  readonly after: number
  readonly expected: number
  /** Whether the answer would be another one if gaps were moved or repeated hours counted twice. */
  readonly isPolicy: boolean
}

/** Questions around the transitions of a zone in 2024–2030. */
export const questions = (timeZone: string, count: number): ReadonlyArray<Question> => {
  const changes = transitions(timeZone, Date.UTC(2024, 0, 1), Date.UTC(2031, 0, 1))
  const minute = FastCheck.oneof(
    FastCheck.constantFrom("*", "*/5", "*/15", "0", "30", "0,30"),
    FastCheck.nat(59).map(String)
  )
  const hour = FastCheck.oneof(FastCheck.constantFrom("*", "0-4", "*/2"), FastCheck.nat(5).map(String))
  const days = FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constant("* * *") },
    { weight: 1, arbitrary: FastCheck.constantFrom("* * 0", "* * 1-5", "1-7 * 0", "*/2 * *", "13 * 5", "*/2 * 1") }
  )
  const question = FastCheck.record({
    expression: FastCheck.tuple(minute, hour, days).map((fields) => fields.join(" ")),
    after: FastCheck.tuple(FastCheck.constantFrom(...changes), FastCheck.integer({ min: -1800, max: 360 })).map(
      ([change, minutes]) => change + minutes * 60_000
    )
  })
  return FastCheck.sample(question, { numRuns: count, seed: 7 }).map(({ after, expression }) => {
    const rule = { kind: "cron", expression, timeZone } as const
    const expected = new Oracle(temporalClock, rule).next(after)
    const others = [lenientClock("earlier"), lenientClock("later")].map((clock) => new Oracle(clock, rule).next(after))
    return { expression, after, expected, isPolicy: others.some((other) => other !== expected) }
  })
}
