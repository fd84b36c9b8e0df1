/**
 * Archive admission: who is asked what still runs in a Session before it is archived, and who stops it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * What one family of activity still has running in a Session.
 *
 * @since 0.1.0
 * @category models
 */
export interface ActivityFamily {
  /** Such as `schedule` or `agent`. */
  readonly family: string
  readonly items: ReadonlyArray<{ readonly id: string; readonly label: string }>
}

/**
 * One family's answers, for every Session. Both may fail with anything: a failing `activity` refuses the archive, a failing
 * `stop` is logged and the archive stays.
 *
 * @since 0.1.0
 * @category models
 */
export interface ActivityProvider {
  readonly family: string
  /** `workspace/session-activity`: what runs there now; none adds nothing. */
  readonly activity: (sessionId: string) => Effect.Effect<ActivityFamily["items"], unknown>
  /** `workspace/session-stop`: stops all of it. The Session is archived durably by then. */
  readonly stop: (sessionId: string) => Effect.Effect<void, unknown>
}

/**
 * @since 0.1.0
 * @category services
 */
export class WorkspaceRegistry extends Context.Tag("host-schedule/session/WorkspaceRegistry")<
  WorkspaceRegistry,
  {
    /** Registers a provider until the scope closes. */
    readonly register: (provider: ActivityProvider) => Effect.Effect<void, never, Scope.Scope>

    /** Every family with something running; each provider comes before those that were registered earlier. */
    readonly activity: (sessionId: string) => Effect.Effect<ReadonlyArray<ActivityFamily>, unknown>

    /** Asks every provider to stop; each one that fails is logged. */
    readonly stop: (sessionId: string) => Effect.Effect<void>
  }
>() {}
