/**
 * How the Hosts of a cluster find each other and talk: leases in the database, sockets between them.
 *
 * @since 0.1.0
 */
import { PersistenceError } from "@effect/cluster/ClusterError"
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
import * as RpcServer from "@effect/rpc/RpcServer"
import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as TimeLimit from "../concurrency/TimeLimit.ts"
import * as RpcLines from "../remote/RpcLines.ts"
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
 * Another Host that is alive has the same address in the cluster. Give each its own.
 *
 * @since 0.1.0
 * @category errors
 */
export class AddressTaken extends Schema.TaggedError<AddressTaken>("host-schedule/cluster/AddressTaken")(
  "AddressTaken",
  {
    address: Schema.String
  }
) {
  override get message() {
    return `another Host is at ${this.address}; give each one an address of its own with --cluster-host and --cluster-port`
  }
}

/**
 * The default of {@link Options.lease}.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultLease = Duration.seconds(5)

/**
 * Hosts that start at once on an empty database are in each other's way when they make the tables, and try again.
 *
 * @since 0.1.0
 * @category constants
 */
export const together = Schedule.intersect(Schedule.spaced("200 millis"), Schedule.recurs(10))

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
  SocketServerError | SqlError | AddressTaken,
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
    refreshAssignmentsInterval: look,
    entityMessagePollInterval: Duration.seconds(1),
    entityTerminationTimeout: Duration.seconds(10),
    simulateRemoteSerialization: false
  })
  return Layer.merge(joined(address), left(address)).pipe(
    Layer.provideMerge(RunnerServer.layer),
    Layer.provideMerge(Sharding.layer),
    Layer.provide(AtMostOnce.runners(Runners.layerRpc)),
    Layer.provide(RpcServer.layerProtocolSocketServer),
    Layer.provide(NodeClusterSocket.layerSocketServer),
    Layer.provide(AtMostOnce.watched(NodeClusterSocket.layerClientProtocol)),
    // MsgPack would carry neither every text nor every key of what callers send
    Layer.provide(RpcLines.layerPeer),
    Layer.provide(MessageStorage.layerNoop),
    // who does not renew its leases is gone
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provideMerge(storage(address, lease)),
    Layer.provideMerge(config)
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** The storage of the cluster, and whether this Host is leaving: then it takes no shard any more. */
class Leaving extends Context.Tag("host-schedule/cluster/ClusterSocket/Leaving")<Leaving, { now: boolean }>() {}

const storage = (address: RunnerAddress.RunnerAddress, lease: Duration.Duration) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const storage = yield* RunnerStorage.RunnerStorage
      yield* alone(address, lease)
      const leaving = { now: false }
      // they share a connection, which does one thing after the other
      const turn = (yield* Effect.makeSemaphore(1)).withPermits(1)
      return Context.make(Leaving, leaving).pipe(
        Context.add(RunnerStorage.RunnerStorage, {
          ...storage,
          acquire: (address, shards) => (leaving.now ? Effect.succeed([]) : turn(storage.acquire(address, shards))),
          refresh: (address, shards) => turn(storage.refresh(address, shards)),
          release: (address, shard) => turn(storage.release(address, shard)),
          releaseAll: (address) => turn(storage.releaseAll(address)),
          // who leaves does not wait for a database that does not answer
          unregister: (address) => inTime(storage.unregister(address))
        })
      )
    })
  ).pipe(Layer.provide(Layer.retry(SqlRunnerStorage.layer, together)))

/**
 * Leases go by the address. One that was left behind by a process that was killed grows old; one that is renewed is another
 * Host's.
 */
const alone = Effect.fnUntraced(function* (address: RunnerAddress.RunnerAddress, lease: Duration.Duration) {
  const sql = yield* SqlClient
  const seconds = Duration.toSeconds(lease)
  const name = `${address.host}:${address.port}`
  const look = sql<{ readonly seen: string }>`SELECT last_heartbeat::text AS seen FROM cluster_runners
    WHERE address = ${name} AND last_heartbeat > now() - make_interval(secs => ${seconds})`
  const [first] = yield* look
  if (first === undefined) return
  yield* Effect.sleep(Duration.sum(Duration.millis((seconds * 1000) / 3), Duration.millis(500)))
  const [second] = yield* look
  if (second !== undefined && second.seen !== first.seen) return yield* new AddressTaken({ address: name })
})

/**
 * Gives the leases away at once when the Host leaves, and answers the others for as long as they may believe that its shards are
 * here: so their calls are told to look elsewhere, and none is cut.
 */
const left = (address: RunnerAddress.RunnerAddress) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const leaving = yield* Leaving
      const storage = yield* RunnerStorage.RunnerStorage
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => {
          leaving.now = true
          return storage.releaseAll(address)
        }).pipe(
          Effect.zipRight(storage.getRunners),
          inTime,
          Effect.catchAll((error) => Effect.as(Effect.logDebug("The leases run out by themselves.", error), [])),
          Effect.flatMap((others) =>
            others.length === 0 ? Effect.void : Effect.sleep(Duration.sum(look, "200 millis"))
          )
        )
      )
    })
  )

const inTime = TimeLimit.within({
  duration: "2 seconds",
  onTimeout: () => new PersistenceError({ cause: new Error("the database does not answer") })
})

/** Between two looks at who is there. */
const look = Duration.seconds(1)

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
