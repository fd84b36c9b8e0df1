/**
 * How the `sessions` namespace refuses.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type {
  DelegatedChild,
  SessionActive,
  SessionCorrupt,
  SessionExists,
  SessionInvalid,
  SessionIsArchived,
  SessionNotFound
} from "../session/SessionError.ts"
import type { ActivityUnknown } from "../session/WorkspaceRegistry.ts"

/**
 * The Session does not exist, or is in a state that forbids the call; nothing was changed. `message` says what to do, and
 * `activity` lists what still runs in a Session that was not archived.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionRefused extends Schema.TaggedError<SessionRefused>("host-schedule/remote/SessionRefused")(
  "SessionRefused",
  {
    code: Schema.Literal(
      "session_not_found",
      "session_exists",
      "session_archived",
      "session_active",
      "session_corrupt",
      "subagent_session",
      "invalid_session"
    ),
    message: Schema.String,
    activity: Schema.optionalWith(
      Schema.Array(
        Schema.Struct({
          family: Schema.String,
          items: Schema.Array(Schema.Struct({ id: Schema.String, label: Schema.String }))
        })
      ),
      { exact: true }
    )
  }
) {}

/**
 * The wire form of what the Session controller refuses.
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromController = (error: Refusal): SessionRefused =>
  new SessionRefused({
    code: codes[error._tag],
    message: error.message,
    ...(error._tag === "SessionActive" ? { activity: error.activity } : {})
  })

/**
 * Whether an error of the Session controller is a refusal.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isRefusal = <E>(error: E): error is Extract<E, Refusal> =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && Object.hasOwn(codes, error._tag)

/**
 * @since 0.1.0
 * @category models
 */
export type Refusal =
  | SessionNotFound
  | SessionInvalid
  | SessionExists
  | SessionIsArchived
  | SessionActive
  | ActivityUnknown
  | SessionCorrupt
  | DelegatedChild

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const codes = {
  SessionNotFound: "session_not_found",
  SessionInvalid: "invalid_session",
  SessionExists: "session_exists",
  SessionIsArchived: "session_archived",
  SessionActive: "session_active",
  ActivityUnknown: "session_active",
  SessionCorrupt: "session_corrupt",
  DelegatedChild: "subagent_session"
} as const
