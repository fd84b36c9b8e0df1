/**
 * Rows of the SQL backends: tasks and deliveries as columns. Reading validates nothing; what a column should not hold comes
 * out as a value that decoding refuses.
 *
 * @since 0.1.0
 */
import * as Instant from "../domain/Instant.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { DeliveryRecord, ScheduleTask } from "../domain/ScheduleTask.ts"
import * as SqlText from "./SqlText.ts"

/**
 * The columns of a task, in the order in which they are read and written; `sequence` comes before them.
 *
 * @since 0.1.0
 * @category constants
 */
export const taskColumns = [
  "id",
  "session_id",
  "status",
  "kind",
  "title",
  "prompt",
  "scheduled_at",
  "after_seconds",
  "every_seconds",
  "time",
  "expression",
  "time_zone",
  "weekdays",
  "last_scheduled_at",
  "last_delivered_at",
  "last_message_id",
  "earlier_unavailable",
  "earlier_pruned",
  "history_ordered"
] as const

/**
 * The {@link taskColumns} that hold the record, but for its id.
 *
 * @since 0.1.0
 * @category constants
 */
export const recordColumns = taskColumns.slice(3, 13)

/**
 * The condition that a task is active, as the partial indexes spell it.
 *
 * @since 0.1.0
 * @category constants
 */
export const isActive = "status IS DISTINCT FROM 'inactive'"

/**
 * The columns of a delivery, in the order in which they are written.
 *
 * @since 0.1.0
 * @category constants
 */
export const deliveryColumns = ["task", "position", "scheduled_at", "delivered_at", "message_id", "prompt"] as const

/**
 * A row of columns.
 *
 * @since 0.1.0
 * @category models
 */
export type Columns = ReadonlyArray<unknown>

/**
 * The {@link taskColumns} of a task.
 *
 * @since 0.1.0
 * @category encoding
 */
export const ofTask = (task: ScheduleTask): Array<unknown> => {
  const { deliveryHistory, lastDelivery, record, sessionId, status } = task
  return [
    record.id,
    SqlText.encode(sessionId),
    status ?? null,
    ...ofRecord(record),
    ...ofReceipt(lastDelivery),
    ofBoolean(deliveryHistory?.earlierRecordsUnavailable),
    ofBoolean(deliveryHistory?.earlierRecordsPruned),
    ofBoolean(isOrdered(deliveryHistory?.records ?? []))
  ]
}

/**
 * The {@link recordColumns} of a record.
 *
 * @since 0.1.0
 * @category encoding
 */
export const ofRecord = (record: ScheduleRecord): Array<unknown> => {
  const rule: Rule = record
  return [
    record.kind,
    SqlText.encode(record.title),
    SqlText.encode(record.prompt),
    Instant.toMillis(record.scheduledAt),
    rule.afterSeconds ?? null,
    rule.everySeconds ?? null,
    rule.time ?? null,
    rule.expression ?? null,
    rule.timeZone ?? null,
    rule.weekdays?.join("") ?? null
  ]
}

/**
 * The {@link deliveryColumns} of a delivery.
 *
 * @since 0.1.0
 * @category encoding
 */
export const ofDelivery = (task: number, position: number, record: DeliveryRecord): Array<unknown> => [
  task,
  position,
  ...ofReceipt(record),
  record.prompt === undefined ? null : SqlText.encode(record.prompt)
]

/**
 * A task without its history, from its {@link taskColumns} at `offset`; `missingStatus` is what a row without a status reads as.
 *
 * @since 0.1.0
 * @category decoding
 */
export const toSummary = (columns: Columns, offset: number, missingStatus?: "active"): Record<string, unknown> => {
  const record: Partial<Record<RecordField, unknown>> = {
    id: columns[offset],
    kind: columns[offset + 3],
    title: SqlText.decode(columns[offset + 4]),
    prompt: SqlText.decode(columns[offset + 5])
  }
  // Spelled out, because a loop over the names takes longer than reading the row.
  if (columns[offset + 7] !== null) record.afterSeconds = columns[offset + 7]
  if (columns[offset + 8] !== null) record.everySeconds = columns[offset + 8]
  if (columns[offset + 9] !== null) record.time = columns[offset + 9]
  if (columns[offset + 10] !== null) record.expression = columns[offset + 10]
  if (columns[offset + 11] !== null) record.timeZone = columns[offset + 11]
  if (columns[offset + 12] !== null) record.weekdays = toDigits(columns[offset + 12])
  record.scheduledAt = toInstant(columns[offset + 6])
  const summary: Record<string, unknown> = { sessionId: SqlText.decode(columns[offset + 1]), record }
  const status = columns[offset + 2] ?? missingStatus
  if (status !== undefined) summary.status = status
  const [scheduledAt, deliveredAt, messageId] = [columns[offset + 13], columns[offset + 14], columns[offset + 15]]
  if (scheduledAt !== null || deliveredAt !== null || messageId !== null) {
    summary.lastDelivery = toReceipt(scheduledAt, deliveredAt, messageId)
  }
  return summary
}

