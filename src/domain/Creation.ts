/**
 * From a creation request to a record.
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import type { ScheduleId } from "./Identifiers.ts"
import type { ScheduleInputError } from "./ScheduleInputError.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"

/**
 * The record of a creation request `{title, prompt, <one selector>}`, with its first target.
 *
 * `now` is the time of the request in epoch milliseconds.
 *
 * @since 0.1.0
 * @category constructors
 */
export const createRecord = (
  _request: unknown,
  _context: { readonly id: ScheduleId; readonly now: number }
): Either.Either<ScheduleRecord, ScheduleInputError> => {
  throw new Error("not built yet")
}
