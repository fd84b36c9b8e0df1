import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as Check from "../../src/storage/Check.ts"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import * as PostgresDriver from "../../src/storage/PostgresDriver.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import type * as Storage from "../../src/storage/Storage.ts"
import * as Transfer from "../../src/storage/Transfer.ts"
import * as A from "../contract/Arbitraries.ts"
import { postgresServer } from "../Postgres.ts"
import { goodId, goodRow } from "./brokenRows.ts"
import { brokenSqlRows, damages, problems } from "./brokenSqlRows.ts"
import { contents, rowsOf, temporaryDirectory } from "./fixtures.ts"

const server = postgresServer()

describe("opening PostgreSQL tables", () => {
  it.scoped.each(brokenSqlRows)("refuses a row with %s, names it, and changes nothing", ([, sql, tells]) =>
    Effect.gen(function* () {
      const storage = yield* store
      yield* tamper(storage, sql)
      const error = yield* refused(storage)
      assert.strictEqual(error._tag, "ScheduleLogError")
      assert.include(error.message, `, tasks ${goodId}: ${tells}`)
      const report = yield* Check.check(storage)
      assert.isTrue(
        report.problems.some((problem) => problem._tag === "ScheduleLogError" && problem.key === goodId),
        "check finds it"
      )
    })
  )

  it.scoped.each(brokenTables)("refuses %s, and changes nothing", ([, sql, tag, tells]) =>
    Effect.gen(function* () {
      const storage = yield* store
      yield* tamper(storage, sql)
      const error = yield* refused(storage)
      assert.strictEqual(error._tag, tag)
      assert.include(error.message, tells)
      assert.isNotEmpty((yield* Check.check(storage)).problems)
    })
  )

  it.scoped("does not mind what an operator adds beside them", () =>
    Effect.gen(function* () {
      const storage = yield* store
      yield* tamper(storage, "CREATE INDEX mine ON tasks (title)", "CREATE TABLE notes (a text)")
      assert.deepStrictEqual(yield* contents(storage), [good])
    })
  )

  it.scoped("has no room for ids that no index holds, and says so", () =>
    Effect.gen(function* () {
      const storage = yield* store
      const domain = yield* open(storage)
      const long = Array.from({ length: 3000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7919) % 20_000))).join("")
      const task = { ...good, sessionId: SessionId.make(long), record: { ...good.record, id: A.id(2) } }
      const { deliveryHistory, lastDelivery, ...created } = task
      for (const tasks of [[task], [created], [task, { ...task, record: { ...task.record, id: A.id(3) } }]]) {
        const error = yield* Effect.flip(domain.put(tasks))
        assert.strictEqual(error._tag, "StorageFailure")
        assert.include(error.message, "index row")
      }
      assert.deepStrictEqual(yield* rowsOf(domain), [good])
    })
  )

  it.scoped("counts the tasks anew", () =>
    Effect.gen(function* () {
      const storage = yield* store
      yield* tamper(storage, "UPDATE task_counts SET tasks = 7, inactive = 3")
      const domain = yield* open(storage)
      assert.deepStrictEqual(yield* domain.counts, { active: 1, inactive: 0 })
    })
  )

  it.scoped.prop(
    "finds the same with a look at the saved deliveries by the server as by decoding each",
    [A.array(A.tasks(), { minLength: 1, maxLength: 6 }), A.array(damages, { minLength: 1, maxLength: 2 })],
    ([tasks, damages]) =>
      Effect.gen(function* () {
        const storage = yield* store
        yield* Effect.scoped(Effect.flatMap(open(storage), (domain) => domain.put(tasks)))
        yield* Effect.forEach(damages, (sql) => Effect.ignore(tamper(storage, sql)))
        const { abridged, rows } = yield* driver(storage).inspect
        assert.deepStrictEqual(yield* problems(abridged), yield* problems(rows))
      }),
    { fastCheck: { numRuns: 25 } }
  )

  it.scoped("goes on after bad rows were moved aside, and takes them back mended", () =>
    Effect.gen(function* () {
      const storage = yield* store
      const other: ScheduleTask = { ...good, record: { ...good.record, id: A.id(2) } }
      yield* Effect.scoped(Effect.flatMap(open(storage), (domain) => domain.put([other])))
      yield* tamper(storage, `UPDATE tasks SET title = '' WHERE id = '${goodId}'`)
      const { file, moved } = yield* Check.repair(storage)
      assert.deepStrictEqual(
        moved.map(({ key, table }) => `${table} ${key}`),
        [`tasks ${goodId}`]
      )
      assert.include(file, storage.directory)
      assert.deepStrictEqual(yield* contents(storage), [other])
      const rejected = JSON.parse(readFileSync(file!, "utf8"))
      rejected.tables.tasks = { [goodId]: { ...rejected.tables.tasks[goodId], record: goodRow().record } }
      const bytes = Stream.make(new TextEncoder().encode(JSON.stringify(rejected)))
      yield* Transfer.importDocument(storage, { name: "mended", bytes }, { merge: true })
      assert.deepStrictEqual(yield* contents(storage), [other, good])
    })
  )
})

