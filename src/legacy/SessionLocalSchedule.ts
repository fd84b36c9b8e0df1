/**
 * Reminders that never leave a live Session: for hosts that want the older system.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { maxTitleLength } from "../domain/ScheduleRecord.ts"
import type { Agent } from "../session/Agent.ts"
import { SessionController } from "../session/SessionController.ts"
import type { SessionId } from "../session/SessionHeader.ts"
import { type ActivityProvider, WorkspaceRegistry } from "../session/WorkspaceRegistry.ts"
import { eventType, type ScheduleChange } from "./ScheduleChange.ts"
import { foldScheduleEvents } from "./ScheduleFold.ts"
import * as SessionLocalOwner from "./SessionLocalOwner.ts"

/**
 * The owners of the Agents that went live after this was mounted. An Agent that was live before has none, and neither has a
 * delegated child's.
 *
 * @since 0.1.0
 * @category services
 */
export class SessionLocalSchedule extends Context.Tag("host-schedule/legacy/SessionLocalSchedule")<
  SessionLocalSchedule,
  {
    /** The owner of a live Agent's reminders. It is there for as long as the Agent is live. */
    readonly owner: (sessionId: SessionId) => Effect.Effect<Option.Option<SessionLocalOwner.SessionLocalOwner>>
  }
>() {}

/**
 * Mounts an owner on every root Agent that goes live from now on. A Session with active reminders of its own, live or cold, is
 * not archived before they stop, which deletes them.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<SessionLocalSchedule, never, SessionController | WorkspaceRegistry> = Layer.scoped(
  SessionLocalSchedule,
  Effect.gen(function* () {
    const sessions = yield* SessionController
    const scope = yield* Effect.scope
    const owners = new Map<SessionId, SessionLocalOwner.SessionLocalOwner>()

    const mount = (agent: Agent) =>
      Effect.gen(function* () {
        const owner = yield* SessionLocalOwner.make(agent)
        yield* Effect.acquireRelease(
          Effect.sync(() => owners.set(agent.sessionId, owner)),
          () => Effect.sync(() => owners.delete(agent.sessionId))
        )
      }).pipe(
        Effect.catchAll((error) => Effect.logError("this Session has no reminders of its own", error)),
        Effect.annotateLogs({ module: "SessionLocalSchedule", session: agent.sessionId })
      )

    yield* sessions.onAgent((agent) =>
      Effect.gen(function* () {
        if (agent.header.delegationDepth > 0) return
        // Ends with the Agent or with this layer, whichever comes first.
        const own = yield* Effect.acquireRelease(Scope.fork(scope, ExecutionStrategy.sequential), Scope.close)
        yield* Scope.extend(mount(agent), own)
      })
    )
    const ownerOf = (sessionId: SessionId) => Effect.sync(() => Option.fromNullable(owners.get(sessionId)))
    const workspace = yield* WorkspaceRegistry
    yield* workspace.register(admission(sessions, ownerOf))

    return { owner: ownerOf }
  })
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** What runs in a Session that has no owner is what would run if it went live again, as it is in the log. */
const admission = (
  sessions: SessionController["Type"],
  ownerOf: (sessionId: SessionId) => Effect.Effect<Option.Option<SessionLocalOwner.SessionLocalOwner>>
): ActivityProvider => {
  const stored = (sessionId: SessionId) =>
    Effect.map(sessions.show(sessionId), ({ header, log }) =>
      header.delegationDepth > 0
        ? []
        : Either.match(foldScheduleEvents(log, header.seedLength), {
            // nothing of a log that does not fold ever comes
            onLeft: () => [],
            onRight: ({ active }) => active
          })
    )
  const stopStored = (sessionId: SessionId) =>
    Effect.flatMap(stored(sessionId), (active) =>
      Effect.forEach(
        active,
        ({ id }) => {
          const change: ScheduleChange = { version: 1, operation: "delete", id }
          return sessions.append(sessionId, eventType, change)
        },
        { discard: true }
      )
    )
  return {
    family: "session-local",
    activity: (sessionId) =>
      Effect.map(stored(sessionId), (active) =>
        active.map(({ id, prompt, title = prompt }) => ({ id, label: title.slice(0, maxTitleLength) }))
      ),
    stop: (sessionId) =>
      Effect.gen(function* () {
        const owner = yield* ownerOf(sessionId)
        if (Option.isNone(owner)) return yield* stopStored(sessionId)
        // behind a create whose write is on its way
        yield* Effect.catchTag(owner.value.clear, "AgentReleased", () => stopStored(sessionId))
      })
  }
}
