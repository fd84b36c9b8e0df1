/**
 * Durable writes of an SQL backend beside a bare loop of its driver, better-sqlite3 or node-postgres, on the same tables with the same
 * settings, in turns, so that both see the same disk: `npm run bench writes [tasks] [milliseconds per turn] [sqlite|postgres]`.
 *
 * Creating goes through the whole service, one caller after the other or many at once, beside the bare loop that puts one task.
 *
 * The bare loop prepares its statements once and runs them row by row in one transaction: it upserts a task for a put, and
 * updates a task and inserts a delivery for a commit. One put alone is a statement that commits by itself on PostgreSQL. The CPU is
 * that of this process, without the server's.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { MessageId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../src/runtime/ScheduleRuntime.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { SessionHeaders } from "../../src/runtime/SessionHeaders.ts"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as Shard from "../../src/storage/Shard.ts"
import * as SqlRow from "../../src/storage/SqlRow.ts"
import * as Storage from "../../src/storage/Storage.ts"
import { startPostgres } from "../../test/PostgresProcess.ts"
import * as Rows from "./rows.ts"

interface Statement {
  readonly run: (...params: ReadonlyArray<unknown>) => unknown
}
interface Database {
  readonly prepare: (sql: string) => Statement
  readonly pragma: (pragma: string) => unknown
}

const [tasks, turn] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 250)]
const turns = 8
const server =
  process.argv[4] === "postgres" ? await startPostgres("-c", "fsync=on", "-c", "shared_buffers=512MB") : undefined
const bounds = { days: 30, records: 200 }
const home = mkdtempSync(join(tmpdir(), "host-schedule-bench-"))
const BetterSqlite = createRequire(import.meta.url)("better-sqlite3") as new (file: string) => Database

const prepared = (name: string) =>
  Effect.gen(function* () {
    const directory = join(home, name)
    const storage: Storage.Storage =
      server === undefined
        ? { kind: "sqlite", directory }
        : { kind: "postgres", directory, url: Redacted.make(server.url()) }
    yield* Rows.load(Storage.driver(storage), tasks)
    return storage
  })

let fresh = tasks
const newRows = (count: number) => Array.from({ length: count }, () => Rows.created(fresh++, 10 ** 9))
const delivered = Instant.format(Rows.start)
const deliveries = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const n = (Math.imul(fresh++, 2_654_435_761) >>> 0) % Math.floor(tasks / count)
    return {
      id: Rows.id(n * count + i),
      receipt: { scheduledAt: delivered, deliveredAt: delivered, messageId: MessageId.make(`new-${fresh}`) },
      prompt: "Look at the queue of new reports.",
      next: Option.some(Instant.format(Rows.start + (fresh % Rows.spread)))
    }
  })

/** Transactions per second, rows per second, and CPU microseconds per row, over one turn. */
const timed = (rows: number, work: () => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const [begin, cpu] = [performance.now(), process.cpuUsage()]
    let count = 0
    while (performance.now() - begin < turn) {
      yield* work()
      count++
    }
    const { system, user } = process.cpuUsage(cpu)
    const millis = performance.now() - begin
    return { perSecond: (count * rows * 1000) / millis, cpuMicros: (user + system) / (count * rows) }
  })

interface Peer {
  readonly put: (rows: ReturnType<typeof newRows>) => Effect.Effect<void>
  readonly commit: (rows: ReturnType<typeof deliveries>) => Effect.Effect<void>
}

const bareOf = (storage: Storage.Storage) =>
  storage.kind === "postgres"
    ? barePostgres(storage.url)
    : Effect.sync(() => bareSqlite(join(home, "bare", "schedule.db")))

const barePostgres = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const pool = yield* PostgresDatabase.make({ url }).pool
  const client = yield* Effect.promise(() => pool.connect())
  yield* Effect.addFinalizer(() => Effect.sync(() => client.release()))
  const columns = ["shard", ...SqlRow.taskColumns]
  const parameters = (count: number) => Array.from({ length: count }, (_, i) => `$${i + 1}`).join()
  const run = (name: string, text: string, values: Array<unknown>) => client.query({ name, text, values })
  const upsert = (row: ReturnType<typeof newRows>[number]) =>
    run(
      "upsert",
      `INSERT INTO tasks (${columns.join()}) VALUES (${parameters(columns.length)})
       ON CONFLICT (id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join()}`,
      [Shard.of(row.sessionId, Shard.defaultCount), ...SqlRow.ofTask(row)]
    )
  const transaction = async (statements: () => Promise<void>) => {
    await client.query("BEGIN")
    await statements()
    await client.query("COMMIT")
  }
  return {
    put: (rows) =>
      Effect.promise(async () => {
        if (rows.length === 1) await upsert(rows[0]!)
        else
          await transaction(async () => {
            for (const row of rows) await upsert(row)
          })
      }),
    commit: (rows) =>
      Effect.promise(() =>
        transaction(async () => {
          for (const { id, next, prompt, receipt } of rows) {
            const at = Instant.toMillis(receipt.scheduledAt)
            await run(
              "insert",
              `INSERT INTO deliveries SELECT sequence, (SELECT coalesce(max(position), -1) + 1 FROM deliveries WHERE task = sequence),
               $1, $2, $3, $4 FROM tasks WHERE id = $5`,
              [at, at, receipt.messageId, prompt, id]
            )
            await run(
              "update",
              "UPDATE tasks SET scheduled_at = $1, last_scheduled_at = $2, last_delivered_at = $3, last_message_id = $4 WHERE id = $5",
              [Instant.toMillis(Option.getOrThrow(next)), at, at, receipt.messageId, id]
            )
          }
        })
      )
  } satisfies Peer
})

