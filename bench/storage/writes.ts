/**
 * Durable writes of the sqlite backend beside a bare loop of better-sqlite3 on the same tables with the same settings, in turns,
 * so that both see the same disk: `npm run bench writes [tasks] [milliseconds per turn]`.
 *
 * Creating goes through the whole service, one caller after the other or many at once, beside the bare loop that puts one task.
 *
 * The bare loop prepares its statements once and runs them row by row in one transaction: it upserts a task for a put, and
 * updates a task and inserts a delivery for a commit.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime, Option, Stream } from "effect"
import { MessageId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../src/runtime/ScheduleRuntime.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { SessionHeaders } from "../../src/runtime/SessionHeaders.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as SqlRow from "../../src/storage/SqlRow.ts"
import * as Storage from "../../src/storage/Storage.ts"
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
const bounds = { days: 30, records: 200 }
const home = mkdtempSync(join(tmpdir(), "host-schedule-bench-"))
const BetterSqlite = createRequire(import.meta.url)("better-sqlite3") as new (file: string) => Database

const prepared = (kind: string) =>
  Effect.gen(function* () {
    const storage = { kind: "sqlite", directory: join(home, kind) } as const
    yield* Effect.scoped(
      Effect.gen(function* () {
        const driver = Storage.driver(storage)
        yield* driver.lock
        const connection = yield* Effect.flatMap(driver.inspect, ({ connect }) => connect)
        yield* connection.load(Stream.fromIterable(Rows.pieces(tasks)))
      })
    )
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

const bareLoop = (file: string) => {
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
    put: (rows: ReturnType<typeof newRows>) => {
      begin.run()
      for (const row of rows) upsert.run(...SqlRow.ofTask(row))
      commit.run()
    },
    commit: (rows: ReturnType<typeof deliveries>) => {
      begin.run()
      for (const { id, next, prompt, receipt } of rows) {
        const at = Instant.toMillis(receipt.scheduledAt)
        insert.run(at, at, receipt.messageId, prompt, id)
        update.run(Instant.toMillis(Option.getOrThrow(next)), at, at, receipt.messageId, id)
      }
      commit.run()
    }
  }
}

const program = Effect.gen(function* () {
  const bare = bareLoop(join((yield* prepared("bare")).directory, "schedule.db"))
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
    const peer = () => Effect.sync(() => (name === "put" ? bare.put(newRows(count)) : bare.commit(deliveries(count))))
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

const creates = Effect.fnUntraced(function* (
  domain: ScheduleDomain.ScheduleDomain["Type"],
  bare: ReturnType<typeof bareLoop>
) {
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
  const put = () => Effect.sync(() => bare.put(newRows(1)))
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
  rmSync(home, { recursive: true, force: true })
}
