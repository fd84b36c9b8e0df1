/**
 * Which Sessions a remote create may name.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SessionId } from "../domain/Identifiers.ts"
import type { ScheduleUnavailable } from "./ScheduleUnavailable.ts"

/**
 * The named Session does not exist in this Host. Create it first, or name another.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>("host-schedule/remote/SessionNotFound")(
  "SessionNotFound",
  { code: Schema.Literal("session_not_found"), message: Schema.String }
) {}

/**
 * @since 0.1.0
 * @category constructors
 */
export const notFound = (sessionId: string): SessionNotFound =>
  new SessionNotFound({ code: "session_not_found", message: `there is no Session ${JSON.stringify(sessionId)}` })

/**
 * Asked before a create reaches the service. The default admits every Session; a composition that owns its Sessions refuses
 * those it does not know.
 *
 * @since 0.1.0
 * @category services
 */
export class SessionAdmission extends Context.Reference<SessionAdmission>()("host-schedule/remote/SessionAdmission", {
  defaultValue: (): ((sessionId: SessionId) => Effect.Effect<void, SessionNotFound | ScheduleUnavailable>) => () =>
    Effect.void
}) {}
