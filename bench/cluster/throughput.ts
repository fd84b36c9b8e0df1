/**
 * Creations and deliveries per second with one, two and three Hosts over one PostgreSQL: `npm run bench:cluster`.
 *
 * Everything shares the cores of this machine: the Hosts, the database and the caller. So the rates show what a Host more costs,
 * not what it brings on a machine of its own; for that there is the processor time that the Hosts took for each.
 */
import { readFileSync } from "node:fs"
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

interface Measured {
  readonly creates: number
  readonly deliveries: number
  /** Milliseconds of processor time of all Hosts. */
  readonly perCreate: number
  readonly perDelivery: number
}

/** Milliseconds of processor time that the Hosts took so far. */
const taken = async (cluster: Machines): Promise<number> => {
  let ticks = 0
  for (const { host } of cluster.machines) {
    const fields = readFileSync(`/proc/${(await host!.ready).pid}/stat`, "utf8")
      .split(") ")[1]!
      .split(" ")
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * 10
}

const measure = async (hosts: number): Promise<Measured> => {
  const cluster = await Machines.make(hosts, postgres.url())
  try {
    await Promise.all(cluster.machines.map((machine) => machine.start()))
    await sleep(4_000)
    const newSession = Effect.flatMap(SessionClient, ({ create }) => Effect.map(create({}), ({ header }) => header.id))
    const sessions = await cluster.machines[0]!.run(Effect.replicateEffect(newSession, sessionCount))
    const due = Date.now() + 45_000
    const before = await taken(cluster)
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
    const perCreate = ((await taken(cluster)) - before) / next
    if (Date.now() > due) throw new Error("creating took too long")
    await sleep(due - Date.now() - 1_000)
    const idle = await taken(cluster)
    const deliveredAt = await cluster.machines[0]!.run(
      Effect.gen(function* () {
        const { catalog } = yield* ScheduleClient
        yield* Effect.sleep("3 seconds")
        while (true) {
          const tasks = yield* catalog()
          if (tasks.every(({ status }) => status === "inactive")) {
            return Math.max(...tasks.map(({ lastDelivery }) => Instant.toMillis(lastDelivery!.deliveredAt)))
          }
          yield* Effect.sleep("1 seconds")
        }
      })
    )
    const perDelivery = ((await taken(cluster)) - idle) / next
    return { creates, deliveries: (next / (deliveredAt - due)) * 1_000, perCreate, perDelivery }
  } finally {
    await cluster[Symbol.asyncDispose]()
  }
}

// the database syncs its disk, as it must
const postgres = await startPostgres("-c", "fsync=on")
try {
  console.log("Hosts  creates/s  deliveries/s  ms of processor time per create  and per delivery")
  for (const hosts of [1, 2, 3]) {
    const { creates, deliveries, perCreate, perDelivery } = await measure(hosts)
    console.log(
      [hosts, creates.toFixed(0), deliveries.toFixed(0), perCreate.toFixed(2), perDelivery.toFixed(2)].join("\t")
    )
  }
} finally {
  await postgres.end()
}
process.exit(0)
