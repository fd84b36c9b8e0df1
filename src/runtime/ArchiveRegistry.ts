/**
 * The seam to whoever archives Sessions.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SessionId } from "../domain/Identifiers.ts"

/**
 * What Schedule answers when a Session is about to be archived.
 *
 * @since 0.1.0
 * @category models
 */
export interface Provider {
  readonly family: string
  /** `workspace/session-activity`: what still runs there; nothing adds no family. */
  readonly activity: (
    sessionId: SessionId
  ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly label: string }>, unknown>
  /** `workspace/session-stop`: stops all of it. */
  readonly stop: (sessionId: SessionId) => Effect.Effect<void, unknown>
}

/**
 * The workspace's archive admission, as the composition provides it.
 *
 * @since 0.1.0
 * @category services
 */
export class ArchiveRegistry extends Context.Tag("host-schedule/runtime/ArchiveRegistry")<
  ArchiveRegistry,
  {
    /** Registers a provider until the scope closes. */
    readonly register: (provider: Provider) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}
