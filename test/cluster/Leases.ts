import * as MachineId from "@effect/cluster/MachineId"
import type { Runner } from "@effect/cluster/Runner"
import type { RunnerAddress } from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import type { ShardId } from "@effect/cluster/ShardId"
import { Clock, Effect } from "effect"

/** What the Hosts of a test agree on: who is there, and who has which lock until when. */
export class Leases {
  readonly lease: number
  private readonly runners = new Map<string, { readonly runner: Runner; seen: number }>()
  private readonly locks = new Map<string, { readonly owner: string; until: number }>()
  /** Hosts that do not reach the leases just now. */
  readonly cut = new Set<string>()

  constructor(lease: number) {
    this.lease = lease
  }

  ownerOf(shard: ShardId): string | undefined {
    return this.locks.get(String(shard))?.owner
  }

  /** The leases as one Host sees them. */
  storage(self: RunnerAddress): RunnerStorage.RunnerStorage["Type"] {
    const reached = <A>(work: (now: number) => A): Effect.Effect<A> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        this.cut.has(String(self)) ? Effect.never : Effect.sync(() => work(now))
      )
    const hold = (owner: string, ids: Iterable<ShardId>, take: boolean) => (now: number) => {
      const known = this.runners.get(owner)
      if (known !== undefined) known.seen = now
      return Array.from(ids).filter((id) => {
        const lock = this.locks.get(String(id))
        const free = lock === undefined || lock.until <= now
        if (lock?.owner !== owner && !(take && free)) return false
        this.locks.set(String(id), { owner, until: now + this.lease })
        return true
      })
    }
    return RunnerStorage.RunnerStorage.of({
      register: (runner) =>
        reached((now) => {
          this.runners.set(String(runner.address), { runner, seen: now })
          return MachineId.make(this.runners.size)
        }),
      unregister: (address) => reached(() => void this.runners.delete(String(address))),
      getRunners: reached((now) =>
        Array.from(this.runners.values())
          .filter(({ seen }) => seen + this.lease > now)
          .map(({ runner }) => [runner, true] as const)
      ),
      setRunnerHealth: () => Effect.void,
      acquire: (address, ids) => reached(hold(String(address), ids, true)),
      refresh: (address, ids) => reached(hold(String(address), ids, false)),
      release: (address, id) =>
        reached(() => {
          if (this.ownerOf(id) === String(address)) this.locks.delete(String(id))
        }),
      releaseAll: (address) =>
        reached(() => {
          for (const [id, { owner }] of this.locks) if (owner === String(address)) this.locks.delete(id)
        })
    })
  }
}
