import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Stream } from "effect"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as Check from "../../src/storage/Check.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import type * as SqlConnection from "../../src/storage/SqlConnection.ts"
import * as SqliteDriver from "../../src/storage/SqliteDriver.ts"
import * as SqliteFile from "../../src/storage/SqliteFile.ts"
import * as Transfer from "../../src/storage/Transfer.ts"
import * as A from "../contract/Arbitraries.ts"
import { goodId, goodRow } from "./brokenRows.ts"
import { brokenSqlRows, damages, problems } from "./brokenSqlRows.ts"
import { contents, temporaryDirectory } from "./fixtures.ts"

describe("opening a sqlite file", () => {
  it.scoped.each(brokenSqlRows)("refuses a row with %s, names it, and changes nothing", ([, sql, tells]) =>
    Effect.gen(function* () {
      const directory = yield* store
      yield* tamper(directory, sql)
      const error = yield* refused(directory)
      assert.strictEqual(error._tag, "ScheduleLogError")
      assert.include(error.message, `${join(directory, "schedule.db")}, tasks ${goodId}: ${tells}`)
      const report = yield* Check.check({ kind: "sqlite", directory })
      assert.isTrue(
        report.problems.some((problem) => problem._tag === "ScheduleLogError" && problem.key === goodId),
        "check finds it"
      )
    })
  )

  it.scoped.each(brokenFiles)("refuses %s, and changes nothing", ([, damage, tag, tells]) =>
    Effect.gen(function* () {
      const directory = yield* store
      yield* damage(directory)
      const error = yield* refused(directory)
      assert.strictEqual(error._tag, tag)
      assert.include(error.message, tells)
      assert.include(error.message, directory)
      assert.isNotEmpty((yield* Check.check({ kind: "sqlite", directory })).problems)
    })
  )

  it.scoped("refuses a path that is not a file", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      mkdirSync(join(directory, "schedule.db"))
      assert.strictEqual((yield* Effect.flip(open(directory)))._tag, "DomainMalformed")
    })
  )

  it.scoped.each([
    ["there is no file", () => Effect.void],
    ["the file has nothing in it", (path: string) => Effect.sync(() => writeFileSync(path, ""))],
    [
      "a first start was killed before the tables were there",
      (path: string) =>
        Effect.scoped(
          Effect.flatMap(SqliteFile.open({ filename: path }), (file) =>
            file.run(
              "CREATE TABLE schedule_migrations (migration_id integer PRIMARY KEY NOT NULL, " +
                "created_at datetime NOT NULL DEFAULT current_timestamp, name VARCHAR(255) NOT NULL)"
            )
          )
        )
    ]
  ] as const)("opens empty where %s", ([, prepare]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* prepare(join(directory, "schedule.db"))
      const domain = yield* open(directory)
      assert.deepStrictEqual(yield* domain.catalog, [])
      yield* domain.put([good])
      assert.strictEqual((yield* domain.catalog).length, 1)
    })
  )

  it.scoped("works on a log that is synced at every commit, so that what returned outlives a loss of power", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      let ask: SqlConnection.Execute = () => Effect.succeed([])
      const decorate = (execute: SqlConnection.Execute) => {
        ask = execute
        return execute
      }
      yield* ScheduleDomain.make(SqliteDriver.make({ directory, decorate }))
      assert.deepStrictEqual(yield* ask("PRAGMA journal_mode"), [["wal"]])
      assert.deepStrictEqual(yield* ask("PRAGMA synchronous"), [[2]], "FULL")
    })
  )

  it.scoped("opens a copy that was made by VACUUM INTO while the Host ran", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const copy = yield* temporaryDirectory
      const domain = yield* open(directory)
      yield* domain.put([good])
      yield* sqlite(join(directory, "schedule.db"), [`VACUUM INTO '${join(copy, "schedule.db")}'`])
      const catalog = yield* Effect.flatMap(open(copy), (domain) => domain.catalog)
      assert.deepStrictEqual(catalog, yield* domain.catalog)
    })
  )
})

