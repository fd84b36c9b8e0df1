/**
 * Saved deliveries: appending with pruning, and paging.
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import type { MessageId } from "./Identifiers.ts"
import type { ScheduleInputError } from "./ScheduleInputError.ts"
import type { DeliveryRecord, HistoryBounds, Receipt, ScheduleTask } from "./ScheduleTask.ts"

/** A validated page request: `limit` 1–100, `before` an exclusive message id. */
export interface HistoryQuery {
  readonly limit: number
  readonly before?: MessageId | undefined
}

/** Saved deliveries newest first; `nextBefore` only when older ones remain. */
export interface HistoryPage {
  readonly records: ReadonlyArray<DeliveryRecord>
  readonly nextBefore?: MessageId
  readonly earlierRecordsUnavailable: boolean
  readonly earlierRecordsPruned: boolean
}

/** The row with a delivery appended and its history pruned to the bounds; the new record always survives. */
export const appendDelivery = (_task: ScheduleTask, _receipt: Receipt, _bounds: HistoryBounds): ScheduleTask => {
  throw new Error("not built yet")
}

/** Validates a page request: fails with `invalid_rule`. */
export const decodeQuery = (_query: unknown): Either.Either<HistoryQuery, ScheduleInputError> => {
  throw new Error("not built yet")
}
