/**
 * The Host-wide schedule service and what it is composed of.
 *
 * @since 0.1.0
 */
export * as AgentResolver from "./AgentResolver.ts"
export * as ArchiveRegistry from "./ArchiveRegistry.ts"
export { OutcomeUnknown, OwnerUnavailable } from "./OwnerError.ts"
export * as ScheduleConfig from "./ScheduleConfig.ts"
export * as ScheduleRuntime from "./ScheduleRuntime.ts"
export {
  type CatalogPage,
  type DeleteAnswer,
  type HistoryAnswer,
  ScheduleService,
  type TaskAddress,
  type UpdateAnswer
} from "./ScheduleService.ts"
export { ServiceStopping } from "./ServiceStopping.ts"
export * as SessionHeaders from "./SessionHeaders.ts"
