/**
 * `schedule/change`: the events that the Session-local system writes to a Session's log.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Instant } from "../domain/Instant.ts"
import { ScheduleLogError } from "../domain/ScheduleLogError.ts"
import * as SchemaCheck from "../domain/SchemaCheck.ts"
import { LegacyId, LegacyRecord } from "./LegacyRecord.ts"

/**
 * The type of the events.
 *
 * @since 0.1.0
 * @category constants
 */
export const eventType = "schedule/change"

const version = Schema.Literal(1)

/**
 * Version 1 of the change: a reminder is created, deleted, or dispatched. The dispatch of an `every` record, and of no other,
 * carries the time of the decision, from which its next target follows.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ScheduleChange = Schema.Union(
  Schema.Struct({ version, operation: Schema.Literal("create"), schedule: LegacyRecord }),
  Schema.Struct({ version, operation: Schema.Literal("delete"), id: LegacyId }),
  Schema.Struct({
    version,
    operation: Schema.Literal("dispatch"),
    id: LegacyId,
    acceptedAt: Schema.optionalWith(Instant, { exact: true })
  })
)

/**
 * @since 0.1.0
 * @category models
 */
export type ScheduleChange = typeof ScheduleChange.Type

/**
 * A change from untrusted data, unchanged when it keeps every rule: exact keys, known version and operation. Fails with
 * `corrupt_schedule_log` and the path and rule that failed.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeScheduleChange = (input: unknown): Either.Either<ScheduleChange, ScheduleLogError> => {
  const problem = check(input)
  return problem === undefined ? Either.right(input as ScheduleChange) : corrupt(SchemaCheck.at("change", problem))
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const corrupt = (message: string): Either.Either<never, ScheduleLogError> =>
  Either.left(new ScheduleLogError({ code: "corrupt_schedule_log", message }))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const check = SchemaCheck.make(ScheduleChange)
