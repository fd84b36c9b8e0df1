import * as EntityId from "@effect/cluster/EntityId"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import * as ShardNames from "../../src/cluster/ShardNames.ts"

describe("the names of shards", () => {
  for (const count of [1, 2, 3, 7, 32, 100, 1024, 4096]) {
    it.scoped(`lead each of ${count} shards to the lock of its number`, () =>
      Effect.gen(function* () {
        const sharding = Sharding.layer.pipe(
          Layer.provide([Runners.layerNoop, RunnerStorage.layerMemory, RunnerHealth.layerNoop]),
          Layer.provide(MessageStorage.layerNoop),
          Layer.provide(ShardingConfig.layer({ runnerAddress: Option.none(), shardsPerGroup: count }))
        )
        const cluster = Context.get(yield* Layer.build(sharding), Sharding.Sharding)
        const names = ShardNames.make(cluster, count)
        assert.strictEqual(new Set(names).size, count)
        for (const [index, name] of names.entries()) {
          assert.strictEqual(cluster.getShardId(EntityId.make(name), ShardNames.shardGroup).id, index + 1)
        }
      })
    )
  }
})
