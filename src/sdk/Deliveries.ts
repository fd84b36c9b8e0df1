/**
 * Deliveries to the client of a connection, and their acknowledgements.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Schema from "effect/Schema"
import { MessageId, type SessionId } from "../domain/Identifiers.ts"
import { AgentUnavailable, type FollowUp, type Handler, type ResolvedAgent } from "../runtime/AgentResolver.ts"
import type { Peer } from "./Peer.ts"
import type { SdkFailure } from "./SdkFailure.ts"
import * as SdkProtocol from "./SdkProtocol.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Deliveries {
  /**
   * Activates every Session as soon as the client takes deliveries. Messages go to the client one after the other, each when
   * the one before was acknowledged, so that a refusal keeps none back that was acknowledged before it.
   */
  readonly handler: (options: { readonly flushTimeout: Duration.Duration; readonly alreadyHas: boolean }) => Handler

  /** Says that the client takes deliveries from now on. */
  readonly subscribe: Effect.Effect<void>

  readonly acknowledge: (
    acknowledgement: typeof SdkProtocol.Acknowledge.params.Type
  ) => Effect.Effect<typeof SdkProtocol.Acknowledge.result.Type>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (peer: Pick<Peer, "notify" | "request" | "gone">): Effect.Effect<Deliveries> =>
  Effect.map(Deferred.make<void>(), (subscribed) => {
    const waiting = new Map<string, Deferred.Deferred<void, AgentUnavailable>>()

    const deliver = (sessionId: SessionId, { keys, text }: FollowUp) =>
      Effect.suspend(() => {
        const deliveryId = randomUUID()
        const id = MessageId.make(randomUUID())
        const acknowledged = Deferred.unsafeMake<void, AgentUnavailable>(FiberId.none)
        waiting.set(deliveryId, acknowledged)
        const delivery: SdkProtocol.Delivery = { deliveryId, sessionId, message: { id, text, keys } }
        return Effect.mapError(peer.notify("sdk.delivery", { ...delivery }), unavailable).pipe(
          Effect.zipRight(Effect.raceFirst(Deferred.await(acknowledged), Effect.zipRight(peer.gone, clientGone))),
          Effect.as(id),
          Effect.ensuring(Effect.sync(() => waiting.delete(deliveryId)))
        )
      })

    const agent = (sessionId: SessionId, within: number, alreadyHas: boolean): ResolvedAgent => {
      let deadline: number | undefined
      const inTime = <A>(call: Effect.Effect<A, AgentUnavailable>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          deadline ??= now + within
          return Effect.timeoutFail(call, { duration: Math.max(0, deadline - now), onTimeout: () => tooLate })
        })
      return {
        followup: (message) => inTime(deliver(sessionId, message)),
        flush: Effect.sync(() => {
          deadline = undefined
          return true
        }),
        ...(alreadyHas && { heldKeys: (keys: ReadonlyArray<string>) => inTime(heldKeys(sessionId, keys)) })
      }
    }

    const heldKeys = (sessionId: SessionId, keys: ReadonlyArray<string>) =>
      peer.request("sdk.alreadyHas", { sessionId, keys }).pipe(
        Effect.mapError(unavailable),
        Effect.flatMap((answer) => Effect.mapError(decodeHeld(answer), () => noMap)),
        Effect.map(
          (held) => new Map(keys.flatMap((key) => (Object.hasOwn(held, key) ? [[key, held[key]!] as const] : [])))
        )
      )

    return {
      handler: ({ alreadyHas, flushTimeout }) => {
        // Somewhat less than the runtime waits, so that what was acknowledged in time is also counted in time.
        const within = Math.max(1, Math.floor(Duration.toMillis(flushTimeout) * 0.95))
        return (sessionId) => Effect.as(Deferred.await(subscribed), agent(sessionId, within, alreadyHas))
      },
      subscribe: Effect.asVoid(Deferred.succeed(subscribed, undefined)),
      acknowledge: ({ deliveryId, error, flushed }) =>
        Effect.sync(() => {
          const acknowledged = waiting.get(deliveryId)
          if (acknowledged === undefined) return { acknowledged: false, code: "delivery_not_waiting" }
          waiting.delete(deliveryId)
          Deferred.unsafeDone(acknowledged, flushed ? Effect.void : refused(error))
          return { acknowledged: true }
        })
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const decodeHeld = Schema.decodeUnknown(SdkProtocol.AlreadyHas.result)

const unavailable = ({ message }: SdkFailure) => new AgentUnavailable({ message: `the client: ${brief(message)}` })

const refused = (error: string | undefined) =>
  new AgentUnavailable({ message: `the client refused the message${error === undefined ? "" : `: ${brief(error)}`}` })

/** A client's words are for the log: one line, and not a long one. */
const brief = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 500)

const clientGone = new AgentUnavailable({ message: "the client has gone" })

const tooLate = new AgentUnavailable({ message: "the client did not acknowledge the message in time" })

const noMap = new AgentUnavailable({
  message: "the client answered sdk.alreadyHas with something else than ids by keys"
})
