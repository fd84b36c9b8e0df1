/**
 * The names under which the shards of the schedule are known to the cluster.
 *
 * @since 0.1.0
 */
import * as EntityId from "@effect/cluster/EntityId"
import type { Sharding } from "@effect/cluster/Sharding"

/**
 * One name for each shard, which the cluster's own hash maps to the lock of the same number. So each shard has a lock to
 * itself, the locks are spread evenly, and what is registered under a name runs where the shard is owned. All Hosts come to
 * the same names.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (sharding: Pick<Sharding["Type"], "getShardId">, count: number): ReadonlyArray<string> => {
  const names = new Map<number, string>()
  for (let i = 0; names.size < count; i++) {
    const name = `shard-${i}`
    const lock = sharding.getShardId(EntityId.make(name), shardGroup).id - 1
    if (!names.has(lock)) names.set(lock, name)
  }
  return Array.from({ length: count }, (_, index) => names.get(index)!)
}

/**
 * @since 0.1.0
 * @category constants
 */
export const shardGroup = "default"
