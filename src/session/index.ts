/**
 * Sessions: event logs on disk, inboxes, Agents and what drives them, the Session controller, archive admission.
 *
 * @since 0.1.0
 */
export * as Agent from "./Agent.ts"
export * as AgentDriver from "./AgentDriver.ts"
export * as CommandDriver from "./CommandDriver.ts"
export * as InboxDriver from "./InboxDriver.ts"
export * as SessionController from "./SessionController.ts"
export * as SessionError from "./SessionError.ts"
export * as SessionEvent from "./SessionEvent.ts"
export * as SessionHeader from "./SessionHeader.ts"
export * as SessionSummary from "./SessionSummary.ts"
export * as SessionsOnDisk from "./SessionsOnDisk.ts"
export * as WebhookDriver from "./WebhookDriver.ts"
export * as WorkspaceRegistry from "./WorkspaceRegistry.ts"
