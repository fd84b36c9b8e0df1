/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Something stored does not decode: a task row, or a historical event of a Session's log. It was written by another program
 * or damaged; repair it by hand or with `host-schedule check --repair`, then open again. `message` says which rule failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class ScheduleLogError extends Schema.TaggedError<ScheduleLogError>("host-schedule/domain/ScheduleLogError")(
  "ScheduleLogError",
  {
    code: Schema.Literal("corrupt_schedule_log"),
    /** The table that holds the row, such as `tasks`. */
    table: Schema.optional(Schema.String),
    /** The key of the row within its table. */
    key: Schema.optional(Schema.String),
    message: Schema.String
  }
) {}
