/**
 * What a Host of a cluster is made of, above whatever connects it to the others.
 *
 * @since 0.1.0
 */
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as ShardId from "@effect/cluster/ShardId"
import type * as Sharding from "@effect/cluster/Sharding"
import { ShardingConfig } from "@effect/cluster/ShardingConfig"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SessionClient } from "../remote/SessionClient.ts"
import type * as Reading from "../runtime/Reading.ts"
import type { ScheduleConfig } from "../runtime/ScheduleConfig.ts"
import type { ScheduleService } from "../runtime/ScheduleService.ts"
import type { ChangeBus } from "./ChangeBus.ts"
import type { ClusterKey } from "./ClusterKey.ts"
import * as ClusterSchedule from "./ClusterSchedule.ts"
import * as ClusterSessions from "./ClusterSessions.ts"
import type { Outstanding } from "./Outstanding.ts"
import * as Owners from "./Owners.ts"
import * as ShardEntity from "./ShardEntity.ts"
import * as ShardNames from "./ShardNames.ts"
import * as Shards from "./Shards.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How many shards there are, on every Host and in the store alike. */
  readonly count: number
  readonly open: Shards.Open
  /** Committed rows of all shards. */
  readonly rows: Reading.Rows
  /** Sessions as they are on disk. */
  readonly sessions: ClusterSessions.Reads
  /** Bounds a call to another Host, the wait for an owner included. Default 10 seconds. */
  readonly callTimeout?: Duration.DurationInput | undefined
  /** How long a shard that is handed over may take to finish its work. Default 10 seconds. */
  readonly drain?: Duration.DurationInput | undefined
}

/**
 * Both namespaces, on every Host the same. It closes in the order: shards are given up and drained, then their locks are
 * released for others.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({
  callTimeout,
  count,
  drain,
  open,
  rows,
  sessions
}: Options): Layer.Layer<
  ScheduleService | SessionClient | Shards.Shards,
  never,
  | Sharding.Sharding
  | ShardingConfig
  | RunnerStorage.RunnerStorage
  | Outstanding
  | ClusterKey
  | ChangeBus
  | ScheduleConfig
> =>
  Layer.mergeAll(ShardEntity.layer({ drain }), ClusterSchedule.layer(rows), ClusterSessions.layer(sessions)).pipe(
    Layer.provide(Owners.layer({ timeout: callTimeout })),
    Layer.provideMerge(Layer.unwrapEffect(Effect.map(isOurs, (isOurs) => Shards.layer({ count, open, isOurs }))))
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Asks the locks of the cluster, because what this process remembers of them is old after it was paused. */
const isOurs = Effect.gen(function* () {
  const storage = yield* RunnerStorage.RunnerStorage
  const { runnerAddress } = yield* ShardingConfig
  return (index: number) =>
    Option.match(runnerAddress, {
      onNone: () => Effect.succeed(false),
      onSome: (address) =>
        storage.refresh(address, [ShardId.make(ShardNames.shardGroup, index + 1)]).pipe(
          Effect.map((held) => held.length > 0),
          Effect.catchAll((error) => Effect.as(Effect.logDebug("The locks cannot be read.", error), false))
        )
    })
})
