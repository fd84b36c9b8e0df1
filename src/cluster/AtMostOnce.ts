/**
 * Messages between the Hosts of a cluster, none of them sent twice.
 *
 * @since 0.1.0
 */
import { RunnerUnavailable } from "@effect/cluster/ClusterError"
import * as Reply from "@effect/cluster/Reply"
import type { RunnerAddress } from "@effect/cluster/RunnerAddress"
import * as Runners from "@effect/cluster/Runners"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import { type Call, Outstanding } from "./Outstanding.ts"

/**
 * By itself the cluster sends a message again when the connection broke, even if the owner may have done what it says: a
 * reminder would be created twice. Here such a call dies with {@link OwnerLost}, unless it certainly was not sent; then the
 * cluster goes on looking for the owner.
 *
 * @since 0.1.0
 * @category layers
 */
export const runners = <E, R>(
  inner: Layer.Layer<Runners.Runners, E, R>
): Layer.Layer<Runners.Runners, E, R | Outstanding> =>
  Layer.effect(
    Runners.Runners,
    Effect.gen(function* () {
      const runners = yield* Runners.Runners
      const outstanding = yield* Outstanding
      // Who calls a Host that is frozen learns that it is gone when the cluster does.
      const gone = new Map<string, Deferred.Deferred<never, RunnerUnavailable>>()
      const goneOf = (address: RunnerAddress) => {
        const known = gone.get(String(address)) ?? Deferred.unsafeMake<never, RunnerUnavailable>(FiberId.none)
        gone.set(String(address), known)
        return known
      }
      return Runners.Runners.of({
        ...runners,
        // One that left in order answers for a moment what it had been asked.
        onRunnerUnavailable: (address) =>
          Effect.suspend(() => {
            const known = goneOf(address)
            gone.delete(String(address))
            return Effect.sleep(grace).pipe(
              Effect.zipRight(Deferred.fail(known, new RunnerUnavailable({ address }))),
              Effect.zipRight(runners.onRunnerUnavailable(address))
            )
          }),
        send: (options) => {
          const { message } = options
          if (message._tag !== "OutgoingRequest") return runners.send(options)
          const { payload, requestId } = message.envelope
          const call =
            Predicate.hasProperty(payload, "call") && Predicate.isString(payload.call)
              ? outstanding.find(payload.call)
              : undefined
          return runners.send(options).pipe(
            Effect.locally(sending, call),
            // it arrived where nobody would do it
            Effect.tapErrorTag("EntityNotAssignedToRunner", () => Effect.locally(note(false), sending, call)),
            Effect.disconnect,
            Effect.raceFirst(Deferred.await(goneOf(options.address))),
            Effect.catchTag("RunnerUnavailable", (error) =>
              call?.sent === false
                ? Effect.fail(error)
                : message.respond(new Reply.WithExit({ id: requestId, requestId, exit: Exit.die(new OwnerLost()) }))
            )
          )
        }
      })
    })
  ).pipe(Layer.provide(inner))

/**
 * Notes that the call on whose behalf this fiber works may have reached its owner, or certainly has not.
 *
 * @since 0.1.0
 * @category combinators
 */
export const note = (sent: boolean): Effect.Effect<void> =>
  Effect.map(FiberRef.get(sending), (call) => {
    if (call !== undefined) call.sent = sent
  })

/**
 * The connections to other Hosts, watched for what is written to them.
 *
 * @since 0.1.0
 * @category layers
 */
export const watched = <E, R>(
  connections: Layer.Layer<Runners.RpcClientProtocol, E, R>
): Layer.Layer<Runners.RpcClientProtocol, E, R> =>
  Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(
      Runners.RpcClientProtocol,
      (connect): Runners.RpcClientProtocol["Type"] =>
        (address) =>
          Effect.map(connect(address), (protocol) => ({
            ...protocol,
            // a connection that is down refuses at once, and writes nothing
            send: (request, transferables) =>
              Effect.zipRight(
                note(true),
                Effect.tapError(protocol.send(request, transferables), () => note(false))
              )
          }))
    )
  ).pipe(Layer.provide(connections))

/**
 * The connection to the owner broke while it had the call.
 *
 * @since 0.1.0
 * @category errors
 */
export class OwnerLost extends Error {
  override readonly message = "the connection to the owner of the shard was lost"
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const grace = Duration.seconds(1)

/** The call on whose behalf a fiber writes. */
const sending = globalValue("host-schedule/cluster/AtMostOnce/sending", () =>
  FiberRef.unsafeMake<Call | undefined>(undefined)
)