describe("validating a sqlite file", () => {
  it.scoped.prop(
    "finds the same with a look at the saved deliveries by SQLite as by decoding each",
    [A.array(A.tasks(), { minLength: 1, maxLength: 6 }), A.array(damages, { minLength: 1, maxLength: 2 })],
    ([tasks, damages]) =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.scoped(Effect.flatMap(open(directory), (domain) => domain.put(tasks)))
        yield* Effect.forEach(damages, (sql) => Effect.ignore(tamper(directory, sql)))
        const { abridged, rows } = yield* SqliteDriver.make({ directory }).inspect
        assert.deepStrictEqual(yield* problems(abridged), yield* problems(rows))
      }),
    { fastCheck: { numRuns: 25 } }
  )
})

describe("repairing a sqlite file", () => {
  it.scoped("moves bad rows and deliveries of no task into a file that is named, and leaves the others", () =>
    Effect.gen(function* () {
      const directory = yield* store
      const storage = { kind: "sqlite", directory } as const
      yield* Effect.scoped(Effect.flatMap(open(directory), (domain) => domain.put([other])))
      yield* tamper(
        directory,
        `UPDATE tasks SET title = '' WHERE id = '${goodId}'`,
        "INSERT INTO deliveries VALUES (99, 0, 0, 0, 'lost', NULL)"
      )
      const { file, moved } = yield* Check.repair(storage)
      assert.deepStrictEqual(
        moved.map(({ key, table }) => `${table} ${key}`),
        [`tasks ${goodId}`, "deliveries 99/0"]
      )
      assert.deepStrictEqual((yield* Check.check(storage)).problems, [])
      yield* Effect.scoped(
        Effect.flatMap(open(directory), (domain) =>
          Effect.map(domain.catalog, (catalog) =>
            assert.deepStrictEqual(
              catalog.map(({ record }) => record),
              [other.record]
            )
          )
        )
      )
      const rejected = JSON.parse(readFileSync(file!, "utf8"))
      rejected.tables.tasks = { [goodId]: { ...rejected.tables.tasks[goodId], record: goodRow().record } }
      const bytes = Stream.make(new TextEncoder().encode(JSON.stringify(rejected)))
      yield* Transfer.importDocument(storage, { name: "mended", bytes }, { merge: true })
      assert.deepStrictEqual(yield* contents(storage), [other, good])
    })
  )

  it.scoped("moves nothing when the indexes do not have the bad row as it is", () =>
    Effect.gen(function* () {
      const directory = yield* store
      // the row itself, and not its entries in the indexes
      yield* write((bytes) => {
        bytes.write("S", bytes.indexOf(`${goodId}${good.sessionId}active`))
        return bytes
      })(directory)
      const before = bytesIn(directory)
      const error = yield* Effect.flip(Check.repair({ kind: "sqlite", directory }))
      assert.strictEqual(error._tag, "DomainMalformed")
      assert.include(error.message, `${join(directory, "schedule.db")} is damaged: row 1 missing from index`)
      assert.deepStrictEqual(bytesIn(directory), before)
    })
  )
})

const open = (directory: string) => ScheduleDomain.make(SqliteDriver.make({ directory }))

const good = goodRow() as unknown as ScheduleTask
const other: ScheduleTask = { ...good, record: { ...good.record, id: A.id(2) } }

/** A directory whose store holds the good row and was closed. */
const store = Effect.tap(temporaryDirectory, (directory) =>
  Effect.scoped(Effect.flatMap(open(directory), (domain) => domain.put([good])))
)

const sqlite = (filename: string, statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.flatMap(SqliteFile.open({ filename }), (file) =>
      Effect.forEach(statements, (statement) => file.run(statement), { discard: true })
    )
  )

const tamper = (directory: string, ...statements: ReadonlyArray<string>) =>
  sqlite(join(directory, "schedule.db"), ["PRAGMA foreign_keys = OFF", ...statements])

const refused = (directory: string) =>
  Effect.gen(function* () {
    const before = bytesIn(directory)
    const exit = yield* Effect.exit(Effect.flip(Effect.scoped(open(directory))))
    assert.isTrue(Exit.isSuccess(exit), "it opened")
    assert.deepStrictEqual(bytesIn(directory), before)
    return yield* exit
  })

const bytesIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name !== "host.lock")
    .map((name) => [name, readFileSync(join(directory, name)).toString("latin1")])

const write = (damage: (bytes: Buffer) => Buffer) => (directory: string) =>
  Effect.sync(() => {
    const file = join(directory, "schedule.db")
    writeFileSync(file, damage(readFileSync(file)))
  })
/** Writes an empty leaf over the root page of an index. */
const emptyIndex = (name: string) => (directory: string) =>
  Effect.gen(function* () {
    const filename = join(directory, "schedule.db")
    const file = yield* SqliteFile.open({ filename, readonly: true })
    const [row] = yield* file.rows("SELECT rootpage FROM sqlite_master WHERE name = ?", [name])
    const leaf = Buffer.alloc(4096)
    leaf.set([10, 0, 0, 0, 0, 16, 0])
    yield* write((bytes) =>
      Buffer.concat([bytes.subarray(0, (Number(row?.[0]) - 1) * 4096), leaf, bytes.subarray(Number(row?.[0]) * 4096)])
    )(directory)
  }).pipe(Effect.scoped)

const ddl =
  (...statements: ReadonlyArray<string>) =>
  (directory: string) =>
    tamper(directory, ...statements)

const brokenFiles: ReadonlyArray<
  readonly [string, (directory: string) => Effect.Effect<void, unknown>, tag: string, tells: string]
> = [
  [
    "a text file",
    write(() => Buffer.from("not a database, but long enough to look like one ".repeat(20))),
    "DomainMalformed",
    "file is not a database"
  ],
  [
    "a json document",
    write(() => Buffer.from('{"unit":{"name":"schedule","version":1}}')),
    "DomainMalformed",
    "file is not a database"
  ],
  [
    "a file without its end",
    (directory) => Effect.sync(() => truncateSync(join(directory, "schedule.db"), 8192)),
    "DomainMalformed",
    "cannot be read"
  ],
  ["a page of zeros", write((bytes) => bytes.fill(0, 4096, 8192)), "DomainMalformed", "cannot be read"],
  ["a page of noise", write((bytes) => bytes.fill(0xa5, bytes.length - 4096)), "DomainMalformed", "is damaged"],
  [
    "another database",
    ddl("DROP TABLE schedule_migrations"),
    "DomainMalformed",
    "is a database, but not a schedule store"
  ],
  [
    "a newer version",
    ddl("INSERT INTO schedule_migrations (migration_id, name) VALUES (2, 'next')"),
    "DomainVersionMismatch",
    "has version 2 of the tables, and this program knows version 1"
  ],
  ["an older version", ddl("DELETE FROM schedule_migrations"), "DomainVersionMismatch", "has version 0"],
  ["an index that lost a row", emptyIndex("tasks_active"), "DomainMalformed", "its indexes do not have all tasks"],
  ["a missing index", ddl("DROP INDEX tasks_active"), "DomainMalformed", "tasks_active is missing"],
  ["a missing table", ddl("DROP TABLE deliveries"), "DomainMalformed", "deliveries is missing"],
  [
    "a changed index",
    ddl("DROP INDEX tasks_active", "CREATE INDEX tasks_active ON tasks (scheduled_at)"),
    "DomainMalformed",
    "tasks_active was changed"
  ],
  ["a column too many", ddl("ALTER TABLE tasks ADD COLUMN note TEXT"), "DomainMalformed", "tasks was changed"],
  [
    "a trigger",
    ddl("CREATE TRIGGER t AFTER DELETE ON tasks BEGIN SELECT 1; END"),
    "DomainMalformed",
    "t does not belong there"
  ],
  ["a table of somebody else", ddl("CREATE TABLE notes (a)"), "DomainMalformed", "notes does not belong there"],
  [
    "deliveries of no task",
    ddl("INSERT INTO deliveries VALUES (99, 0, 0, 0, 'm', NULL)"),
    "ScheduleLogError",
    "deliveries 99/0: belongs to no task"
  ],
  [
    "a task without its deliveries' number",
    ddl("UPDATE tasks SET sequence = 7"),
    "ScheduleLogError",
    "lastDelivery must equal the newest record"
  ]
]
