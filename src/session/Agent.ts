/**
 * The live side of a Session.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { SessionError, SessionIsArchived } from "./SessionError.ts"
import type { MessageId, SessionEvent, UserMessage } from "./SessionEvent.ts"
import type { SessionHeader, SessionId } from "./SessionHeader.ts"

/**
 * The Agent was released, or its Host is shutting down. Resolve the Session again.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentReleased extends Schema.TaggedError<AgentReleased>("host-schedule/session/AgentReleased")(
  "AgentReleased",
  { sessionId: Schema.String }
) {
  override get message() {
    return `the Agent of Session ${JSON.stringify(this.sessionId)} was released`
  }
}

/**
 * A turn or other maintenance owns the Agent. Try again after `whenIdle`.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentBusy extends Schema.TaggedError<AgentBusy>("host-schedule/session/AgentBusy")("AgentBusy", {
  sessionId: Schema.String
}) {
  override get message() {
    return `the Agent of Session ${JSON.stringify(this.sessionId)} is busy`
  }
}

/**
 * A message to put into an inbox.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewMessage {
  readonly text: string
  /** Who produces it, such as `user` or `schedule`. */
  readonly source: string
  readonly keys?: ReadonlyArray<string> | undefined
}

/**
 * A message that carries a key; `durable` once a flush acknowledged it, or when it was read from disk.
 *
 * @since 0.1.0
 * @category models
 */
export interface HeldMessage {
  readonly messageId: MessageId
  readonly durable: boolean
}

/**
 * A live Agent: a Session's log open for appending, its inbox, and its turns, one at a time.
 *
 * @since 0.1.0
 * @category models
 */
export interface Agent {
  readonly sessionId: SessionId
  readonly header: SessionHeader

  /**
   * Puts a message into the inbox and answers its id; the message is in the log's memory when this returns, and on disk
   * after the next true `flush`. It opens a later turn when the Agent is idle and never interrupts.
   */
  readonly followup: (message: NewMessage) => Effect.Effect<MessageId, AgentReleased | SessionIsArchived>

  /** Whether everything appended so far is on disk now. Never fails; a later flush tries again what this one could not do. */
  readonly flush: Effect.Effect<boolean>

  /** Which of the keys the Session's own messages carry, on disk or not yet. Costs by the number of keys asked for. */
  readonly heldKeys: (keys: Iterable<string>) => ReadonlyMap<string, HeldMessage>

  /** The messages that wait in the inbox, oldest first. */
  readonly inbox: Effect.Effect<ReadonlyArray<UserMessage>>

  /** Takes messages out of the inbox, for a person or program that handles them itself; answers those that waited there. */
  readonly consume: (ids: ReadonlyArray<MessageId>) => Effect.Effect<ReadonlyArray<MessageId>, AgentReleased>

  /** Appends an event of any other type; `data` must be a JSON value. */
  readonly append: (type: string, data: unknown) => Effect.Effect<SessionEvent, AgentReleased>

  /** The Session's own events so far, or those of some types, read from disk and memory. */
  readonly events: (types?: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SessionEvent>, SessionError>

  /** Tells a listener of every event from now on, before its append returns, until the scope closes. It must not throw. */
  readonly onAppend: (listener: (event: SessionEvent) => void) => Effect.Effect<void, never, Scope.Scope>

  /** Waits until neither a turn nor maintenance owns the Agent. */
  readonly whenIdle: Effect.Effect<void>

  /** Runs a task as the owner of the idle phase, or refuses at once. Turns wait until it ends. */
  readonly runMaintenance: <A, E, R>(task: Effect.Effect<A, E, R>) => Effect.Effect<A, E | AgentBusy | AgentReleased, R>

  /** Keeps the Agent from being released for being idle until the scope closes. */
  readonly hold: Effect.Effect<void, never, Scope.Scope>
}
