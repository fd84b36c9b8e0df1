/** The contenders, tuned as their documentation says for throughput, with every job and its completion durable. */
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Queue, Worker } from "bullmq"
import { Logger, makeWorkerUtils, run as runWorker } from "graphile-worker"
import pg from "pg"
import type { Server } from "./Servers.ts"
import * as Workload from "./Workload.ts"

interface Job {
  readonly id: string
  readonly session: string
}

export const graphile = async (server: Server, jobs: number, sessions: number): Promise<Workload.Result> => {
  const home = Workload.temporaryHome()
  const { close, handle } = await Workload.jobHandler(home, sessions)
  const pool = new pg.Pool({ connectionString: server.url, max: 20 })
  for (const event of ["error", "connect"] as const) pool.on(event, () => {})
  const logger = new Logger(() => () => {})
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  await utils.migrate()
  for (let i = 0; i < jobs; i += 1000) {
    const payload = (job: number): Job => ({ id: String(job), session: `session-${job % sessions}` })
    await utils.addJobs(
      Array.from({ length: Math.min(1000, jobs - i) }, (_, j) => ({ identifier: "deliver", payload: payload(i + j) }))
    )
  }
  await pool.query("vacuum analyze graphile_worker._private_jobs")
  let left = jobs
  let finished: () => void = () => {}
  const done = new Promise<void>((resolve) => {
    finished = resolve
  })
  const begin = performance.now()
  const runner = await runWorker({
    pgPool: pool,
    logger,
    concurrency: 64,
    noHandleSignals: true,
    preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: {
      deliver: async (job) => {
        await handle(job as Job)
        if (--left === 0) finished()
      }
    }
  })
  await done
  // the last completions are committed once no job is left in the table
  while ((await pool.query("select from graphile_worker._private_jobs limit 1")).rowCount !== 0) await sleep(5)
  const millis = performance.now() - begin
  await runner.stop()
  await utils.release()
  await pool.query("drop schema graphile_worker cascade")
  await pool.end()
  await close()
  Workload.remove(home)
  return {
    contender: `graphile-worker, PostgreSQL ${server.version}, local queue 500, batched completion`,
    jobs,
    millis
  }
}

export const bullmq = async (server: Server, jobs: number, sessions: number): Promise<Workload.Result> => {
  const home = Workload.temporaryHome()
  const { close, handle } = await Workload.jobHandler(home, sessions)
  const connection = { host: "127.0.0.1", port: Number(new URL(server.url).port) }
  const name = `burst-${randomUUID()}`
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } })
  for (let i = 0; i < jobs; i += 1000) {
    await queue.addBulk(
      Array.from({ length: Math.min(1000, jobs - i) }, (_, j) => ({
        name: "deliver",
        data: { id: String(i + j), session: `session-${(i + j) % sessions}` }
      }))
    )
  }
  let left = jobs
  const begin = performance.now()
  await new Promise<void>((resolve) => {
    const worker = new Worker(name, (job) => handle(job.data as Job), { connection, concurrency: 64 })
    worker.on("completed", () => {
      if (--left === 0) void worker.close().then(resolve)
    })
  })
  const millis = performance.now() - begin
  await queue.close()
  await close()
  Workload.remove(home)
  return { contender: `BullMQ, Redis ${server.version}, appendfsync always, 64 at once`, jobs, millis }
}
