import * as FastCheck from "effect/FastCheck"
import type * as Occurrence from "../../src/domain/Occurrence.ts"

/** Lower and upper bounds of the five fields. */
export const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7]
] as const

const anyElement = (first: number, last: number) => {
  const value = FastCheck.integer({ min: first, max: last })
  const range = FastCheck.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
  const step = FastCheck.integer({ min: 1, max: last + 2 })
  return FastCheck.oneof(
    { weight: 3, arbitrary: FastCheck.constant("*") },
    { weight: 4, arbitrary: value.map(String) },
    { weight: 2, arbitrary: range },
    { weight: 2, arbitrary: step.map((n) => `*/${n}`) },
    { weight: 1, arbitrary: FastCheck.tuple(range, step).map(([text, n]) => `${text}/${n}`) }
  )
}

/** A field in any spelling. */
export const anyField = (first: number, last: number) =>
  FastCheck.oneof(
    { weight: 3, arbitrary: anyElement(first, last) },
    {
      weight: 1,
      arbitrary: FastCheck.array(anyElement(first, last), { minLength: 2, maxLength: 4 }).map((parts) =>
        parts.join(",")
      )
    }
  )

const [minute, hour, dayOfMonth, month, dayOfWeek] = bounds

/** A cron expression in any spelling, possibly one that never matches. */
export const anyExpression = FastCheck.tuple(
  anyField(...minute),
  anyField(...hour),
  anyField(...dayOfMonth),
  anyField(...month),
  anyField(...dayOfWeek)
).map((fields) => fields.join(" "))

/** A canonical time of day. */
export const anyTime = FastCheck.integer({ min: 0, max: 86_399_999 }).map((millis) =>
  new Date(millis).toISOString().slice(11, -1)
)

const anyWeekdays = FastCheck.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })

/** A rule of any wall-clock kind; its cron expression is in any spelling. */
export const anyRule = (zones: FastCheck.Arbitrary<string>): FastCheck.Arbitrary<Occurrence.WallClockRule> =>
  FastCheck.oneof(
    FastCheck.record({ kind: FastCheck.constant("daily" as const), time: anyTime, timeZone: zones }),
    FastCheck.record({
      kind: FastCheck.constant("weekly" as const),
      time: anyTime,
      timeZone: zones,
      weekdays: anyWeekdays
    }),
    FastCheck.record({ kind: FastCheck.constant("cron" as const), expression: anyExpression, timeZone: zones })
  )

/** Zones that do what others do not: no change at all, half hours, negative DST, gaps at midnight, lost and repeated dates. */
export const oddZones = [
  "UTC",
  "Africa/Casablanca",
  "Africa/Monrovia",
  "America/Boa_Vista",
  "America/Caracas",
  "America/Juneau",
  "America/New_York",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Antarctica/Casey",
  "Antarctica/Troll",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Manila",
  "Asia/Pyongyang",
  "Australia/Lord_Howe",
  "Europe/Dublin",
  "Europe/Lisbon",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "Pacific/Kwajalein"
]

export const anyOddZone = FastCheck.constantFrom(...oddZones)
