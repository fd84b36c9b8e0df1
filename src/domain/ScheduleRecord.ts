/**
 * What a task does and when: the rule, its texts and its committed next target.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Cron from "./Cron.ts"
import { ScheduleId } from "./Identifiers.ts"
import { Instant } from "./Instant.ts"
import { ScheduleLogError } from "./ScheduleLogError.ts"
import * as SchemaCheck from "./SchemaCheck.ts"
import * as TimeZone from "./TimeZone.ts"
import * as WallClock from "./WallClock.ts"

/**
 * The name of a task: trimmed, non-empty, at most 120 UTF-16 code units.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Title = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (text.length > 0 && text.length <= maxTitleLength && text.trim() === text) ||
      `must be trimmed, non-empty and at most ${maxTitleLength} characters`
  )
)

/**
 * The longest title, in UTF-16 code units.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxTitleLength = 120

/**
 * What the reminder says: trimmed and non-empty.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Prompt = Schema.String.pipe(
  Schema.filter((text) => (text.length > 0 && text.trim() === text) || "must be trimmed and non-empty")
)

/**
 * The shortest interval of a fixed-rate task, in seconds.
 *
 * @since 0.1.0
 * @category constants
 */
export const minEverySeconds = 60

const AfterSeconds = Schema.Number.pipe(
  Schema.filter((n) => (Number.isSafeInteger(n) && n > 0) || "must be a positive safe integer")
)
const EverySeconds = Schema.Number.pipe(
  Schema.filter((n) => (Number.isSafeInteger(n) && n >= minEverySeconds) || "must be a safe integer of at least 60")
)
const Time = Schema.String.pipe(
  Schema.filter((text) => !Number.isNaN(WallClock.parseTime(text)) || "must be a normalized time HH:mm:ss.SSS")
)
const TimeZoneName = Schema.String.pipe(
  Schema.filter((text) => TimeZone.isKnown(text) || "must be UTC or an IANA Area/Location zone known here")
)
const Weekdays = Schema.Array(Schema.Number).pipe(
  Schema.filter(
    (days) =>
      (days.length > 0 &&
        days.every((day, i) => Number.isInteger(day) && day >= 1 && day <= 7 && (i === 0 || days[i - 1]! < day))) ||
      "must be ISO weekdays 1-7, unique and ascending, at least one"
  )
)
const Expression = Schema.String.pipe(
  Schema.filter((text) => isCanonicalCron(text) || "must be a canonical five-field cron expression")
)

const texts = { title: Title, prompt: Prompt }

/**
 * One-shot, `afterSeconds` after its creation.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AfterRecord = Schema.Struct({
  id: ScheduleId,
  kind: Schema.Literal("after"),
  ...texts,
  afterSeconds: AfterSeconds,
  scheduledAt: Instant
})

/**
 * One-shot at an absolute instant.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AtRecord = Schema.Struct({
  id: ScheduleId,
  kind: Schema.Literal("at"),
  ...texts,
  scheduledAt: Instant
})

/**
 * Fixed rate, aligned to its anchor.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EveryRecord = Schema.Struct({
  id: ScheduleId,
  kind: Schema.Literal("every"),
  ...texts,
  everySeconds: EverySeconds,
  scheduledAt: Instant
})

/**
 * A local time in a zone, on every date.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DailyRecord = Schema.Struct({
  id: ScheduleId,
  kind: Schema.Literal("daily"),
  ...texts,
  time: Time,
  timeZone: TimeZoneName,
  scheduledAt: Instant
})

/**
 * A local time in a zone, on a set of ISO weekdays (Monday 1 to Sunday 7).
 *
 * @since 0.1.0
 * @category schemas
 */
export const WeeklyRecord = Schema.Struct({
  id: ScheduleId,
  kind: Schema.Literal("weekly"),
  ...texts,
  time: Time,
  timeZone: TimeZoneName,
  weekdays: Weekdays,
  scheduledAt: Instant
})

/**
 * A canonical five-field cron expression in a zone.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CronRecord = Schema.Struct({
  id: ScheduleId,
  kind: Schema.Literal("cron"),
  ...texts,
  expression: Expression,
  timeZone: TimeZoneName,
  scheduledAt: Instant
})

/**
 * The record of a task, whose shape is told by `kind`. `scheduledAt` is the committed next target, or of an ended task its
 * last occurrence; decoding never recomputes it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ScheduleRecord = Schema.Union(AfterRecord, AtRecord, EveryRecord, DailyRecord, WeeklyRecord, CronRecord)

/**
 * @since 0.1.0
 * @category models
 */
export type ScheduleRecord = typeof ScheduleRecord.Type

/**
 * @since 0.1.0
 * @category models
 */
export type OneShotRecord = typeof AfterRecord.Type | typeof AtRecord.Type

/**
 * @since 0.1.0
 * @category models
 */
export type RecurringRecord = Exclude<ScheduleRecord, OneShotRecord>

/**
 * Whether a record is delivered once and then ends.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isOneShot = (record: ScheduleRecord): record is OneShotRecord =>
  record.kind === "after" || record.kind === "at"

/**
 * A record from untrusted data, unchanged when it keeps every rule. Fails with `corrupt_schedule_log` and the path and rule that
 * failed, such as `record.title must be …`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeRecord = (input: unknown): Either.Either<ScheduleRecord, ScheduleLogError> => {
  const problem = check(input)
  return problem === undefined
    ? Either.right(input as ScheduleRecord)
    : Either.left(new ScheduleLogError({ code: "corrupt_schedule_log", message: SchemaCheck.at("record", problem) }))
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const check = SchemaCheck.make(ScheduleRecord)

// The rows of a store share few expressions, and checking one costs more than all the rest of a row.
const canonicalCrons = new Set<string>()

const isCanonicalCron = (text: string): boolean => {
  if (canonicalCrons.has(text)) return true
  if (!Cron.isCanonical(text)) return false
  if (canonicalCrons.size === 1024) canonicalCrons.clear()
  canonicalCrons.add(text)
  return true
}
