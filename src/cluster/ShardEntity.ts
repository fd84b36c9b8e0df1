/**
 * The cluster entity of a shard: the calls that its owner answers for all Hosts.
 *
 * @since 0.1.0
 */
import * as Entity from "@effect/cluster/Entity"
import * as Sharding from "@effect/cluster/Sharding"
import * as Singleton from "@effect/cluster/Singleton"
import * as Rpc from "@effect/rpc/Rpc"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ScheduleInputError } from "../domain/ScheduleInputError.ts"
import * as ScheduleRpcs from "../remote/ScheduleRpcs.ts"
import { ScheduleUnavailable } from "../remote/ScheduleUnavailable.ts"
import { SessionRefused } from "../remote/SessionRefused.ts"
import * as SessionRpcs from "../remote/SessionRpcs.ts"
import { OwnerError, OwnerUnavailable } from "../runtime/OwnerError.ts"
import { ServiceStopping } from "../runtime/ServiceStopping.ts"
import { SessionUnreadable } from "../runtime/SessionHeaders.ts"
import { StorageError } from "../storage/StorageError.ts"
import * as ClusterKey from "./ClusterKey.ts"
import * as Outstanding from "./Outstanding.ts"
import * as ShardNames from "./ShardNames.ts"
import { type OpenShard, Shards } from "./Shards.ts"

const failure = Schema.Union(StorageError, ServiceStopping, OwnerError)
const sessionFailure = Schema.Union(SessionRefused, ScheduleUnavailable, OwnerError)

const call = {
  /** Names the call, so that its caller can tell whether it arrived. */
  call: Schema.String,
  /** Shows that the caller is a Host of the cluster. */
  key: Schema.String
}

/**
 * What changes reminders or Sessions, with the payloads and answers of the Remote namespaces and the failures of the service.
 * None is sent twice by itself: see {@link AtMostOnce}.
 *
 * @since 0.1.0
 * @category entities
 */
export const ShardEntity = Entity.make("ScheduleShard", [
  Rpc.make("create", {
    payload: { ...call, request: ScheduleRpcs.Create.payloadSchema },
    success: ScheduleRpcs.Create.successSchema,
    error: Schema.Union(ScheduleInputError, SessionUnreadable, failure)
  }),
  Rpc.make("update", {
    payload: { ...call, request: ScheduleRpcs.Update.payloadSchema },
    success: ScheduleRpcs.UpdateAnswer,
    error: Schema.Union(SessionUnreadable, failure)
  }),
  Rpc.make("delete", {
    payload: { ...call, request: ScheduleRpcs.Delete.payloadSchema },
    success: ScheduleRpcs.DeleteAnswer,
    error: failure
  }),
  Rpc.make("deleteInactive", { payload: call, success: Schema.Number, error: failure }),
  Rpc.make("newSession", {
    payload: { ...call, request: SessionRpcs.New.payloadSchema },
    success: SessionRpcs.SessionSummary,
    error: sessionFailure
  }),
  Rpc.make("renameSession", {
    payload: { ...call, request: SessionRpcs.Rename.payloadSchema },
    success: SessionRpcs.SessionSummary,
    error: sessionFailure
  }),
  Rpc.make("archiveSession", {
    payload: { ...call, request: SessionRpcs.Archive.payloadSchema },
    success: SessionRpcs.SessionSummary,
    error: sessionFailure
  }),
  Rpc.make("unarchiveSession", {
    payload: { ...call, request: SessionRpcs.Unarchive.payloadSchema },
    success: SessionRpcs.SessionSummary,
    error: sessionFailure
  }),
  Rpc.make("hold")
])

/**
 * What every call shows at its owner.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ticket {
  readonly call: string
  readonly key: string
}

/**
 * @since 0.1.0
 * @category models
 */
export type Client = ReturnType<Effect.Effect.Success<typeof ShardEntity.client>>

/**
 * Answers the calls, and has each shard open on the Host that the cluster gives it to. A shard is given away after it was
 * drained, unless that takes longer than `drain`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  /** Default 10 seconds. */
  readonly drain?: Duration.DurationInput | undefined
}): Layer.Layer<never, never, Shards | Sharding.Sharding | Outstanding.Outstanding | ClusterKey.ClusterKey> =>
  Layer.provideMerge(singletons, handlers(options.drain ?? "10 seconds"))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const handlers = (drain: Duration.DurationInput) =>
  ShardEntity.toLayer(
    Effect.gen(function* () {
      const shards = yield* Shards
      const outstanding = yield* Outstanding.Outstanding
      const key = yield* ClusterKey.ClusterKey
      const names = ShardNames.make(yield* Sharding.Sharding, shards.count)
      const index = names.indexOf((yield* Entity.CurrentAddress).entityId)
      // The lock of the shard is released after this: whoever gets it next finds nobody who still works on it.
      yield* Effect.addFinalizer(() => shards.closed(index).pipe(Effect.interruptible, Effect.timeoutOption(drain)))

      const answer = <A, E>(
        { call, key: presented }: Ticket,
        work: (shard: OpenShard) => Effect.Effect<A, E>
      ): Effect.Effect<A, E | OwnerUnavailable> => {
        if (!ClusterKey.equals(presented, key)) return new OwnerUnavailable({ message: "the caller is no Host" })
        outstanding.arrived(call)
        return Effect.flatMap(shards.use(index), work)
      }
      return ShardEntity.of({
        create: ({ payload }) =>
          answer(payload, ({ schedule }) => schedule.create(payload.request.sessionId, payload.request.request)),
        update: ({ payload }) =>
          answer(payload, ({ schedule }) => schedule.update({ expected: undefined, ...payload.request })),
        delete: ({ payload }) => answer(payload, ({ schedule }) => schedule.delete(payload.request)),
        deleteInactive: ({ payload }) => answer(payload, ({ schedule }) => schedule.deleteInactive()),
        newSession: ({ payload }) => answer(payload, ({ sessions }) => sessions.create(payload.request)),
        renameSession: ({ payload }) => answer(payload, ({ sessions }) => sessions.rename(payload.request)),
        archiveSession: ({ payload }) => answer(payload, ({ sessions }) => sessions.archive(payload.request)),
        unarchiveSession: ({ payload }) => answer(payload, ({ sessions }) => sessions.unarchive(payload.request)),
        hold: () => Effect.void
      })
    }),
    {
      concurrency: "unbounded",
      // a defect is its caller's answer; nobody else's call is run again because of it
      disableFatalDefects: true,
      maxIdleTime: Duration.infinity
    }
  )

/** The entity is woken with its shard, so that there is one to wait for when the shard is given away. */
const singletons = Layer.unwrapEffect(
  Effect.gen(function* () {
    const shards = yield* Shards
    const names = ShardNames.make(yield* Sharding.Sharding, shards.count)
    const client = yield* ShardEntity.client
    return names
      .map((name, index) =>
        Singleton.make(
          name,
          Effect.zipRight(
            shards.want(index),
            client(name).hold().pipe(Effect.timeout("5 seconds"), Effect.ignoreLogged, Effect.forkScoped, Effect.asVoid)
          )
        )
      )
      .reduce((left, right) => Layer.merge(left, right))
  })
)
