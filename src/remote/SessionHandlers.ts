/**
 * The `sessions` namespace over the Session controller of this process.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SessionId as TaskSessionId } from "../domain/Identifiers.ts"
import { SessionController } from "../session/SessionController.ts"
import { SessionId } from "../session/SessionHeader.ts"
import * as Boundary from "./Boundary.ts"
import { SessionAdmission } from "./SessionAdmission.ts"
import { SessionClient } from "./SessionClient.ts"
import * as SessionRefused from "./SessionRefused.ts"
import { SessionRpcs } from "./SessionRpcs.ts"

/**
 * A client that calls the controller of this process.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<SessionClient, never, SessionController> = Layer.effect(
  SessionClient,
  Effect.suspend(() => make)
)

/**
 * What each method of {@link SessionRpcs} does: what the client that the composition provides does.
 *
 * @since 0.1.0
 * @category constructors
 */
export const methods = Effect.map(SessionClient, (namespace) =>
  SessionRpcs.of({
    "sessions.new": namespace.create,
    "sessions.list": namespace.list,
    "sessions.show": namespace.show,
    "sessions.delegationDepth": namespace.delegationDepth,
    "sessions.rename": namespace.rename,
    "sessions.archive": namespace.archive,
    "sessions.unarchive": namespace.unarchive
  })
)

/**
 * The handlers of {@link SessionRpcs}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = SessionRpcs.toLayer(methods)

/**
 * Admits the controller's Sessions that can be delivered to: those that exist and are not archived.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerAdmission: Layer.Layer<SessionAdmission, never, SessionController> = Layer.effect(
  SessionAdmission,
  Effect.map(
    SessionController,
    (controller) => (sessionId: TaskSessionId) =>
      Effect.gen(function* () {
        const id = yield* known(sessionId)
        const { archived } = yield* guard("schedule.create", controller.get(id))
        if (archived) {
          return yield* new SessionRefused.SessionRefused({
            code: "session_archived",
            message: `Session ${JSON.stringify(sessionId)} is archived; unarchive it first`
          })
        }
      })
  )
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const make = Effect.map(SessionController, (controller) =>
  SessionClient.of({
    create: ({ id, ...rest }) =>
      Effect.flatMap(id === undefined ? Effect.succeed(undefined) : valid(id), (id) =>
        guard("sessions.new", controller.create({ ...rest, id }))
      ),
    list: () =>
      Boundary.guard("sessions.list", controller.list).pipe(
        Effect.map(({ sessions, unreadable }) => ({
          sessions,
          unreadable: unreadable.map(({ message, path }) => ({ message, path }))
        }))
      ),
    show: ({ id, ...page }) => Effect.flatMap(known(id), (id) => guard("sessions.show", controller.show(id, page))),
    delegationDepth: ({ id }) =>
      Effect.flatMap(known(id), (id) => guard("sessions.delegationDepth", controller.delegationDepth(id))),
    rename: ({ id, title }) =>
      Effect.flatMap(known(id), (id) => guard("sessions.rename", controller.rename(id, title))),
    archive: ({ id, ...options }) =>
      Effect.flatMap(known(id), (id) => guard("sessions.archive", controller.archive(id, options))),
    unarchive: ({ id }) => Effect.flatMap(known(id), (id) => guard("sessions.unarchive", controller.unarchive(id)))
  })
)

const guard = <A, E>(method: string, call: Effect.Effect<A, E>) =>
  Boundary.guard(
    method,
    Effect.catchIf(call, SessionRefused.isRefusal<E>, (error) => Effect.fail(SessionRefused.fromController(error)))
  )

const decode = Schema.decodeUnknownOption(SessionId)

/** An id that no Session can have is that of a missing one. */
const known = (id: string) =>
  Effect.mapError(
    decode(id),
    () =>
      new SessionRefused.SessionRefused({
        code: "session_not_found",
        message: `there is no Session ${JSON.stringify(id)}`
      })
  )

const valid = (id: string) =>
  Effect.mapError(
    decode(id),
    () =>
      new SessionRefused.SessionRefused({
        code: "invalid_session",
        message: "a Session's id must be non-empty, without surrounding whitespace"
      })
  )
