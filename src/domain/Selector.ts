/**
 * The six selectors, as requests spell them.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Cron from "./Cron.ts"
import * as Input from "./Input.ts"
import * as Instant from "./Instant.ts"
import type { Rule } from "./Rule.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import { minEverySeconds } from "./ScheduleRecord.ts"
import * as TimeZone from "./TimeZone.ts"
import * as WallClock from "./WallClock.ts"

/**
 * The names of the selectors.
 *
 * @since 0.1.0
 * @category constants
 */
export const names = ["after_seconds", "at", "every_seconds", "daily", "weekly", "cron"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type SelectorName = (typeof names)[number]

/**
 * A selector whose value has not been looked at yet.
 *
 * @since 0.1.0
 * @category models
 */
export interface Selector {
  readonly name: SelectorName
  readonly value: unknown
}

/**
 * The one selector of a request, whose other members must be among `others`: fails with `invalid_selector`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const choose = (
  request: Input.Fields,
  others: ReadonlyArray<string>
): Either.Either<Selector, ScheduleInputError> => {
  const unknown = Input.unknownKey(request, [...others, ...names])
  if (unknown !== undefined) {
    return refuse("invalid_selector", `unknown key ${unknown}: allowed are ${[...others, ...names].join(", ")}`)
  }
  const [name, second] = names.filter((name) => name in request)
  if (name === undefined || second !== undefined) {
    const found = name === undefined ? "none was given" : `${name} and ${second} were both given`
    return refuse("invalid_selector", `exactly one of ${names.join(", ")} is wanted: ${found}`)
  }
  return Either.right({ name, value: request[name] })
}

/**
 * The rule that a selector states; its value must be part of a {@link Input.snapshot}. What is malformed in the selector
 * itself is told first (`invalid_rule`, `frequency_too_high`), then its zone (`invalid_time_zone`), then a local time that a
 * gap skips (`invalid_rule`), then an instant outside the years 0001–9999 (`time_out_of_range`).
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = ({ name, value }: Selector): Either.Either<Rule, ScheduleInputError> => {
  switch (name) {
    case "after_seconds":
      return Number.isSafeInteger(value) && (value as number) > 0
        ? Either.right({ kind: "after", afterSeconds: value as number })
        : refuse("invalid_rule", "after_seconds must be a positive whole number of seconds")
    case "at":
      return typeof value === "string" ? absolute(value) : local(value)
    case "every_seconds":
      return every(value)
    case "daily":
      return daily(value)
    case "weekly":
      return weekly(value)
    case "cron":
      return cron(value)
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Decoded<A> = Either.Either<A, ScheduleInputError>

const atShape =
  "at must be YYYY-MM-DDTHH:mm:ss, optionally with .S to .SSS, followed by Z or ±HH:MM, or exactly {date, time, time_zone}"
const atPattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(?:Z|([+-])(\d{2}):(\d{2}))$/
const datePattern = /^\d{4}-\d{2}-\d{2}$/

const firstDate = "0001-01-01"
const lastDate = "9999-12-31"

const absolute = (text: string): Decoded<Rule> => {
  const match = atPattern.exec(text)
  if (match === null) return refuse("invalid_rule", atShape)
  const [, date = "", time = "", sign, hours, minutes] = match
  const wall = Instant.parse(`${date}T${WallClock.normalizeTime(time)}Z`)
  if (Number.isNaN(wall)) {
    return refuse("invalid_rule", "at must name a date and a time that exist, in the years 0001 to 9999")
  }
  if (sign === undefined) return instant(wall)
  const offset = Number(hours) * 60 + Number(minutes)
  return Number(hours) > 23 || Number(minutes) > 59 || (sign === "-" && offset === 0)
    ? refuse("invalid_rule", "at must have Z or an offset from -23:59 to +23:59, not -00:00")
    : instant(wall - (sign === "-" ? -offset : offset) * 60_000)
}

const local = (value: unknown): Decoded<Rule> =>
  Either.gen(function* () {
    const fields = yield* exactly(value, ["date", "time", "time_zone"], atShape)
    const date = fields.date
    if (typeof date !== "string" || !datePattern.test(date) || Number.isNaN(Instant.parse(`${date}T00:00:00.000Z`))) {
      return yield* refuse("invalid_rule", "at.date must be a date YYYY-MM-DD that exists, in the years 0001 to 9999")
    }
    const time = yield* timeOf(fields.time, "at.time")
    const timeZone = yield* zoneOf(fields.time_zone, "at.time_zone")
    const [year = 0, month = 0, day = 0] = date.split("-").map(Number)
    const millis = WallClock.toInstant(year, month, day, WallClock.parseTime(time), timeZone)
    // Offsets are below a day, so only these dates reach beyond the calendar, and no zone has a gap on them.
    if (Number.isNaN(millis) && date !== firstDate && date !== lastDate) {
      return yield* refuse(
        "invalid_rule",
        `at must be a local time that exists: clocks in ${timeZone} skip ${date} ${time}`
      )
    }
    return yield* instant(millis)
  })

const every = (value: unknown): Decoded<Rule> => {
  if (!Number.isSafeInteger(value)) {
    return refuse("invalid_rule", `every_seconds must be a whole number of at least ${minEverySeconds} seconds`)
  }
  const everySeconds = value as number
  return everySeconds < minEverySeconds
    ? refuse("frequency_too_high", `every_seconds must be at least ${minEverySeconds}`)
    : Either.right({ kind: "every", everySeconds })
}

const daily = (value: unknown): Decoded<Rule> =>
  Either.gen(function* () {
    const fields = yield* exactly(value, ["time", "time_zone"], "daily must be exactly {time, time_zone}")
    const time = yield* timeOf(fields.time, "daily.time")
    const timeZone = yield* zoneOf(fields.time_zone, "daily.time_zone")
    return { kind: "daily", time, timeZone }
  })

const weekly = (value: unknown): Decoded<Rule> =>
  Either.gen(function* () {
    const shape = "weekly must be exactly {time, time_zone, weekdays}"
    const fields = yield* exactly(value, ["time", "time_zone", "weekdays"], shape)
    const time = yield* timeOf(fields.time, "weekly.time")
    const weekdays = yield* weekdaysOf(fields.weekdays)
    const timeZone = yield* zoneOf(fields.time_zone, "weekly.time_zone")
    return { kind: "weekly", time, timeZone, weekdays }
  })

const cron = (value: unknown): Decoded<Rule> =>
  Either.gen(function* () {
    const fields = yield* exactly(value, ["expression", "time_zone"], "cron must be exactly {expression, time_zone}")
    if (typeof fields.expression !== "string") {
      return yield* refuse("invalid_rule", "cron.expression must be a text of five fields")
    }
    const expression = yield* Cron.canonicalize(fields.expression)
    const timeZone = yield* zoneOf(fields.time_zone, "cron.time_zone")
    return { kind: "cron", expression, timeZone }
  })

const exactly = <K extends string>(
  value: unknown,
  keys: ReadonlyArray<K>,
  shape: string
): Decoded<Readonly<Record<K, unknown>>> =>
  Input.isFields(value) && hasAll(value, keys) && Object.keys(value).length === keys.length
    ? Either.right(value)
    : refuse("invalid_rule", shape)

const hasAll = <K extends string>(value: Input.Fields, keys: ReadonlyArray<K>): value is Record<K, unknown> =>
  keys.every((key) => key in value)

const instant = (at: number): Decoded<Rule> =>
  Instant.isInRange(at)
    ? Either.right({ kind: "at", at })
    : refuse("time_out_of_range", "at must be an instant in the UTC years 0001 to 9999")

const timeOf = (value: unknown, field: string): Decoded<string> => {
  const time = typeof value === "string" ? WallClock.normalizeTime(value) : undefined
  return time === undefined
    ? refuse("invalid_rule", `${field} must be a time HH:mm:ss from 00:00:00 to 23:59:59, optionally with .S to .SSS`)
    : Either.right(time)
}

const zoneOf = (value: unknown, field: string): Decoded<string> => {
  const name = typeof value === "string" ? TimeZone.canonicalName(value) : undefined
  return name === undefined
    ? refuse("invalid_time_zone", `${field} must be UTC or an IANA Area/Location name such as Europe/Paris`)
    : Either.right(name)
}

const weekdaysOf = (value: unknown): Decoded<ReadonlyArray<number>> => {
  const days: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  const isWeekday = (day: unknown): day is number =>
    Number.isInteger(day) && (day as number) >= 1 && (day as number) <= 7
  return days.length > 0 && days.every(isWeekday) && new Set(days).size === days.length
    ? Either.right([...days].sort())
    : refuse(
        "invalid_rule",
        "weekly.weekdays must hold ISO weekdays 1 (Monday) to 7 (Sunday), at least one, none twice"
      )
}
