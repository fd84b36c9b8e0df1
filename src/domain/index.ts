/**
 * The rules of schedules, as plain functions on plain values: they read no clock, do no I/O and run in a browser. Whatever
 * can be refused answers with an `Either` whose left is the typed error.
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import * as Cron from "./Cron.ts"
import type { Instant } from "./Instant.ts"
import * as Reminder from "./Reminder.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"

export { createRecord } from "./Creation.ts"
export { describe, type Locale } from "./Describe.ts"
export {
  appendDelivery,
  DeliveryCursorNotFound,
  type HistoryPage,
  type HistoryQuery,
  historyPage
} from "./History.ts"
export { MessageId, ScheduleId, SessionId } from "./Identifiers.ts"
export { Instant } from "./Instant.ts"
export * as Occurrence from "./Occurrence.ts"
export { preview } from "./Preview.ts"
export { type Resolution, resolveOccurrence } from "./Recurrence.ts"
export { InputCode, ScheduleInputError } from "./ScheduleInputError.ts"
export { ScheduleLogError } from "./ScheduleLogError.ts"
export { decodeRecord, isOneShot, ScheduleRecord } from "./ScheduleRecord.ts"
export {
  DeliveryHistory,
  DeliveryRecord,
  decodeTask,
  type HistoryBounds,
  Receipt,
  ScheduleTask,
  TaskStatus,
  TaskSummary
} from "./ScheduleTask.ts"
export { resolveUpdate, type UpdateDecision } from "./Update.ts"
export { ScheduleView, scheduleView } from "./View.ts"

/**
 * The canonical text of a five-field cron expression; fails with `invalid_rule` naming the field.
 *
 * @since 0.1.0
 * @category cron
 */
export const canonicalizeCron = (expression: unknown): Either.Either<string, ScheduleInputError> =>
  typeof expression === "string"
    ? Cron.canonicalize(expression)
    : refuse("invalid_rule", "a cron expression must be a text of five fields")

/**
 * The text of the message that delivers a one-shot.
 *
 * @since 0.1.0
 * @category rendering
 */
export const renderReminder = ({ id, prompt, scheduledAt }: ScheduleRecord): string =>
  Reminder.renderOne({ id, occurrenceAt: scheduledAt, prompt })

/**
 * The text of the message that delivers recurring tasks of one Session together, in the order given.
 *
 * @since 0.1.0
 * @category rendering
 */
export const renderReminderBatch = (
  members: ReadonlyArray<{ readonly record: ScheduleRecord; readonly occurrenceAt: Instant }>
): string =>
  Reminder.renderBatch(
    members.map(({ occurrenceAt, record }) => ({ id: record.id, occurrenceAt, prompt: record.prompt }))
  )
