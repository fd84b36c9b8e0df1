/**
 * How late deliveries are: one-shots spread evenly over some seconds, each timed from its target until its completion is
 * durable. `npm run bench lateness [jobs] [seconds]`.
 *
 * Our own Host is measured with few and with many stored tasks, and with Sessions that never answer, beside calls of its
 * management; graphile-worker looking for due jobs ten times a second, as PostgreSQL does not wake anybody.
 */
import { randomUUID } from "node:crypto"
import { Queue, Worker } from "bullmq"
import { Context, Effect } from "effect"
import { Logger, makeWorkerUtils, run as runWorker } from "graphile-worker"
import pg from "pg"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import * as Host from "./HostInProcess.ts"
import * as Servers from "./Servers.ts"
import * as Workload from "./Workload.ts"

const jobs = Number(process.argv[2] ?? 1_000)
const seconds = Number(process.argv[3] ?? 30)
const sessions = 100
/** Milliseconds to prepare in before the first is due. */
const ahead = 3_000

interface Lateness {
  readonly contender: string
  /** Milliseconds from target to durable completion. */
  readonly late: Array<number>
  /** Milliseconds that calls of management took meanwhile. */
  readonly calls: Array<number>
  readonly cpu: number
}

const now = () => performance.timeOrigin + performance.now()
const targetOf = (begin: number, job: number) => Math.round(begin + ahead + (job * seconds * 1000) / jobs)
const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
const whenAll = async (late: ReadonlyArray<number>) => {
  while (late.length < jobs) await sleep(20)
}

const own = async (contender: string, { hung = 0, stored = 0 } = {}): Promise<Lateness> => {
  const home = Workload.temporaryHome()
  const late: Array<number> = []
  const calls: Array<number> = []
  const program = Effect.gen(function* () {
    const context = yield* Host.prepare(home, sessions + hung, stored)
    const domain = Context.get(context, ScheduleDomain)
    const isHung = (session: string) => Number(session.slice("session-".length)) >= sessions
    const timed = Context.add(context, ScheduleDomain, {
      ...domain,
      commit: (deliveries, bounds) =>
        Effect.tap(domain.commit(deliveries, bounds), () => {
          const at = now()
          for (const { receipt } of deliveries) late.push(at - Instant.toMillis(receipt.scheduledAt))
        })
    })
    const begin = now()
    yield* Host.putAll(domain, jobs, (n) => Host.oneShot(`session-${n % sessions}`, targetOf(begin, n)))
    yield* Host.putAll(domain, hung * 10, (n) => Host.oneShot(`session-${sessions + (n % hung)}`, targetOf(begin, n)))
    const host = yield* Host.start(timed, {}, isHung)
    const service = Context.get(host, ScheduleService)
    const call = Effect.suspend(() => {
      const from = performance.now()
      const request = { title: "Later", prompt: "Later.", at: "2090-01-01T00:00:00.000Z" }
      return Effect.tap(service.create(SessionId.make("session-0"), request), () => {
        calls.push(performance.now() - from)
      })
    })
    yield* Effect.sleep(begin + ahead - now())
    const cpu = process.cpuUsage()
    yield* call.pipe(Effect.zipRight(Effect.sleep("50 millis")), Effect.forever, Effect.forkScoped)
    yield* Effect.promise(() => whenAll(late))
    const { system, user } = process.cpuUsage(cpu)
    return { contender, late, calls, cpu: (system + user) / 1000 }
  })
  try {
    return await Effect.runPromise(Effect.scoped(program))
  } finally {
    Workload.remove(home)
  }
}

const graphile = async (server: Servers.Server): Promise<Lateness> => {
  const home = Workload.temporaryHome()
  const { close, handle } = await Workload.jobHandler(home, sessions)
  const pool = new pg.Pool({ connectionString: server.url, max: 20 })
  const logger = new Logger(() => () => {})
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  await utils.migrate()
  const begin = now()
  await utils.addJobs(
    Array.from({ length: jobs }, (_, n) => ({
      identifier: "deliver",
      payload: { id: String(n), session: `session-${n % sessions}`, target: targetOf(begin, n) },
      runAt: new Date(targetOf(begin, n))
    }))
  )
  const late: Array<number> = []
  const runner = await runWorker({
    pgPool: pool,
    logger,
    concurrency: 64,
    pollInterval: 100,
    noHandleSignals: true,
    taskList: { deliver: async (job) => handle(job as { readonly id: string; readonly session: string }) }
  })
  // a completion is durable once this event comes
  runner.events.on("job:complete", ({ job }) => {
    late.push(now() - (job.payload as { readonly target: number }).target)
  })
  await sleep(begin + ahead - now())
  const cpu = process.cpuUsage()
  await whenAll(late)
  const { system, user } = process.cpuUsage(cpu)
  await runner.stop()
  await utils.release()
  await pool.query("drop schema graphile_worker cascade")
  await pool.end()
  await close()
  Workload.remove(home)
  return { contender: `graphile-worker, PostgreSQL ${server.version}`, late, calls: [], cpu: (system + user) / 1000 }
}

const bullmq = async (server: Servers.Server): Promise<Lateness> => {
  const home = Workload.temporaryHome()
  const { close, handle } = await Workload.jobHandler(home, sessions)
  const connection = { host: "127.0.0.1", port: Number(new URL(server.url).port) }
  const name = `lateness-${randomUUID()}`
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } })
  const begin = now()
  await queue.addBulk(
    Array.from({ length: jobs }, (_, n) => ({
      name: "deliver",
      data: { id: String(n), session: `session-${n % sessions}`, target: targetOf(begin, n) },
      opts: { delay: Math.max(0, targetOf(begin, n) - now()) }
    }))
  )
  const late: Array<number> = []
  const worker = new Worker(name, (job) => handle(job.data), { connection, concurrency: 64 })
  worker.on("completed", (job) => late.push(now() - job.data.target))
  await sleep(begin + ahead - now())
  const cpu = process.cpuUsage()
  await whenAll(late)
  const { system, user } = process.cpuUsage(cpu)
  await worker.close()
  await queue.close()
  await close()
  Workload.remove(home)
  return { contender: `BullMQ, Redis ${server.version}`, late, calls: [], cpu: (system + user) / 1000 }
}

const postgres = await Servers.postgres(54_330)
const redis = await Servers.redis(63_790)
const results = [
  await own("host-schedule"),
  await own("host-schedule, 20 Sessions that never answer", { hung: 20 }),
  await own("host-schedule, 1 000 000 tasks stored", { stored: 1_000_000 }),
  await graphile(postgres),
  await bullmq(redis)
]
await postgres.stop()
await redis.stop()

const quantile = (values: ReadonlyArray<number>, q: number) =>
  values.length === 0 ? "" : ([...values].sort((a, b) => a - b)[Math.floor(values.length * q)] ?? 0).toFixed(1)
console.log(
  `| ${jobs} due over ${seconds} s, ${sessions} Sessions; ms | p50 late | p99 late | create p50 | create p99 | CPU a job |`
)
console.log("|---|--:|--:|--:|--:|--:|")
for (const { calls, contender, cpu, late } of results) {
  const cells = [
    quantile(late, 0.5),
    quantile(late, 0.99),
    quantile(calls, 0.5),
    quantile(calls, 0.99),
    (cpu / jobs).toFixed(2)
  ]
  console.log(`| ${contender} | ${cells.join(" | ")} |`)
}
process.exit(0)
