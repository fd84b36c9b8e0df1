/**
 * Editing an active task: complete-record compare-and-set.
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import type { ScheduleInputError } from "./ScheduleInputError.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"

/** The decision of an update: what to store, nothing to do, or a conflict. */
export type UpdateDecision =
  | { readonly updated: true; readonly record: ScheduleRecord }
  | { readonly updated: false; readonly record: ScheduleRecord }
  | { readonly updated: false; readonly code: "schedule_conflict" }

/** Decides `{expected, title?, prompt?, change?}` against the stored record at the save time `now`. */
export const resolveUpdate = (
  _current: ScheduleRecord,
  _request: unknown,
  _now: number
): Either.Either<UpdateDecision, ScheduleInputError> => {
  throw new Error("not built yet")
}
