/**
 * A stored task: a record bound to its original Session, with its status and its deliveries.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { MessageId, SessionId } from "./Identifiers.ts"
import { Instant } from "./Instant.ts"
import { ScheduleLogError } from "./ScheduleLogError.ts"
import { ScheduleRecord } from "./ScheduleRecord.ts"
import * as SchemaCheck from "./SchemaCheck.ts"

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
  records: Schema.Array(DeliveryRecord).pipe(
    Schema.filter(
      (records) =>
        new Set(records.map((record) => record.messageId)).size === records.length || "must have unique message ids"
    )
  ),
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
}).pipe(
  Schema.filter(({ deliveryHistory, lastDelivery }) => {
    if (deliveryHistory === undefined) return true
    const newest = deliveryHistory.records.at(-1)
    const holds =
      newest === undefined || lastDelivery === undefined
        ? newest === lastDelivery
        : equivalentReceipts(newest, lastDelivery)
    return (
      holds || {
        path: ["lastDelivery"],
        message: "must equal the newest record of the history, and be absent with an empty one"
      }
    )
  })
)

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
 * Whether two receipts are of the same delivery, field by field.
 *
 * @since 0.1.0
 * @category predicates
 */
export const equivalentReceipts = (a: Receipt, b: Receipt): boolean =>
  a.messageId === b.messageId && a.deliveredAt === b.deliveredAt && a.scheduledAt === b.scheduledAt

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

/**
 * A row from untrusted data, unchanged when it keeps every rule and invariant. Fails with `corrupt_schedule_log`, the table,
 * the row's key (`key`, else the id inside) and the path and rule that failed, such as `record.scheduledAt must be …`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeTask = (input: unknown, key?: string): Either.Either<ScheduleTask, ScheduleLogError> => {
  const problem = checkTask(input)
  if (problem !== undefined) return Either.left(rowError(input, key, problem))
  const task = input as ScheduleTask
  return key === undefined || key === task.record.id
    ? Either.right(task)
    : Either.left(rowError(input, key, `.record.id must equal the key of its row, and is ${task.record.id}`))
}

/**
 * A row without its history from untrusted data; fails like {@link decodeTask}.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeSummary = (input: unknown): Either.Either<TaskSummary, ScheduleLogError> => {
  const problem = checkSummary(input)
  return problem === undefined ? Either.right(input as TaskSummary) : Either.left(rowError(input, undefined, problem))
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const checkTask = SchemaCheck.make(ScheduleTask)
const checkSummary = SchemaCheck.make(TaskSummary)

const rowError = (input: unknown, key: string | undefined, problem: string): ScheduleLogError => {
  const found = key ?? idOf(input)
  return new ScheduleLogError({
    code: "corrupt_schedule_log",
    table: "tasks",
    ...(found === undefined ? {} : { key: found }),
    message: SchemaCheck.at("", problem)
  })
}

const idOf = (input: unknown): string | undefined => {
  const { record } = Object(input)
  const { id } = Object(record)
  return typeof id === "string" ? id : undefined
}
