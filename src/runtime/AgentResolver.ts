/**
 * Activation: from a Session's id to its live Agent, the `schedule/resolve-agent` handler.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { MessageId, SessionId } from "../domain/Identifiers.ts"

/**
 * The Session's Agent cannot take a message now: there is no handler, its handler failed, or the Agent refused. The tasks
 * stay and are tried again later; `message` says what to mend.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentUnavailable extends Schema.TaggedError<AgentUnavailable>("host-schedule/runtime/AgentUnavailable")(
  "AgentUnavailable",
  { message: Schema.String, cause: Schema.optional(Schema.Defect) }
) {}

/**
 * What a delivery puts into a Session's inbox. `keys` name the occurrences that the message carries.
 *
 * @since 0.1.0
 * @category models
 */
export interface FollowUp {
  readonly text: string
  readonly keys: ReadonlyArray<string>
}

/**
 * The durable acknowledgement of a Session.
 *
 * @since 0.1.0
 * @category models
 */
export interface SessionFlush {
  /** True once everything appended so far is on disk, as acknowledged by whoever persists the Session. */
  readonly flush: Effect.Effect<boolean, AgentUnavailable>
}

/**
 * A live Agent as delivery needs it. Whoever resolved it owns it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResolvedAgent extends SessionFlush {
  /** Appends one message to the inbox before it returns, and answers the message's id. */
  readonly followup: (message: FollowUp) => Effect.Effect<MessageId, AgentUnavailable>

  /**
   * Which of these occurrence keys the Session holds already, live or on disk, each with its message. A resolver without
   * it delivers at least once: a crash between flush and receipt repeats the message.
   */
  readonly heldKeys?: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, MessageId>, AgentUnavailable>
}

/**
 * Restores the Agent of a Session; the scope is closed when the delivery is done with it.
 *
 * @since 0.1.0
 * @category models
 */
export type Handler = (sessionId: SessionId) => Effect.Effect<ResolvedAgent, AgentUnavailable, Scope.Scope>

/**
 * The registry of handlers. A composition's own handler comes before the Session controller's, and of several of one rank
 * the latest registered answers.
 *
 * @since 0.1.0
 * @category services
 */
export class AgentResolver extends Context.Tag("host-schedule/runtime/AgentResolver")<
  AgentResolver,
  {
    /** Registers a composition's handler until the scope closes. */
    readonly register: (handler: Handler) => Effect.Effect<void, never, Scope.Scope>

    /** Registers the Session controller's handler, which answers while no composition has one. */
    readonly registerController: (handler: Handler) => Effect.Effect<void, never, Scope.Scope>

    /** Activates a Session. Fails as "no handler" while none is registered. */
    readonly resolve: Handler

    /** How many registrations there have been, now and after each: one more means overdue tasks deserve another try. */
    readonly registrations: Stream.Stream<number>
  }
>() {}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<AgentResolver> = Layer.effect(
  AgentResolver,
  Effect.gen(function* () {
    const registrations = yield* SubscriptionRef.make(0)
    const own: Array<Handler> = []
    const controllers: Array<Handler> = []

    const registerIn = (handlers: Array<Handler>) => (handler: Handler) => {
      // a box, so that a handler registered twice is withdrawn registration by registration
      const entry: Handler = (sessionId) => handler(sessionId)
      return Effect.acquireRelease(
        Effect.zipRight(
          Effect.sync(() => handlers.push(entry)),
          SubscriptionRef.update(registrations, (n) => n + 1)
        ),
        () => Effect.sync(() => handlers.splice(handlers.indexOf(entry), 1))
      )
    }

    return AgentResolver.of({
      register: registerIn(own),
      registerController: registerIn(controllers),
      resolve: (sessionId) => {
        const handler = own.at(-1) ?? controllers.at(-1)
        return handler === undefined
          ? Effect.fail(new AgentUnavailable({ message: "no handler for schedule/resolve-agent is registered" }))
          : handler(sessionId)
      },
      registrations: registrations.changes
    })
  })
)
