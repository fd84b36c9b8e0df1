/**
 * A stored task: a record bound to its original Session, with its status and its deliveries.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MessageId, SessionId } from "./Identifiers.ts"
import { Instant } from "./Instant.ts"
import { ScheduleRecord } from "./ScheduleRecord.ts"

/**
 * `active` tasks drive the timer; an `inactive` one has ended and stays until it is deleted.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TaskStatus = Schema.Literal("active", "inactive")

/**
 * @since 0.1.0
 * @category models
 */
export type TaskStatus = typeof TaskStatus.Type

/**
 * Durable inbox delivery of one occurrence; it never says that a model ran. `scheduledAt` is the occurrence, `deliveredAt`
 * the time of the Session's acknowledgement.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Receipt = Schema.Struct({
  scheduledAt: Instant,
  deliveredAt: Instant,
  messageId: MessageId
})

/**
 * @since 0.1.0
 * @category models
 */
export type Receipt = typeof Receipt.Type

/**
 * A receipt with the prompt that was sent, where it was saved.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DeliveryRecord = Schema.Struct({
  ...Receipt.fields,
  prompt: Schema.optionalWith(Schema.String, { exact: true })
})

/**
 * @since 0.1.0
 * @category models
 */
export type DeliveryRecord = typeof DeliveryRecord.Type

/**
 * The saved deliveries of a task, oldest first. `earlierRecordsUnavailable`: deliveries before these are not here;
 * `earlierRecordsPruned`: and it is known that an append removed them.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DeliveryHistory = Schema.Struct({
  records: Schema.Array(DeliveryRecord),
  earlierRecordsUnavailable: Schema.Boolean,
  earlierRecordsPruned: Schema.optionalWith(Schema.Boolean, { exact: true })
})

/**
 * @since 0.1.0
 * @category models
 */
export type DeliveryHistory = typeof DeliveryHistory.Type

/**
 * A stored row. An absent status reads as `active`.
 *
 * Invariants, held by decoding:
 * 1. the message ids of one history are unique;
 * 2. the newest history record equals `lastDelivery`, and an empty history has none.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ScheduleTask = Schema.Struct({
  sessionId: SessionId,
  record: ScheduleRecord,
  status: Schema.optionalWith(TaskStatus, { exact: true }),
  lastDelivery: Schema.optionalWith(Receipt, { exact: true }),
  deliveryHistory: Schema.optionalWith(DeliveryHistory, { exact: true })
})

/**
 * @since 0.1.0
 * @category models
 */
export type ScheduleTask = typeof ScheduleTask.Type

/**
 * A task without its history: what lists and the catalog show, and what delivery decides from.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TaskSummary = Schema.Struct({
  sessionId: SessionId,
  record: ScheduleRecord,
  status: TaskStatus,
  lastDelivery: Schema.optionalWith(Receipt, { exact: true })
})

/**
 * @since 0.1.0
 * @category models
 */
export type TaskSummary = typeof TaskSummary.Type

/**
 * How much history an append keeps: records of the last `days` days, at most `records` of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface HistoryBounds {
  readonly days: number
  readonly records: number
}
