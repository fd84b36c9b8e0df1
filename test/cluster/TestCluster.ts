import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import {
  Context,
  Effect,
  Exit,
  Layer,
  Logger,
  LogLevel,
  Option,
  PubSub,
  Redacted,
  Scope,
  Stream,
  TestClock
} from "effect"
import * as AtMostOnce from "../../src/cluster/AtMostOnce.ts"
import { ChangeBus } from "../../src/cluster/ChangeBus.ts"
import * as ClusterHost from "../../src/cluster/ClusterHost.ts"
import { ClusterKey } from "../../src/cluster/ClusterKey.ts"
import * as Outstanding from "../../src/cluster/Outstanding.ts"
import * as ShardRuntime from "../../src/cluster/ShardRuntime.ts"
import { Shards } from "../../src/cluster/Shards.ts"
import { SessionClient } from "../../src/remote/SessionClient.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../src/runtime/ScheduleRuntime.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { SessionHeaders } from "../../src/runtime/SessionHeaders.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import { settle, World } from "../runtime/World.ts"
import { Leases } from "./Leases.ts"
import { Medium } from "./Medium.ts"
import { Network } from "./Network.ts"

const theKey = Redacted.make("key")

/** Hosts in one process that share a store, leases and the Sessions of a {@link World}. Time is the test's. */
export class TestCluster {
  readonly count = 8
  readonly medium = new Medium(this.count)
  readonly network = new Network()
  readonly leases = new Leases(6_000)
  readonly world: World
  private readonly changed: PubSub.PubSub<string>
  private started = 0

  private constructor(world: World, changed: PubSub.PubSub<string>) {
    this.world = world
    this.changed = changed
  }

  static readonly make = Effect.gen(function* () {
    const domain = yield* ScheduleDomain.make(new Medium(1).driver(0))
    return new TestCluster(new World(domain), yield* PubSub.unbounded<string>())
  })

  /** Starts a Host and waits until the shards are where they belong; the caller's scope stops it if `stop` was not called. */
  readonly start = Effect.fnUntraced(function* (this: TestCluster, options: { readonly key?: Redacted.Redacted } = {}) {
    const address = RunnerAddress.make("host", ++this.started)
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const context = yield* this.host(address, options).pipe(
      Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
      Layer.buildWithScope(scope)
    )
    const shards = Context.get(context, Shards)
    yield* this.pass(8)
    return {
      address,
      service: Context.get(context, ScheduleService),
      shards,
      owned: () => Array.from({ length: this.count }, (_, index) => index).filter((index) => shards.peek(index)),
      /** Stops it in order; the caller lets the time pass that this takes. */
      stop: Effect.zipLeft(Effect.fork(Scope.close(scope, Exit.void)), settle)
    }
  })

  /** Lets seconds pass, one by one, so that everything that was due comes to rest in between. */
  readonly pass = (seconds: number) => Effect.repeatN(TestClock.adjust("1 seconds"), seconds - 1)

  private host(address: RunnerAddress.RunnerAddress, options: { readonly key?: Redacted.Redacted }) {
    const config = ShardingConfig.layer({
      runnerAddress: Option.some(address),
      shardsPerGroup: this.count,
      shardLockExpiration: this.leases.lease,
      refreshAssignmentsInterval: 1_000,
      entityMessagePollInterval: 1_000
    })
    const { network } = this
    const sharding = Layer.scopedDiscard(
      Effect.gen(function* () {
        const sharding = yield* Sharding.Sharding
        yield* Effect.acquireRelease(
          Effect.sync(() => network.hosts.set(String(address), sharding)),
          () => Effect.sync(() => network.hosts.delete(String(address)))
        )
      })
    ).pipe(
      Layer.provideMerge(Sharding.layer),
      Layer.provide(AtMostOnce.runners(network.layer)),
      Layer.provide(MessageStorage.layerNoop)
    )
    const bus = Layer.succeed(ChangeBus, {
      announce: Effect.asVoid(PubSub.publish(this.changed, String(address))),
      others: Stream.fromPubSub(this.changed).pipe(
        Stream.filter((from) => from !== String(address)),
        Stream.map(() => undefined)
      )
    })
    return ClusterHost.layer({
      count: this.count,
      rows: this.medium.rows,
      sessions: {
        list: () => Effect.die("none"),
        show: () => Effect.die("none"),
        delegationDepth: () => Effect.die("none")
      },
      open: ShardRuntime.open((index) => this.shard(index))
    }).pipe(
      Layer.provide(bus),
      Layer.provideMerge(sharding),
      Layer.provideMerge(Layer.succeed(RunnerStorage.RunnerStorage, this.leases.storage(address))),
      Layer.provide(RunnerHealth.layerNoop),
      Layer.provideMerge(config),
      Layer.provide([Outstanding.layer, ScheduleConfig.layer(), Layer.succeed(ClusterKey, options.key ?? theKey)]),
      Layer.orDie
    )
  }

  private shard(index: number) {
    const handler = Layer.scopedDiscard(
      Effect.flatMap(AgentResolver.AgentResolver, ({ register }) => register(this.world.handler))
    )
    const sessions = Layer.succeed(SessionClient, {
      create: () => Effect.die("none"),
      list: () => Effect.die("none"),
      show: () => Effect.die("none"),
      delegationDepth: () => Effect.die("none"),
      rename: () => Effect.die("none"),
      archive: () => Effect.die("none"),
      unarchive: () => Effect.die("none")
    })
    return ScheduleRuntime.layer.pipe(
      Layer.provideMerge(ScheduleDomain.layer(this.medium.driver(index))),
      Layer.provide(Layer.provideMerge(handler, AgentResolver.layer)),
      Layer.provide([
        ScheduleConfig.layer({ deliveryRetry: ScheduleConfig.compositionRetry }),
        Layer.succeed(SessionHeaders, {
          delegationDepth: (sessionId) => Effect.sync(() => this.world.depths.get(sessionId) ?? 0)
        })
      ]),
      Layer.merge(sessions)
    )
  }
}
