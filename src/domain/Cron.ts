/**
 * Five-field Vixie cron expressions.
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import type { ScheduleInputError } from "./ScheduleInputError.ts"

/** The canonical text of an expression; fails with `invalid_rule` naming the field. */
export const canonicalize = (_expression: string): Either.Either<string, ScheduleInputError> => {
  throw new Error("not built yet")
}

/** Whether an expression is valid and already in canonical text. */
export const isCanonical = (_expression: string): boolean => {
  throw new Error("not built yet")
}
