/**
 * Creations and deliveries per second with one, two and three Hosts over one PostgreSQL: `npm run bench:cluster`.
 *
 * Everything shares the cores of this machine: the Hosts, the database and the caller. So this shows what a Host more costs, not
 * what it brings on a machine of its own.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import type { SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import { ScheduleClient } from "../../src/remote/ScheduleClient.ts"
import { SessionClient } from "../../src/remote/SessionClient.ts"
import { Machines } from "../../test/e2e/cluster/Machines.ts"
import { startPostgres } from "../../test/PostgresProcess.ts"

const sessionCount = 200
const created = 2_000
const callers = 64

const measure = async (hosts: number): Promise<{ readonly creates: number; readonly deliveries: number }> => {
  const cluster = await Machines.make(hosts, postgres.url())
  try {
    await Promise.all(cluster.machines.map((machine) => machine.start()))
    await sleep(4_000)
    const newSession = Effect.flatMap(SessionClient, ({ create }) => Effect.map(create({}), ({ header }) => header.id))
    const sessions = await cluster.machines[0]!.run(Effect.replicateEffect(newSession, sessionCount))
    const due = Date.now() + 45_000
    const start = performance.now()
    let next = 0
    const caller = async (number: number) => {
      const machine = cluster.machines[number % hosts]!
      const one = Effect.flatMap(ScheduleClient, ({ create }) => {
        const i = next++
        return create(sessions[i % sessionCount] as SessionId, { title: "t", prompt: "p", at: Instant.format(due) })
      })
      while (next < created) await machine.run(one)
    }
    await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
    const creates = (next / (performance.now() - start)) * 1_000
    if (Date.now() > due) throw new Error("creating took too long")
    const deliveredAt = await cluster.machines[0]!.run(
      Effect.gen(function* () {
        const { catalog } = yield* ScheduleClient
        yield* Effect.sleep(due - performance.timeOrigin - performance.now() + 500)
        while (true) {
          const tasks = yield* catalog()
          if (tasks.every(({ status }) => status === "inactive")) {
            return Math.max(...tasks.map(({ lastDelivery }) => Instant.toMillis(lastDelivery!.deliveredAt)))
          }
          yield* Effect.sleep("1 seconds")
        }
      })
    )
    return { creates, deliveries: (next / (deliveredAt - due)) * 1_000 }
  } finally {
    await cluster[Symbol.asyncDispose]()
  }
}

// the database syncs its disk, as it must
const postgres = await startPostgres("-c", "fsync=on")
try {
  console.log("Hosts  creates/s  deliveries/s")
  for (const hosts of [1, 2, 3]) {
    const { creates, deliveries } = await measure(hosts)
    console.log(`${String(hosts).padEnd(5)}  ${creates.toFixed(0).padStart(9)}  ${deliveries.toFixed(0).padStart(12)}`)
  }
} finally {
  await postgres.end()
}
process.exit(0)
