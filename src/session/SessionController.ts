/**
 * Creates, lists, opens, renames and archives Sessions, and turns a Session's id into its live Agent.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Agent } from "./Agent.ts"
import type {
  DelegatedChild,
  SessionActive,
  SessionCorrupt,
  SessionError,
  SessionExists,
  SessionInvalid,
  SessionIoError,
  SessionIsArchived
} from "./SessionError.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import type { SessionHeader, SessionId } from "./SessionHeader.ts"
import type { SessionSummary } from "./SessionSummary.ts"
import type { ActivityUnknown } from "./WorkspaceRegistry.ts"

/**
 * What a new Session is. Without an id it gets a fresh UUID. With `seedLength`, which needs `parentSession`, it is a fork: the
 * first that many events of the parent are copied into its log.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewSession {
  readonly id?: SessionId | undefined
  readonly title?: string | undefined
  readonly cwd?: string | undefined
  readonly parentSession?: SessionId | undefined
  readonly seedLength?: number | undefined
  /** Default 0. */
  readonly delegationDepth?: number | undefined
}

/**
 * What is told when a Session's log is opened, before its Agent is handed out.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenObserver {
  /** Which types of events the observer wants to see. */
  readonly types: ReadonlyArray<string>
  /** `events` are those of the Session's own, in order: a fork's come after its seed. */
  readonly opened: (header: SessionHeader, events: ReadonlyArray<SessionEvent>) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category services
 */
export class SessionController extends Context.Tag("host-schedule/session/SessionController")<
  SessionController,
  {
    /** Creates a Session; it is durable when this returns. */
    readonly create: (
      session: NewSession
    ) => Effect.Effect<SessionSummary, SessionInvalid | SessionExists | SessionError>

    /** Every Session that can be read, newest activity first, and the reason for each one that cannot. */
    readonly list: Effect.Effect<
      {
        readonly sessions: ReadonlyArray<SessionSummary>
        readonly unreadable: ReadonlyArray<SessionCorrupt | SessionIoError>
      },
      SessionIoError
    >

    /** One Session, without activating it. */
    readonly get: (id: SessionId) => Effect.Effect<SessionSummary, SessionError>

    /** One Session with the events `from ≤ seq`, at most `limit` of them; defaults: all. Activates nothing. */
    readonly show: (
      id: SessionId,
      page?: { readonly from?: number | undefined; readonly limit?: number | undefined }
    ) => Effect.Effect<SessionSummary & { readonly log: ReadonlyArray<SessionEvent> }, SessionError>

    /** Gives a Session another title, trimmed and not empty, durably. */
    readonly rename: (id: SessionId, title: string) => Effect.Effect<SessionSummary, SessionInvalid | SessionError>

    /**
     * Archives a Session, durably. Refused with the list while something runs there, unless `stopActivity`: then it is archived
     * first, and everyone is asked to stop after. Archiving twice changes nothing.
     */
    readonly archive: (
      id: SessionId,
      options?: { readonly stopActivity?: boolean | undefined }
    ) => Effect.Effect<SessionSummary, SessionActive | ActivityUnknown | SessionError>

    /** Takes a Session back from the archive, durably. What archiving stopped stays stopped. */
    readonly unarchive: (id: SessionId) => Effect.Effect<SessionSummary, SessionError>

    /**
     * Appends an event to a Session's log, durably, whether the Session is live, cold or archived; `data` must be a JSON value.
     * Activates nothing.
     */
    readonly append: (id: SessionId, type: string, data: unknown) => Effect.Effect<void, SessionError>

    /**
     * The live Agent of a Session, restored if it is cold. There is never a second one, and it is not released for being idle
     * before the scope closes.
     */
    readonly resolveAgent: (
      id: SessionId
    ) => Effect.Effect<Agent, DelegatedChild | SessionIsArchived | SessionError, Scope.Scope>

    /** The Agent of a Session if it is live already; unless something holds it, it may be released at any moment. */
    readonly liveAgent: (id: SessionId) => Effect.Effect<Option.Option<Agent>>

    /** From the persisted header, without activating the Session or reading its events. */
    readonly delegationDepth: (id: SessionId) => Effect.Effect<number, SessionError>

    /** Registers an observer of opened Sessions until the scope closes. */
    readonly onOpen: (observer: OpenObserver) => Effect.Effect<void, never, Scope.Scope>

    /**
     * Registers, until the scope closes, what is mounted on every Agent that goes live after this. Each mount runs before the
     * Agent is handed out, in a scope that closes before the Agent's log does.
     */
    readonly onAgent: (
      mount: (agent: Agent) => Effect.Effect<void, never, Scope.Scope>
    ) => Effect.Effect<void, never, Scope.Scope>

    /** The Sessions whose log or state changes, from now on. A slow reader misses repetitions, never holds anyone back. */
    readonly changes: Stream.Stream<SessionId>
  }
>() {}