/**
 * A whole task from its {@link taskColumns} at `offset` and its deliveries, oldest first.
 *
 * @since 0.1.0
 * @category decoding
 */
export const toTask = (columns: Columns, offset: number, records: ReadonlyArray<unknown>): Record<string, unknown> => {
  const task = toSummary(columns, offset)
  const deliveryHistory = toHistory(columns, offset, records)
  if (deliveryHistory !== undefined) task.deliveryHistory = deliveryHistory
  return task
}

/**
 * The history of a task from its {@link taskColumns} at `offset` and its deliveries, oldest first; undefined when it has none,
 * which is not the same as an empty one.
 *
 * @since 0.1.0
 * @category decoding
 */
export const toHistory = (
  columns: Columns,
  offset: number,
  records: ReadonlyArray<unknown>
): Record<string, unknown> | undefined => {
  const unavailable = columns[offset + 16]
  const pruned = columns[offset + 17]
  if (unavailable === null && pruned === null && records.length === 0) return undefined
  const history: Record<string, unknown> = { records }
  if (unavailable !== null) history.earlierRecordsUnavailable = toBoolean(unavailable)
  if (pruned !== null) history.earlierRecordsPruned = toBoolean(pruned)
  return history
}

/**
 * How a task's deliveries, rows of {@link deliveryColumns}, break the rules of these tables: they stand at consecutive
 * positions, and `history_ordered` tells whether they were made in that order.
 *
 * @since 0.1.0
 * @category decoding
 */
export const historyFlaw = (
  columns: Columns,
  offset: number,
  deliveries: ReadonlyArray<Columns>
): string | undefined => {
  let ordered = true
  for (let i = 1; i < deliveries.length; i++) {
    if (Number(deliveries[i]![1]) !== Number(deliveries[i - 1]![1]) + 1)
      return "deliveries must have consecutive positions"
    ordered &&= Number(deliveries[i - 1]![3]) <= Number(deliveries[i]![3])
  }
  return orderFlaw(columns, offset, ordered)
}

/**
 * The same for deliveries of which it is known whether they were made in order.
 *
 * @since 0.1.0
 * @category decoding
 */
export const orderFlaw = (columns: Columns, offset: number, ordered: boolean): string | undefined =>
  columns[offset + 18] === Number(ordered) ? undefined : `history_ordered must be ${Number(ordered)}`

/**
 * A delivery from its last four {@link deliveryColumns} at `offset`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const toDelivery = (columns: Columns, offset: number): Record<string, unknown> => {
  const delivery = toReceipt(columns[offset], columns[offset + 1], columns[offset + 2])
  const prompt = columns[offset + 3]
  if (prompt !== null) delivery.prompt = SqlText.decode(prompt)
  return delivery
}

/**
 * Whether deliveries were made in the order in which they are given, which wall time that runs backwards breaks.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isOrdered = (records: ReadonlyArray<DeliveryRecord>): boolean =>
  records.every((record, i) => i === 0 || records[i - 1]!.deliveredAt <= record.deliveredAt)

/**
 * The instant of a column of epoch milliseconds.
 *
 * @since 0.1.0
 * @category decoding
 */
export const toInstant = (column: unknown): Instant.Instant =>
  typeof column === "number" && Instant.isInRange(column) ? Instant.format(column) : (String(column) as Instant.Instant)

/**
 * The boolean of a column 0 or 1.
 *
 * @since 0.1.0
 * @category decoding
 */
export const toBoolean = (column: unknown): unknown => (column === 0 ? false : column === 1 ? true : column)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Rule {
  readonly kind: string
  readonly afterSeconds?: number
  readonly everySeconds?: number
  readonly time?: string
  readonly expression?: string
  readonly timeZone?: string
  readonly weekdays?: ReadonlyArray<number>
}

type RecordField = "id" | "title" | "prompt" | "scheduledAt" | keyof Rule

const toDigits = (column: unknown): ReadonlyArray<number> => {
  const digits: Array<number> = []
  const text = String(column)
  for (let i = 0; i < text.length; i++) digits.push(text.charCodeAt(i) - 48)
  return digits
}

const ofBoolean = (value: boolean | undefined) => (value === undefined ? null : Number(value))

const ofReceipt = (receipt: Pick<DeliveryRecord, "scheduledAt" | "deliveredAt" | "messageId"> | undefined) =>
  receipt === undefined
    ? [null, null, null]
    : [Instant.toMillis(receipt.scheduledAt), Instant.toMillis(receipt.deliveredAt), SqlText.encode(receipt.messageId)]

const toReceipt = (scheduledAt: unknown, deliveredAt: unknown, messageId: unknown): Record<string, unknown> => {
  const receipt: Record<string, unknown> = {}
  if (scheduledAt !== null) receipt.scheduledAt = toInstant(scheduledAt)
  if (deliveredAt !== null) receipt.deliveredAt = toInstant(deliveredAt)
  if (messageId !== null) receipt.messageId = SqlText.decode(messageId)
  return receipt
}
