/**
 * Which Sessions a remote create may name.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SessionId } from "../domain/Identifiers.ts"
import type { ScheduleUnavailable } from "./ScheduleUnavailable.ts"
import type { SessionRefused } from "./SessionRefused.ts"

/**
 * Asked before a create reaches the service. The default admits every Session; a composition that owns its Sessions refuses
 * those that could never be delivered to.
 *
 * @since 0.1.0
 * @category services
 */
export class SessionAdmission extends Context.Reference<SessionAdmission>()("host-schedule/remote/SessionAdmission", {
  defaultValue: (): ((sessionId: SessionId) => Effect.Effect<void, SessionRefused | ScheduleUnavailable>) => () =>
    Effect.void
}) {}
