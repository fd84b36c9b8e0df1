/**
 * How long after a fault of a Host everything works again: `tsx bench/cluster/failover.ts [rounds]`.
 *
 * Three Hosts over one PostgreSQL on this machine. Every shard has a Session with a reminder that is due half a second after the
 * fault, and callers that create reminders through another Host until it is done.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Clock, Effect } from "effect"
import type { SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import { ScheduleClient } from "../../src/remote/ScheduleClient.ts"
import { SessionClient } from "../../src/remote/SessionClient.ts"
import * as Shard from "../../src/storage/Shard.ts"
import { type Fault, faults } from "../../test/e2e/cluster/ClusterChaos.ts"
import { type Machine, Machines } from "../../test/e2e/cluster/Machines.ts"
import { startPostgres } from "../../test/PostgresProcess.ts"

const rounds = Number(process.argv[2] ?? 3)

/** One Session in every shard. */
const sessionIds = Array.from({ length: Shard.defaultCount }, (_, index) => {
  for (let i = 0; ; i++) if (Shard.of(`s-${i}`, Shard.defaultCount) === index) return `s-${i}`
})

const inject = async (machine: Machine, fault: Fault): Promise<void> => {
  switch (fault) {
    case "kill":
      await machine.stop("SIGKILL")
      return
    case "pause":
      return machine.host?.signal("SIGSTOP")
    case "cut":
      return machine.proxy.cut()
    case "stop":
      await machine.stop("SIGTERM")
      return
  }
}

const recover = async (machine: Machine, fault: Fault): Promise<void> => {
  if (fault === "pause") return machine.host?.signal("SIGCONT")
  if (fault === "cut") return machine.proxy.heal()
  await machine.start()
}

/** Milliseconds until a new call for the Session is answered, and how many said that the outcome is unknown. */
const answered = (sessionId: string, since: number) =>
  Effect.gen(function* () {
    const { create } = yield* ScheduleClient
    let unknown = 0
    const call = Effect.suspend(() =>
      create(sessionId as SessionId, { title: "call", prompt: "p", every_seconds: 86_400 })
    ).pipe(
      Effect.tapError((error) => Effect.sync(() => "code" in error && error.code === "outcome_unknown" && unknown++))
    )
    yield* Effect.retry(call, { times: 1_000 })
    return { after: (yield* Clock.currentTimeMillis) - since, unknown }
  })

const late = (title: string) =>
  Effect.gen(function* () {
    const { catalog } = yield* ScheduleClient
    while (true) {
      const tasks = (yield* catalog()).filter(({ record }) => record.title === title)
      if (tasks.every(({ status }) => status === "inactive")) {
        return tasks.map(({ lastDelivery }) =>
          lastDelivery === undefined
            ? Number.NaN
            : Instant.toMillis(lastDelivery.deliveredAt) - Instant.toMillis(lastDelivery.scheduledAt)
        )
      }
      yield* Effect.sleep("100 millis")
    }
  })

const postgres = await startPostgres()
const cluster = await Machines.make(3, postgres.url())
try {
  for (const machine of cluster.machines) await machine.start()
  await sleep(5_000)
  await cluster.machines[0]!.run(
    Effect.flatMap(SessionClient, ({ create }) => Effect.forEach(sessionIds, (id) => create({ id })))
  )
  console.log("fault  reminders late by, ms (worst shard)   calls answered after, ms (worst shard)   unknown outcomes")
  for (const fault of faults) {
    const rows: Array<readonly [number, number, number]> = []
    for (let round = 0; round < rounds; round++) {
      const machine = cluster.machines[round % 3]!
      const other = cluster.other(machine)
      const title = `${fault} ${round}`
      await other.run(
        Effect.flatMap(ScheduleClient, ({ create }) =>
          Effect.forEach(
            sessionIds,
            (id) => create(id as SessionId, { title, prompt: "p", at: Instant.format(Date.now() + 3_000) }),
            { concurrency: 8 }
          )
        )
      )
      await sleep(2_500)
      const since = Date.now()
      const injected = inject(machine, fault)
      const [calls, lateness] = await Promise.all([
        other.run(Effect.forEach(sessionIds, (id) => answered(id, since), { concurrency: "unbounded" })),
        other.run(late(title))
      ])
      await injected
      rows.push([
        Math.max(...lateness),
        Math.max(...calls.map(({ after }) => after)),
        calls.reduce((sum, { unknown }) => sum + unknown, 0)
      ])
      await recover(machine, fault)
      await sleep(8_000)
    }
    const column = (index: 0 | 1 | 2) => rows.map((row) => String(row[index])).join(" ")
    console.log(`${fault.padEnd(6)} ${column(0).padEnd(38)} ${column(1).padEnd(40)} ${column(2)}`)
  }
} finally {
  await cluster[Symbol.asyncDispose]()
  await postgres.end()
}
process.exit(0)
