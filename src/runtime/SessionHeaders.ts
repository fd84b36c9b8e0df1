/**
 * What management needs to know of a Session without activating it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SessionId } from "../domain/Identifiers.ts"

/**
 * The Session's persisted header cannot be read. Repair its log, then call again.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionUnreadable extends Schema.TaggedError<SessionUnreadable>("host-schedule/runtime/SessionUnreadable")(
  "SessionUnreadable",
  { message: Schema.String }
) {}

/**
 * Reads persisted Session headers.
 *
 * @since 0.1.0
 * @category services
 */
export class SessionHeaders extends Context.Tag("host-schedule/runtime/SessionHeaders")<
  SessionHeaders,
  {
    /** How deep the Session was delegated: 0 for a top-level or unknown one, more for a delegated child's. */
    readonly delegationDepth: (sessionId: SessionId) => Effect.Effect<number, SessionUnreadable>
  }
>() {}

/**
 * For compositions without delegation: every Session is top-level.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerTopLevel: Layer.Layer<SessionHeaders> = Layer.succeed(SessionHeaders, {
  delegationDepth: () => Effect.succeed(0)
})