const bareSqlite = (file: string): Peer => {
  const db = new BetterSqlite(file)
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]) db.pragma(pragma)
  const columns = SqlRow.taskColumns
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")]
  const upsert = db.prepare(
    `INSERT INTO tasks (${columns.join()}) VALUES (${columns.map(() => "?").join()})
     ON CONFLICT (id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join()}`
  )
  const update = db.prepare(
    "UPDATE tasks SET scheduled_at = ?, last_scheduled_at = ?, last_delivered_at = ?, last_message_id = ? WHERE id = ?"
  )
  const insert = db.prepare(
    `INSERT INTO deliveries SELECT sequence, (SELECT ifnull(max(position), -1) + 1 FROM deliveries WHERE task = sequence),
     ?, ?, ?, ? FROM tasks WHERE id = ?`
  )
  return {
    put: (rows) =>
      Effect.sync(() => {
        begin.run()
        for (const row of rows) upsert.run(...SqlRow.ofTask(row))
        commit.run()
      }),
    commit: (rows) =>
      Effect.sync(() => {
        begin.run()
        for (const { id, next, prompt, receipt } of rows) {
          const at = Instant.toMillis(receipt.scheduledAt)
          insert.run(at, at, receipt.messageId, prompt, id)
          update.run(Instant.toMillis(Option.getOrThrow(next)), at, at, receipt.messageId, id)
        }
        commit.run()
      })
  }
}

const program = Effect.gen(function* () {
  const bare = yield* Effect.flatMap(prepared("bare"), bareOf)
  const domain = yield* ScheduleDomain.make(Storage.driver(yield* prepared("ours")))
  const median = (figures: ReadonlyArray<number>) => figures.toSorted((a, b) => a - b)[figures.length >> 1]!
  console.log("| write | ours, rows/s | bare, rows/s | ratio | ours, CPU µs/row | bare, CPU µs/row |")
  console.log("|---|--:|--:|--:|--:|--:|")
  for (const [name, count] of [
    ["put", 1],
    ["put", 64],
    ["commit", 1],
    ["commit", 64],
    ["commit", 1000]
  ] as const) {
    const ours = () => (name === "put" ? domain.put(newRows(count)) : domain.commit(deliveries(count), bounds))
    const peer = () => (name === "put" ? bare.put(newRows(count)) : bare.commit(deliveries(count)))
    const figures = yield* Effect.replicateEffect(Effect.all([timed(count, ours), timed(count, peer)]), turns)
    const [a, b] = [0, 1].map((side) => median(figures.map((pair) => pair[side as 0 | 1].perSecond))) as [
      number,
      number
    ]
    const [c, d] = [0, 1].map((side) => median(figures.map((pair) => pair[side as 0 | 1].cpuMicros))) as [
      number,
      number
    ]
    const ratio = median(figures.map(([ours, bare]) => ours.perSecond / bare.perSecond))
    console.log(
      `| ${name} ${count} | ${Math.round(a)} | ${Math.round(b)} | ${ratio.toFixed(2)} | ${c.toFixed(1)} | ${d.toFixed(1)} |`
    )
  }
  yield* creates(domain, bare)
})

const creates = Effect.fnUntraced(function* (domain: ScheduleDomain.ScheduleDomain["Type"], bare: Peer) {
  const headers = Layer.succeed(SessionHeaders, { delegationDepth: () => Effect.succeed(0) })
  const host = ManagedRuntime.make(
    ScheduleRuntime.layer.pipe(
      Layer.provide([AgentResolver.layer, headers, ScheduleConfig.layer()]),
      Layer.provide(Layer.succeed(ScheduleDomain.ScheduleDomain, domain))
    )
  )
  const service = yield* Effect.promise(() => host.runPromise(ScheduleService))
  const request = { title: "Build check", prompt: "Look at the build.", at: "2090-01-01T00:00:00.000Z" }
  const create = Effect.suspend(() => service.create(Rows.session(fresh++ % 1000), request))
  const all = (callers: number) => () =>
    Effect.all(
      Array.from({ length: callers }, () => create),
      { concurrency: callers, discard: true }
    )
  const put = () => bare.put(newRows(1))
  const median = (figures: ReadonlyArray<number>) => figures.toSorted((a, b) => a - b)[figures.length >> 1]!
  const rounds = yield* Effect.replicateEffect(
    Effect.all({ alone: timed(1, all(1)), together: timed(64, all(64)), bare: timed(1, put) }),
    turns
  )
  const rate = (of: "alone" | "together" | "bare") => Math.round(median(rounds.map((round) => round[of].perSecond)))
  const ratio = (of: "alone" | "together", to: "alone" | "bare") =>
    median(rounds.map((round) => round[of].perSecond / round[to].perSecond)).toFixed(2)
  console.log("\n| through the service | creates/s | to a bare put | to one caller |")
  console.log("|---|--:|--:|--:|")
  console.log(`| one caller | ${rate("alone")} | ${ratio("alone", "bare")} | |`)
  console.log(
    `| 64 callers at once | ${rate("together")} | ${ratio("together", "bare")} | ${ratio("together", "alone")} |`
  )
  console.log(`| bare put, one by one | ${rate("bare")} | | |`)
  yield* host.disposeEffect
})

try {
  await Effect.runPromise(Effect.scoped(program))
} finally {
  await server?.end()
  rmSync(home, { recursive: true, force: true })
}
