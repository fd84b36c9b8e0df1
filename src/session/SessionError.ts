/**
 * How Sessions fail, and how a caller recovers.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActivityFamily } from "./WorkspaceRegistry.ts"

/**
 * There is no such Session. Create it, or correct the id.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>("host-schedule/session/SessionNotFound")(
  "SessionNotFound",
  { sessionId: Schema.String }
) {
  override get message() {
    return `there is no Session ${JSON.stringify(this.sessionId)}`
  }
}

/**
 * There is a Session with that id already. Use it, or choose another id.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionExists extends Schema.TaggedError<SessionExists>("host-schedule/session/SessionExists")(
  "SessionExists",
  { sessionId: Schema.String }
) {
  override get message() {
    return `there is a Session ${JSON.stringify(this.sessionId)} already`
  }
}

/**
 * What was asked for makes no Session. `reason` says what to correct.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionInvalid extends Schema.TaggedError<SessionInvalid>("host-schedule/session/SessionInvalid")(
  "SessionInvalid",
  { reason: Schema.String }
) {
  override get message() {
    return this.reason
  }
}

/**
 * A Session's log does not parse. It was left as it was, and no other Session is affected: repair the line by hand.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionCorrupt extends Schema.TaggedError<SessionCorrupt>("host-schedule/session/SessionCorrupt")(
  "SessionCorrupt",
  {
    /** The log file. */
    path: Schema.String,
    /** Counted from 1; the header is line 1. */
    line: Schema.Int,
    reason: Schema.String
  }
) {
  override get message() {
    return `${this.path}:${this.line}: ${this.reason}`
  }
}

/**
 * The disk refused. Nothing was acknowledged; trying again may help.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionIoError extends Schema.TaggedError<SessionIoError>("host-schedule/session/SessionIoError")(
  "SessionIoError",
  { path: Schema.String, cause: Schema.Defect }
) {
  override get message() {
    return `${this.path}: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/**
 * The Session is archived and takes no messages. Unarchive it first.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionIsArchived extends Schema.TaggedError<SessionIsArchived>("host-schedule/session/SessionIsArchived")(
  "SessionIsArchived",
  { sessionId: Schema.String }
) {
  override get message() {
    return `Session ${JSON.stringify(this.sessionId)} is archived; unarchive it first`
  }
}

/**
 * The Session belongs to a subagent: only the Agent that delegated to it may talk to it. Use a top-level Session.
 *
 * @since 0.1.0
 * @category errors
 */
export class DelegatedChild extends Schema.TaggedError<DelegatedChild>("host-schedule/session/DelegatedChild")(
  "DelegatedChild",
  { sessionId: Schema.String, delegationDepth: Schema.Int }
) {
  override get message() {
    return `Session ${JSON.stringify(this.sessionId)} belongs to a subagent`
  }
}

/**
 * Something still runs in the Session, so it was not archived. Wait for it, or archive with `stopActivity`.
 *
 * @since 0.1.0
 * @category errors
 */
export class SessionActive extends Schema.TaggedError<SessionActive>("host-schedule/session/SessionActive")(
  "SessionActive",
  {
    sessionId: Schema.String,
    activity: Schema.Array(ActivityFamily)
  }
) {
  override get message() {
    const families = this.activity.map(
      ({ family, items }) => `${family} (${items.map(({ label }) => label).join(", ")})`
    )
    return `Session ${JSON.stringify(this.sessionId)} is still active: ${families.join("; ")}`
  }
}

/**
 * Why a Session's log could not be used.
 *
 * @since 0.1.0
 * @category errors
 */
export type SessionError = SessionNotFound | SessionCorrupt | SessionIoError
