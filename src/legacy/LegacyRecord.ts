/**
 * The reminders of the Session-local system, as a Session's log keeps them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Instant } from "../domain/Instant.ts"
import { Prompt, Title } from "../domain/ScheduleRecord.ts"

/**
 * The id of a reminder, unique in its Session for ever: `schedule-1`, `schedule-2`, … when this program allots it; any
 * non-empty, trimmed text when it is read.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LegacyId = Schema.String.pipe(
  Schema.filter((text) => (text.length > 0 && text.trim() === text) || "must be non-empty and trimmed"),
  Schema.brand("LegacyId")
)

/**
 * @since 0.1.0
 * @category models
 */
export type LegacyId = typeof LegacyId.Type

/**
 * The shortest interval that is read, in seconds. Creation asks for {@link minEverySeconds}.
 *
 * @since 0.1.0
 * @category constants
 */
export const minStoredEverySeconds = 60

/**
 * The shortest interval of a new reminder, in seconds.
 *
 * @since 0.1.0
 * @category constants
 */
export const minEverySeconds = 300

const AfterSeconds = Schema.Number.pipe(
  Schema.filter((n) => (Number.isSafeInteger(n) && n > 0) || "must be a positive safe integer")
)

// Its milliseconds must be exact, too.
const EverySeconds = Schema.Number.pipe(
  Schema.filter(
    (n) =>
      (Number.isInteger(n) && n >= minStoredEverySeconds && Number.isSafeInteger(n * 1000)) ||
      `must be a safe integer of at least ${minStoredEverySeconds}`
  )
)

const texts = {
  /** Logs from before there were titles have none. */
  title: Schema.optionalWith(Title, { exact: true }),
  prompt: Prompt
}

/**
 * @since 0.1.0
 * @category schemas
 */
export const LegacyRecord = Schema.Union(
  Schema.Struct({
    id: LegacyId,
    kind: Schema.Literal("after"),
    ...texts,
    afterSeconds: AfterSeconds,
    scheduledAt: Instant
  }),
  Schema.Struct({ id: LegacyId, kind: Schema.Literal("at"), ...texts, scheduledAt: Instant }),
  Schema.Struct({
    id: LegacyId,
    kind: Schema.Literal("every"),
    ...texts,
    everySeconds: EverySeconds,
    scheduledAt: Instant
  })
)

/**
 * `scheduledAt` is the target, of an `every` record the earliest occurrence that has not been dispatched.
 *
 * @since 0.1.0
 * @category models
 */
export type LegacyRecord = typeof LegacyRecord.Type

/**
 * @since 0.1.0
 * @category models
 */
export type LegacyEveryRecord = Extract<LegacyRecord, { readonly kind: "every" }>

/**
 * @since 0.1.0
 * @category models
 */
export type LegacyOneShotRecord = Exclude<LegacyRecord, LegacyEveryRecord>

/**
 * Whether a record is dispatched once and then ends.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isOneShot = (record: LegacyRecord): record is LegacyOneShotRecord => record.kind !== "every"
