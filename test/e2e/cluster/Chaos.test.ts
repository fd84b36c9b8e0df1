import { Chunk, Effect, ManagedRuntime, Redacted, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { SessionClient } from "../../../src/remote/SessionClient.ts"
import * as PostgresDatabase from "../../../src/storage/PostgresDatabase.ts"
import * as PostgresDriver from "../../../src/storage/PostgresDriver.ts"
import * as ScheduleDomain from "../../../src/storage/ScheduleDomain.ts"
import { postgresServer } from "../../Postgres.ts"
import * as Checker from "../chaos/Checker.ts"
import { ClusterChaos, faults, lease } from "./ClusterChaos.ts"
import { Machines } from "./Machines.ts"

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 1)
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe("a cluster whose Hosts are killed, paused, cut off and stopped", () => {
  const database = postgresServer()

  it(`loses nothing and repeats nothing over ${rounds * faults.length} faults`, async () => {
    const url = database.url()
    await using cluster = await Machines.make(3, url, "--cluster-lease", `${lease} seconds`)
    await Promise.all(cluster.machines.map((machine) => machine.start()))
    const newSession = Effect.flatMap(SessionClient, ({ create }) => Effect.map(create({}), ({ header }) => header.id))
    const sessions = await cluster.machines[0]!.run(Effect.replicateEffect(newSession, 40))

    const chaos = new ClusterChaos(cluster, sessions, seed)
    await chaos.run(Array.from({ length: rounds }, () => faults).flat())
    await cluster.machines[0]!.run(chaos.delivered)
    for (const machine of cluster.machines) {
      const ended = await machine.stop("SIGTERM")
      if (ended !== "0") chaos.problems.push(`a Host ended with ${ended}`)
    }

    const rows = await stored(url)
    const delivered = sessions.reduce(
      (sum, session) => sum + cluster.log(session).filter(({ type }) => type === "message/user").length,
      0
    )
    const acknowledged = chaos.tasks.filter(({ record }) => record !== undefined).length
    console.log(
      `seed ${seed}: ${JSON.stringify(chaos.counts)}; ${acknowledged} of ${chaos.tasks.length} creations acknowledged, ${delivered} messages, ${rows.length} rows`
    )
    assert.deepStrictEqual(Checker.check(cluster, chaos, rows), [], `CHAOS_SEED=${seed}`)
    assert.isAbove(acknowledged, 20)
    assert.isAbove(delivered, 20)
  }, 3_600_000)
})

/** Every row, read by a Host that is alone. */
const stored = async (url: string) => {
  const driver = PostgresDriver.make({ database: PostgresDatabase.make({ url: Redacted.make(url) }) })
  const store = ManagedRuntime.make(ScheduleDomain.layer(driver))
  const rows = await store.runPromise(
    Effect.flatMap(ScheduleDomain.ScheduleDomain, ({ rows }) =>
      Effect.map(Stream.runCollect(rows), Chunk.toReadonlyArray)
    )
  )
  await store.dispose()
  return rows
}
