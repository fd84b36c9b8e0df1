/**
 * Calls to whoever owns a shard.
 *
 * @since 0.1.0
 */
import type { AlreadyProcessingMessage, MailboxFull, PersistenceError } from "@effect/cluster/ClusterError"
import * as Sharding from "@effect/cluster/Sharding"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { OutcomeUnknown, type OwnerError, OwnerUnavailable } from "../runtime/OwnerError.ts"
import { ClusterKey } from "./ClusterKey.ts"
import * as Metrics from "./Metrics.ts"
import { type Call, Outstanding } from "./Outstanding.ts"
import { type Client, ShardEntity, type Ticket } from "./ShardEntity.ts"
import * as ShardNames from "./ShardNames.ts"
import { type OpenShard, Shards } from "./Shards.ts"

/**
 * A call as it is made here and as it is made elsewhere.
 *
 * @since 0.1.0
 * @category models
 */
export interface Work<A, E> {
  readonly here: (shard: OpenShard) => Effect.Effect<A, E>
  readonly there: (client: Client, ticket: Ticket) => Effect.Effect<A, E | Lost>
}

/**
 * @since 0.1.0
 * @category services
 */
export class Owners extends Context.Tag("host-schedule/cluster/Owners")<
  Owners,
  {
    /**
     * Has the owner of a shard do the work, once at most: on this Host at once, on another one within the time of a call. What
     * certainly was not done is tried again until then, so that a shard that changes hands is waited for.
     */
    readonly call: <A, E>(index: number, work: Work<A, E>) => Effect.Effect<A, E | OwnerError>
  }
>() {}

/**
 * `timeout` bounds a call that is not this Host's own, the wait for an owner included. Default 10 seconds.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  readonly timeout?: Duration.DurationInput | undefined
}): Layer.Layer<Owners, never, Shards | Sharding.Sharding | Outstanding | ClusterKey> =>
  Layer.effect(
    Owners,
    Effect.gen(function* () {
      const shards = yield* Shards
      const outstanding = yield* Outstanding
      const names = ShardNames.make(yield* Sharding.Sharding, shards.count)
      const client = yield* ShardEntity.client
      const key = Redacted.value(yield* ClusterKey)
      const timeout = Duration.toMillis(options.timeout ?? "10 seconds")

      const elsewhere = <A, E>(index: number, work: Work<A, E>, left: number): Effect.Effect<A, E | OwnerError> =>
        outstanding.run((call) =>
          work.there(client(names[index]!), { call: call.name, key }).pipe(
            Effect.disconnect,
            Effect.timeoutOption(left),
            Effect.catchAllCause((cause) => Effect.failCause(translate(cause, call))),
            Effect.flatMap(Option.match({ onNone: () => Effect.fail(unanswered(call)), onSome: Effect.succeed })),
            Effect.tapBoth({
              onSuccess: () => Metric.increment(Metrics.calls("answered")),
              onFailure: (error) => Metric.increment(Metrics.calls(outcomeOf(error)))
            })
          )
        )

      return Owners.of({
        call: <A, E>(index: number, work: Work<A, E>) =>
          Effect.flatMap(Clock.currentTimeMillis, (start) => {
            const attempt: Effect.Effect<A, E | OwnerError> = Effect.gen(function* () {
              const left = timeout - ((yield* Clock.currentTimeMillis) - start)
              const shard = shards.peek(index)
              const answer = shard === undefined ? elsewhere(index, work, left) : work.here(shard)
              return yield* Effect.catchAll(answer, (error: E | OwnerError): Effect.Effect<A, E | OwnerError> => {
                if (!isUndone(error)) return Effect.fail(error)
                return left > pause
                  ? Effect.zipRight(Effect.sleep(pause), attempt)
                  : new OwnerUnavailable({ message: `nobody serves shard ${index}` })
              })
            })
            return attempt
          })
      })
    })
  )

/**
 * Errors of the cluster itself, which callers do not get to see.
 *
 * @since 0.1.0
 * @category models
 */
export type Lost = AlreadyProcessingMessage | MailboxFull | PersistenceError

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Between two tries of what was not done. */
const pause = 100

/** What certainly changed nothing, and what a shard that is handed over or opened again ends. */
const undone = new Set([
  "OwnerUnavailable",
  "ServiceStopping",
  "StorageOwnershipLost",
  "StorageQuarantined",
  "DomainClosed"
])

const isUndone = (error: unknown): boolean =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && undone.has(error._tag)

const unanswered = ({ sent }: Call): OwnerError =>
  sent
    ? new OutcomeUnknown({ message: "the owner of the shard did not answer" })
    : new OwnerUnavailable({ message: "the owner of the shard was not reached" })

/** Defects and interruptions come from the other side, or from a connection that broke. */
const translate = <E>(cause: Cause.Cause<E | Lost>, call: Call): Cause.Cause<E | OwnerError> => {
  for (const error of Cause.failures(cause)) {
    if (!isLost(error)) return Cause.fail(error)
    const refused = error._tag === "MailboxFull"
    return Cause.fail(refused ? new OwnerUnavailable({ message: "the owner has too many calls" }) : unanswered(call))
  }
  return Cause.fail(unanswered(call))
}

const isLost = <E>(error: E | Lost): error is Lost =>
  Predicate.isTagged(error, "MailboxFull") ||
  Predicate.isTagged(error, "AlreadyProcessingMessage") ||
  Predicate.isTagged(error, "PersistenceError")

const outcomeOf = (error: unknown) =>
  Predicate.isTagged(error, "OutcomeUnknown") ? "unknown" : isUndone(error) ? "unavailable" : "answered"
