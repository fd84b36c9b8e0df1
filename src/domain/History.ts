/**
 * Saved deliveries: appending with pruning, and paging.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { MessageId } from "./Identifiers.ts"
import * as Input from "./Input.ts"
import * as Instant from "./Instant.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import type { DeliveryHistory, DeliveryRecord, HistoryBounds, Receipt, ScheduleTask } from "./ScheduleTask.ts"

/**
 * No saved delivery of the task has this message id, or it has been pruned. Read again from the newest page.
 *
 * @since 0.1.0
 * @category errors
 */
export class DeliveryCursorNotFound extends Schema.TaggedError<DeliveryCursorNotFound>(
  "host-schedule/domain/DeliveryCursorNotFound"
)("DeliveryCursorNotFound", { code: Schema.Literal("delivery_cursor_not_found") }) {
  override get message() {
    return "before must be the message id of a saved delivery of this task"
  }
}

/**
 * A validated page request: `limit` 1–100, `before` an exclusive message id.
 *
 * @since 0.1.0
 * @category models
 */
export interface HistoryQuery {
  readonly limit: number
  readonly before?: MessageId | undefined
}

/**
 * Saved deliveries newest first; `nextBefore`, the oldest of them, only when older ones remain.
 *
 * @since 0.1.0
 * @category models
 */
export interface HistoryPage {
  readonly records: ReadonlyArray<DeliveryRecord>
  readonly nextBefore?: MessageId
  readonly earlierRecordsUnavailable: boolean
  readonly earlierRecordsPruned: boolean
}

/**
 * The largest `limit` of a page.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxLimit = 100

/**
 * The saved deliveries of a row. A row that was written before deliveries were saved shows its last receipt alone, and
 * that earlier ones are unavailable.
 *
 * @since 0.1.0
 * @category getters
 */
export const ofTask = (task: ScheduleTask): DeliveryHistory =>
  task.deliveryHistory ?? {
    records: task.lastDelivery === undefined ? [] : [task.lastDelivery],
    earlierRecordsUnavailable: true
  }

/**
 * The row with a delivery appended, together with the prompt that was sent, and its history pruned: records delivered more
 * than `bounds.days` before this one go, then the oldest beyond `bounds.records`; the new one always stays. Status and target
 * are not touched. The message id must be new to the history; a repeated one is a defect.
 *
 * @since 0.1.0
 * @category decisions
 */
export const appendDelivery = (task: ScheduleTask, receipt: Receipt, bounds: HistoryBounds): ScheduleTask => {
  const { scheduledAt, deliveredAt, messageId } = receipt
  const { earlierRecordsPruned, earlierRecordsUnavailable, records } = ofTask(task)
  if (records.some((record) => record.messageId === messageId)) {
    throw new Error(`message ${messageId} is already in the history of ${task.record.id}`)
  }
  const oldest = Instant.toMillis(deliveredAt) - bounds.days * 86_400_000
  // Wall time may have run backwards, so records that are too old need not be the first ones.
  const recent = records.filter((record) => Instant.toMillis(record.deliveredAt) >= oldest)
  const kept = recent.slice(Math.max(0, recent.length - Math.max(0, bounds.records - 1)))
  const pruned = kept.length < records.length
  return {
    ...task,
    lastDelivery: { scheduledAt, deliveredAt, messageId },
    deliveryHistory: {
      records: [...kept, { scheduledAt, deliveredAt, messageId, prompt: task.record.prompt }],
      earlierRecordsUnavailable: pruned || earlierRecordsUnavailable,
      ...(pruned ? { earlierRecordsPruned: true } : earlierRecordsPruned !== undefined && { earlierRecordsPruned })
    }
  }
}

/**
 * Validates the `limit` and `before` of a page request: fails with `invalid_rule`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeQuery = (query: unknown): Either.Either<HistoryQuery, ScheduleInputError> => {
  const input = Input.snapshot(query)
  const { before, limit } = Input.isFields(input) ? input : ({} as Input.Fields)
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > maxLimit) {
    return refuse("invalid_rule", `limit must be a whole number from 1 to ${maxLimit}`)
  }
  if (before !== undefined && typeof before !== "string") {
    return refuse("invalid_rule", "before must be the message id of a saved delivery")
  }
  return Either.right({ limit: limit as number, ...(before !== undefined && { before: before as MessageId }) })
}

/**
 * A page of a row's saved deliveries, newest first in append order; none when `before` is not among them.
 *
 * @since 0.1.0
 * @category getters
 */
export const page = (task: ScheduleTask, query: HistoryQuery): Option.Option<HistoryPage> => {
  const { earlierRecordsPruned, earlierRecordsUnavailable, records } = ofTask(task)
  const end =
    query.before === undefined ? records.length : records.findIndex((record) => record.messageId === query.before)
  if (end < 0) return Option.none()
  const start = Math.max(0, end - query.limit)
  const oldest = records[start]
  return Option.some({
    records: records.slice(start, end).reverse(),
    ...(start > 0 && oldest !== undefined && { nextBefore: oldest.messageId }),
    earlierRecordsUnavailable,
    earlierRecordsPruned: earlierRecordsPruned === true
  })
}

/**
 * A page of a row's saved deliveries with the retention that appends prune to: fails with `invalid_rule`, or when `before` is
 * unknown.
 *
 * @since 0.1.0
 * @category getters
 */
export const historyPage = (
  task: ScheduleTask,
  query: unknown,
  { days, records }: HistoryBounds
): Either.Either<HistoryPage & { readonly retention: HistoryBounds }, ScheduleInputError | DeliveryCursorNotFound> =>
  Either.flatMap(decodeQuery(query), (query) =>
    Option.match(page(task, query), {
      onNone: () => Either.left(new DeliveryCursorNotFound({ code: "delivery_cursor_not_found" })),
      onSome: (page) => Either.right({ ...page, retention: { days, records } })
    })
  )
