/**
 * What operations of a storage cost as it grows: `npm run bench scale [tasks,tasks,…] [sqlite|json|postgres]`.
 *
 * Each figure is the median of single operations in microseconds, unless it says otherwise. A cold open is a fresh process. For
 * postgres a server is started, with the settings that it has by default but for 512 MB of shared buffers.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Option, Redacted } from "effect"
import type { QueryConfig } from "pg"
import { MessageId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../src/storage/Storage.ts"
import { startPostgres } from "../../test/PostgresProcess.ts"
import { toArgument } from "../../test/storage/programs/storage.ts"
import { bundle } from "../bundle.ts"
import * as Rows from "./rows.ts"

const [counts = "1000,10000,100000,1000000", kind = "sqlite"] = process.argv.slice(2)
const bounds = { days: 30, records: 200 }
const home = mkdtempSync(join(tmpdir(), "host-schedule-bench-"))

type Domain = ScheduleDomain.ScheduleDomain["Type"]

/** The median time of an operation, in microseconds. */
const median = (times: number, operation: (n: number) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const samples: Array<number> = []
    for (let n = 0; n < times; n++) {
      const effect = operation(n)
      const begin = performance.now()
      yield* effect
      samples.push((performance.now() - begin) * 1000)
    }
    return Math.round(samples.sort((a, b) => a - b)[Math.floor(times / 2)]!)
  })

const operations = (domain: Domain, tasks: number) => {
  const any = (n: number) => (Math.imul(n + 1, 2_654_435_761) >>> 0) % tasks
  // a recurring task with a history, and one that is active
  const saved = (n: number) => Rows.id(any(n) - (any(n) % 10) + 3)
  const active = (n: number) => Rows.row(any(n) % 5 === 0 ? any(n) + 1 : any(n), tasks)
  const noon = Instant.format(Rows.start + Rows.spread / 2)
  const next = (n: number) => Option.some(Instant.format(Rows.start + n * 1000))
  let message = 0
  const delivery = (n: number) => ({
    id: saved(n),
    receipt: {
      scheduledAt: noon,
      deliveredAt: Instant.format(Rows.start + message),
      messageId: MessageId.make(`new-${message++}`)
    },
    prompt: "What was sent.",
    next: next(n)
  })
  const distinct = (n: number, count: number) => [
    ...new Map(Array.from({ length: count }, (_, i) => delivery(n * count + i)).map((one) => [one.id, one])).values()
  ]
  return {
    create: median(500, (n) => domain.put([Rows.created(tasks + n, tasks)])),
    "create 64": median(50, (n) =>
      domain.put(Array.from({ length: 64 }, (_, i) => Rows.created(tasks + 1000 + n * 64 + i, tasks)))
    ),
    update: median(500, (n) => domain.replaceRecord({ ...active(n).record, title: "Another title" })),
    "commit 1": median(500, (n) => domain.commit([delivery(n)], bounds)),
    "commit 64": median(50, (n) => domain.commit(distinct(n, 64), bounds)),
    get: median(2000, (n) => domain.get(Rows.id(any(n)))),
    "earliest target": median(2000, () => domain.earliestTarget(Option.none())),
    "earliest target after": median(2000, (n) => domain.earliestTarget(next(n))),
    "due Sessions, 20 due": median(500, () =>
      domain.dueSessions(Instant.format(Rows.start + Math.ceil((Rows.spread / tasks) * 25)))
    ),
    "due of a Session": median(2000, (n) => domain.dueOf(Rows.session(any(n) % Rows.sessionsOf(tasks)), noon, 100)),
    "list of a Session": median(2000, (n) => domain.activeOf(Rows.session(any(n) % Rows.sessionsOf(tasks)))),
    "catalog page of 50": median(500, (n) =>
      domain.catalogPage({ limit: 50, after: { scheduledAt: active(n).record.scheduledAt, id: "" } })
    ),
    "history page of 20": median(1000, (n) => domain.historyPage(saved(n), { limit: 20 })),
    counts: median(1000, () => domain.counts),
    "delete one": median(300, (n) => domain.remove(Rows.id(tasks + n)))
  }
}

