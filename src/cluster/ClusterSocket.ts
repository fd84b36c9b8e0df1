/**
 * How the Hosts of a cluster find each other and talk: leases in the database, sockets between them.
 *
 * @since 0.1.0
 */
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as RunnerServer from "@effect/cluster/RunnerServer"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import type { SocketServerError } from "@effect/platform/SocketServer"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as AtMostOnce from "./AtMostOnce.ts"
import type { Outstanding } from "./Outstanding.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Where the other Hosts reach this one; no two have the same. */
  readonly host: string
  readonly port: number
  readonly shards: number
  /**
   * How long a Host that says nothing keeps its shards, in whole seconds. It renews its leases three times as often. Default 5
   * seconds.
   */
  readonly lease?: Duration.DurationInput | undefined
}

/**
 * The default of {@link Options.lease}.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultLease = Duration.seconds(5)

/**
 * A Host that has joined the cluster when the layer is built: the others will find it at its next look. Leases, not locks of
 * the server, decide who has a shard: a process that is paused keeps its connections, and would keep such a lock for ever.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<
  Sharding.Sharding | RunnerStorage.RunnerStorage | ShardingConfig.ShardingConfig,
  SocketServerError | SqlError,
  SqlClient | Outstanding
> => {
  const lease = Duration.decode(options.lease ?? defaultLease)
  const address = RunnerAddress.make(options.host, options.port)
  const config = ShardingConfig.layer({
    runnerAddress: Option.some(address),
    shardsPerGroup: options.shards,
    shardLockDisableAdvisory: true,
    shardLockExpiration: lease,
    shardLockRefreshInterval: Duration.millis(Math.floor(Duration.toMillis(lease) / 3)),
    refreshAssignmentsInterval: Duration.seconds(1),
    entityMessagePollInterval: Duration.seconds(1),
    entityTerminationTimeout: Duration.seconds(10),
    simulateRemoteSerialization: false
  })
  return joined(address).pipe(
    Layer.provideMerge(RunnerServer.layer),
    Layer.provideMerge(Sharding.layer),
    Layer.provide(AtMostOnce.runners(Runners.layerRpc)),
    Layer.provide(RpcServer.layerProtocolSocketServer),
    Layer.provide(NodeClusterSocket.layerSocketServer),
    Layer.provide(AtMostOnce.watched(NodeClusterSocket.layerClientProtocol)),
    Layer.provide(RpcSerialization.layerMsgPack),
    Layer.provide(MessageStorage.layerNoop),
    // who does not renew its leases is gone
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provideMerge(SqlRunnerStorage.layer),
    Layer.provideMerge(config)
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const joined = (address: RunnerAddress.RunnerAddress) =>
  Layer.effectDiscard(
    Effect.flatMap(RunnerStorage.RunnerStorage, ({ getRunners }) =>
      getRunners.pipe(
        Effect.map((runners) => runners.some(([runner]) => runner.address.toString() === address.toString())),
        Effect.orElseSucceed(() => false),
        Effect.repeat({ until: (found) => found, schedule: Schedule.spaced("100 millis") })
      )
    )
  )
