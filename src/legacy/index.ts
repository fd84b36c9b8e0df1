/**
 * The Session-local system of reminders, and the codec of its history.
 *
 * @since 0.1.0
 */

export { LegacyRecord } from "./LegacyRecord.ts"
export { type LegacyBatchMember, renderLegacyReminder, renderLegacyReminderBatch } from "./LegacyReminder.ts"
export * as LegacyToolkit from "./LegacyToolkit.ts"
export * as LoadWarning from "./LoadWarning.ts"
export { type MigrationRequest, toRequest } from "./Migration.ts"
export { decodeScheduleChange, ScheduleChange } from "./ScheduleChange.ts"
export {
  type FoldedSchedules,
  foldScheduleEvents,
  type LoggedEvent,
  nextId,
  validateCandidate
} from "./ScheduleFold.ts"
export * as SessionLocalOwner from "./SessionLocalOwner.ts"
export * as SessionLocalSchedule from "./SessionLocalSchedule.ts"
