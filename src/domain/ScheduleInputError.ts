/**
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/**
 * The stable codes of refused input.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InputCode = Schema.Literal(
  "invalid_prompt",
  "invalid_selector",
  "invalid_rule",
  "invalid_time_zone",
  "not_future",
  "time_out_of_range",
  "frequency_too_high",
  "subagent_session"
)

/**
 * @since 0.1.0
 * @category models
 */
export type InputCode = typeof InputCode.Type

/**
 * A request was refused and nothing was written. `message` names the field and what is wanted: correct it and call again.
 *
 * @since 0.1.0
 * @category errors
 */
export class ScheduleInputError extends Schema.TaggedError<ScheduleInputError>(
  "host-schedule/domain/ScheduleInputError"
)("ScheduleInputError", { code: InputCode, message: Schema.String }) {}

/**
 * A refusal as a result.
 *
 * @since 0.1.0
 * @category constructors
 */
export const refuse = (code: InputCode, message: string): Either.Either<never, ScheduleInputError> =>
  Either.left(new ScheduleInputError({ code, message }))
