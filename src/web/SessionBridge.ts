/**
 * What the schedule runtime needs of Sessions, from the Session controller.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MessageId, type SessionId } from "../domain/Identifiers.ts"
import { AgentResolver, AgentUnavailable, type ResolvedAgent } from "../runtime/AgentResolver.ts"
import { ArchiveRegistry } from "../runtime/ArchiveRegistry.ts"
import { ScheduleService } from "../runtime/ScheduleService.ts"
import { SessionHeaders, SessionUnreadable } from "../runtime/SessionHeaders.ts"
import type { Agent } from "../session/Agent.ts"
import { SessionController } from "../session/SessionController.ts"
import { WorkspaceRegistry } from "../session/WorkspaceRegistry.ts"

/**
 * Lets the controller answer `schedule/resolve-agent` while no composition has a handler of its own.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerResolver: Layer.Layer<never, never, AgentResolver | SessionController> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const controller = yield* SessionController
    const resolver = yield* AgentResolver
    yield* resolver.registerController((sessionId) =>
      controller.resolveAgent(sessionId).pipe(Effect.mapBoth({ onFailure: unavailable, onSuccess: resolved }))
    )
  })
)

/**
 * Delegation depths from the controller. An unknown Session counts as top-level: whether it may be named at all is decided
 * where calls come in.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHeaders: Layer.Layer<SessionHeaders, never, SessionController> = Layer.effect(
  SessionHeaders,
  Effect.map(SessionController, (controller) =>
    SessionHeaders.of({
      delegationDepth: (sessionId: SessionId) =>
        controller.delegationDepth(sessionId).pipe(
          Effect.catchTag("SessionNotFound", () => Effect.succeed(0)),
          Effect.mapError(({ message }) => new SessionUnreadable({ message }))
        )
    })
  )
)

/**
 * Refuses to archive a Session while it has active reminders, and deletes them when told to stop.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerArchiveAdmission: Layer.Layer<never, never, ScheduleService | WorkspaceRegistry> =
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const service = yield* ScheduleService
      yield* Effect.provideServiceEffect(service.archiveAdmission, ArchiveRegistry, WorkspaceRegistry)
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const unavailable = (cause: Error) => new AgentUnavailable({ message: cause.message, cause })

const resolved = (agent: Agent): ResolvedAgent => ({
  followup: ({ keys, text }) =>
    agent
      .followup({ text, keys, source: "schedule" })
      .pipe(Effect.mapBoth({ onFailure: unavailable, onSuccess: (id) => MessageId.make(id) })),
  flush: agent.flush,
  heldKeys: (keys) =>
    Effect.sync(
      () => new Map(Array.from(agent.heldKeys(keys), ([key, { messageId }]) => [key, MessageId.make(messageId)]))
    )
})
