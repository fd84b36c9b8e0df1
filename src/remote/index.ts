/**
 * The Remote namespaces `schedule` and `sessions`: their RPC groups, the handlers that serve them, and the typed clients, in
 * process or over any `@effect/rpc` protocol.
 *
 * @since 0.1.0
 */
export * as PreviewRequest from "./PreviewRequest.ts"
export * as RemoteClient from "./RemoteClient.ts"
export * as RpcHttp from "./RpcHttp.ts"
export * as RpcLines from "./RpcLines.ts"
export * as RpcWebSocket from "./RpcWebSocket.ts"
export * as ScheduleClient from "./ScheduleClient.ts"
export * as ScheduleHandlers from "./ScheduleHandlers.ts"
export * as ScheduleRpcs from "./ScheduleRpcs.ts"
export { ScheduleUnavailable, UnavailableCode } from "./ScheduleUnavailable.ts"
export { SessionAdmission } from "./SessionAdmission.ts"
export * as SessionClient from "./SessionClient.ts"
export * as SessionHandlers from "./SessionHandlers.ts"
export { SessionRefused } from "./SessionRefused.ts"
export * as SessionRpcs from "./SessionRpcs.ts"