const measure = Effect.fnUntraced(function* (tasks: number, open: string) {
  const directory = join(home, `${kind}-${tasks}`)
  const storage: Exclude<Storage.Storage, { readonly kind: "memory" }> =
    server === undefined
      ? { kind: kind === "json" ? "json" : "sqlite", directory }
      : { kind: "postgres", directory, url: Redacted.make(server.url()) }
  const loading = performance.now()
  yield* Rows.load(Storage.driver(storage), tasks)
  const figures: Record<string, number> = { "load, s": (performance.now() - loading) / 1000 }
  if (storage.kind === "postgres") Object.assign(figures, yield* sizes(storage.url))
  else {
    const file = statSync(join(directory, storage.kind === "sqlite" ? "schedule.db" : "schedule.json"))
    figures["size, MiB"] = file.size / 2 ** 20
  }

  const cold = JSON.parse(execFileSync(process.execPath, [open, toArgument(storage)], { encoding: "utf8" }))
  figures["cold open, s"] = cold.seconds
  figures["cold open, CPU s"] = cold.cpu
  figures["cold open, peak MiB"] = cold.peakMiB

  yield* Effect.scoped(
    Effect.gen(function* () {
      const domain = yield* ScheduleDomain.make(Storage.driver(storage))
      for (const [name, operation] of Object.entries(operations(domain, tasks))) figures[name] = yield* operation
      // half of all are inactive now
      for (let n = 0; n < tasks; n += 1000) {
        const ended = Array.from({ length: Math.min(1000, tasks - n) }, (_, i) => Rows.row(n + i, tasks))
        yield* domain.put(
          ended.filter((_, i) => (n + i) % 2 === 0).map((task) => ({ ...task, status: "inactive" as const }))
        )
      }
      const before = yield* domain.counts
      const begin = performance.now()
      const removed = yield* domain.removeInactive
      figures["delete inactive, ms"] = performance.now() - begin
      figures["rows deleted"] = removed
      if (storage.kind === "postgres") {
        const begin = performance.now()
        yield* query(storage.url, "VACUUM tasks, deliveries")
        figures["vacuum then, s"] = (performance.now() - begin) / 1000
      }
      if (removed !== before.inactive) throw new Error(`removed ${removed} of ${before.inactive}`)
    })
  )
  rmSync(directory, { recursive: true })
  return figures
})

const query = (url: Redacted.Redacted, sql: string) =>
  Effect.scoped(
    Effect.flatMap(PostgresDatabase.make({ url }).pool, (pool) =>
      Effect.promise(() => pool.query<Record<string, string>>({ text: sql, query_timeout: 3_600_000 } as QueryConfig))
    )
  )

/** What the tables and their indexes take, in MiB. */
const sizes = (url: Redacted.Redacted) =>
  Effect.map(
    query(
      url,
      `SELECT relname AS name, pg_relation_size(oid)::float8 / 1048576 AS size FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i') AND relname ~ '^(tasks|deliveries)' ORDER BY relname`
    ),
    ({ rows }) => Object.fromEntries(rows.map(({ name, size }) => [`${name}, MiB`, Number(size)]))
  )

const server = kind === "postgres" ? await startPostgres("-c", "fsync=on", "-c", "shared_buffers=512MB") : undefined
const results: Record<string, Record<string, number>> = {}
try {
  const open = await bundle(fileURLToPath(new URL("open.ts", import.meta.url)), home)
  for (const tasks of counts.split(",").map(Number)) {
    results[tasks] = await Effect.runPromise(measure(tasks, open))
    console.error(`${tasks} tasks done`)
  }
} finally {
  await server?.end()
  rmSync(home, { recursive: true, force: true })
}

const columns = Object.keys(results)
console.log(`| ${kind} | ${columns.map((tasks) => `${Number(tasks).toLocaleString("en")} tasks`).join(" | ")} |`)
console.log(`|---|${columns.map(() => "--:").join("|")}|`)
for (const name of Object.keys(results[columns[0]!]!)) {
  const cells = columns.map((tasks) => {
    const figure = results[tasks]![name]!
    return figure < 100 && !Number.isInteger(figure) ? figure.toFixed(2) : Math.round(figure).toLocaleString("en")
  })
  console.log(`| ${name} | ${cells.join(" | ")} |`)
}
