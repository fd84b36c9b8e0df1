/**
 * The four tools `schedule_create`, `schedule_list`, `schedule_update` and `schedule_delete`, for agents in process and over
 * the Model Context Protocol.
 *
 * @since 0.1.0
 */
export { CallingSession } from "./CallingSession.ts"
export * as McpHttp from "./McpHttp.ts"
export * as McpServer from "./McpServer.ts"
export * as McpStdio from "./McpStdio.ts"
export * as ScheduleToolkit from "./ScheduleToolkit.ts"
export * as ScheduleTools from "./ScheduleTools.ts"
export { DeleteValue, ToolFailure, UpdateValue } from "./ToolSchemas.ts"
