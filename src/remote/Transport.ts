/**
 * What a remote call makes of a transport that fails.
 *
 * @since 0.1.0
 */
import type { RpcClientError } from "@effect/rpc/RpcClientError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as ScheduleUnavailable from "./ScheduleUnavailable.ts"

/**
 * A call whose transport failures, defects of the other side, and interruptions by the other side are
 * {@link ScheduleUnavailable.ScheduleUnavailable}. The caller's own interruption stays an interruption.
 *
 * @since 0.1.0
 * @category combinators
 */
export const contain = <A, E, R>(
  call: Effect.Effect<A, E | RpcClientError, R>
): Effect.Effect<A, E | ScheduleUnavailable.ScheduleUnavailable, R> =>
  Effect.catchAllCause(call, (cause) => Effect.zipRight(trace(cause), Effect.failCause(translate(cause))))

/**
 * {@link contain} for a stream; one that the other side ends without being asked has lost its Host.
 *
 * @since 0.1.0
 * @category combinators
 */
export const containStream = <A, E, R>(
  stream: Stream.Stream<A, E | RpcClientError, R>
): Stream.Stream<A, E | ScheduleUnavailable.ScheduleUnavailable, R> =>
  stream.pipe(
    Stream.catchAllCause((cause) =>
      Stream.zipRight(Stream.fromEffect(trace(cause)), Stream.failCause(translate(cause)))
    ),
    Stream.concat(Stream.fail(ScheduleUnavailable.make("host_unreachable")))
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const translate = <E>(
  cause: Cause.Cause<E | RpcClientError>
): Cause.Cause<E | ScheduleUnavailable.ScheduleUnavailable> => {
  for (const error of Cause.failures(cause)) {
    return Cause.fail(isTransport(error) ? fromTransport(error) : error)
  }
  return Cause.fail(ScheduleUnavailable.make(Cause.isInterrupted(cause) ? "host_stopping" : "internal_error"))
}

const isTransport = (error: unknown): error is RpcClientError => Predicate.isTagged(error, "RpcClientError")

const fromTransport = (error: RpcClientError): ScheduleUnavailable.ScheduleUnavailable =>
  ScheduleUnavailable.make(codes.get(statusOf(error.cause)) ?? "host_unreachable")

/** Statuses that refuse a call. */
const codes: ReadonlyMap<unknown, ScheduleUnavailable.UnavailableCode> = new Map([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [413, "too_large"]
])

/** Of the answer to a call, or to the upgrade that should open a WebSocket, which `ws` tells in a message alone. */
const statusOf = (cause: unknown): unknown => {
  const response = field(cause, "response")
  if (response !== undefined) return field(response, "status")
  const [, status] = /^Unexpected server response: (\d{3})$/.exec(String(field(field(cause, "cause"), "message"))) ?? []
  return Number(status)
}

const field = (of: unknown, name: string): unknown => (Predicate.hasProperty(of, name) ? of[name] : undefined)

const trace = (cause: Cause.Cause<unknown>) =>
  Effect.logDebug("remote call failed", cause).pipe(Effect.annotateLogs({ module: "ScheduleClient" }))