const good = goodRow() as unknown as ScheduleTask

/** Tables that hold the good row and were closed. */
const store = Effect.gen(function* () {
  const storage: Store = { kind: "postgres", directory: yield* temporaryDirectory, url: Redacted.make(server.url()) }
  yield* Effect.scoped(Effect.flatMap(open(storage), (domain) => domain.put([good])))
  return storage
})
type Store = Extract<Storage.Storage, { readonly kind: "postgres" }>

const driver = ({ url }: Pick<Store, "url">) => PostgresDriver.make({ database: PostgresDatabase.make({ url }) })
const open = (storage: Pick<Store, "url">) => ScheduleDomain.make(driver(storage))

const tamper = ({ url }: Store, ...statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.flatMap(PostgresDatabase.make({ url }).pool, (pool) =>
      Effect.forEach(statements, (sql) => Effect.tryPromise(() => pool.query(sql.replaceAll("char(", "chr("))))
    )
  )

const refused = (storage: Store) =>
  Effect.gen(function* () {
    const before = yield* everything(storage)
    const error = yield* Effect.flip(Effect.scoped(open(storage)))
    assert.deepStrictEqual(yield* everything(storage), before)
    return error
  })

/** The rows of every table, and what else there is. */
const everything = (storage: Store) =>
  Effect.forEach(
    [
      ...["tasks", "deliveries", "owners", "task_counts", "settings", "schedule_migrations"].map(
        (table) => `SELECT to_jsonb(t) FROM ${table} t ORDER BY 1`
      ),
      "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY relname"
    ],
    (sql) =>
      tamper(storage, sql).pipe(
        Effect.map(([result]) => result?.rows),
        Effect.orElseSucceed(() => "no such table")
      )
  )

const brokenTables: ReadonlyArray<readonly [string, sql: string, tag: string, tells: string]> = [
  [
    "a newer version",
    "INSERT INTO schedule_migrations (migration_id, name) VALUES (2, 'next')",
    "DomainVersionMismatch",
    "has version 2 of the tables, and this program knows version 1"
  ],
  ["a missing table", "DROP TABLE deliveries", "DomainMalformed", "there is no column deliveries.task bigint not null"],
  ["a missing column", "ALTER TABLE tasks DROP COLUMN prompt", "DomainMalformed", "there is no column tasks.prompt"],
  ["a missing index", "DROP INDEX tasks_active", "DomainMalformed", "there is no index tasks_active on tasks"],
  [
    "a changed index",
    "DROP INDEX tasks_active; CREATE INDEX tasks_active ON tasks (scheduled_at)",
    "DomainMalformed",
    "there is no index tasks_active on tasks (shard, scheduled_at, id)"
  ],
  [
    "a disabled trigger",
    "ALTER TABLE tasks DISABLE TRIGGER tasks_added",
    "DomainMalformed",
    "there is no trigger tasks_added"
  ],
  ["no number of shards", "DELETE FROM settings", "DomainMalformed", "the settings are missing"]
]
