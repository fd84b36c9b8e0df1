/**
 * The tables of the sqlite backend.
 *
 * @since 0.1.0
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlConnection from "./SqlConnection.ts"
import type * as SqliteFile from "./SqliteFile.ts"
import * as SqlRow from "./SqlRow.ts"
import { DomainMalformed, DomainVersionMismatch, type OpenError } from "./StorageError.ts"

/**
 * Creates or completes the tables, all of them or none.
 *
 * @since 0.1.0
 * @category migrations
 */
export const migrate = (filename: string) =>
  Effect.flatMap(SqliteClient.make({ filename }), migrateWith).pipe(
    Effect.provide(Reactivity.layer),
    Effect.scoped,
    // A file that cannot be opened, and a migration that cannot be committed, on a full disk say, come as defects.
    Effect.catchAllDefect(Effect.fail),
    Effect.mapError(SqlConnection.failure(`cannot create the tables of ${filename}`)),
    Effect.asVoid
  )

/**
 * How many tasks a file with this schema holds; none when it is still empty. Any other file fails: with
 * {@link DomainVersionMismatch} when a newer program wrote it, with {@link DomainMalformed} when it is something else, or a
 * table, index or rule of the schema is missing, changed or added.
 *
 * @since 0.1.0
 * @category decoding
 */
export const verify = (file: SqliteFile.SqliteFile, name: string): Effect.Effect<Option.Option<number>, OpenError> =>
  Effect.gen(function* () {
    const found = yield* definitions(file)
    if (found.size === 0) return Option.none()
    if (!found.has(migrationsTable)) {
      return yield* new DomainMalformed({ message: `${name} is a database, but not a schedule store` })
    }
    const [latest] = yield* file.rows(`SELECT max(migration_id) FROM ${migrationsTable}`)
    const version = latest?.[0] ?? 0
    // killed after the first statement of the first start
    if (version === 0 && found.size === 1) return Option.none()
    if (version !== latestMigration) {
      return yield* new DomainVersionMismatch({
        message: `${name} has version ${version} of the tables, and this program knows version ${latestMigration}; open it with the program that wrote it`
      })
    }
    const expected = yield* expectedDefinitions
    for (const object of new Set([...expected.keys(), ...found.keys()])) {
      if (found.get(object) !== expected.get(object)) {
        const problem = !found.has(object)
          ? "is missing"
          : expected.has(object)
            ? "was changed"
            : "does not belong there"
        return yield* new DomainMalformed({ message: `${name}: ${object} ${problem}` })
      }
    }
    const [damage] = yield* damages(file, "quick_check")
    if (damage !== undefined) return yield* new DomainMalformed({ message: `${name} is damaged: ${damage}` })
    // A row that an index lost would never become due again.
    const [sizes = []] = yield* file.rows(tableAndIndexSizes)
    if (new Set(sizes).size > 1) {
      return yield* new DomainMalformed({ message: `${name} is damaged: its indexes do not have all tasks` })
    }
    return Option.some(Number(sizes[0]))
  }).pipe(Effect.catchTag("SqlError", (cause) => unreadable(name, cause)))

/**
 * What SQLite finds wrong with the file, comparing every index with its table.
 *
 * @since 0.1.0
 * @category decoding
 */
export const integrity = (file: SqliteFile.SqliteFile) => damages(file, "integrity_check")

/**
 * The failure of a file that SQLite cannot read.
 *
 * @since 0.1.0
 * @category errors
 */
export const unreadable = (name: string, cause: unknown) =>
  new DomainMalformed({ message: `${name} cannot be read: ${SqlConnection.reason(cause)}`, cause })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const migrateWith = (client: SqlClient.SqlClient) =>
  Effect.provideService(
    Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: migrationsTable }),
    SqlClient.SqlClient,
    client
  )

const migrationsTable = "schedule_migrations"

// A row keeps its place in creation order, `sequence`, when it is replaced. `history_ordered` says whether the deliveries
// were made in the order in which they were saved, which lets old ones be found without reading all. The rule's fields are
// null but for those of its kind; the field names of the record follow from the columns.
const tables = [
  `CREATE TABLE tasks (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    status TEXT CHECK (status IN ('active', 'inactive')),
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    prompt TEXT NOT NULL,
    scheduled_at INTEGER NOT NULL,
    after_seconds INTEGER,
    every_seconds INTEGER,
    time TEXT,
    expression TEXT,
    time_zone TEXT,
    weekdays TEXT,
    last_scheduled_at INTEGER,
    last_delivered_at INTEGER,
    last_message_id TEXT,
    earlier_unavailable INTEGER,
    earlier_pruned INTEGER,
    history_ordered INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX tasks_active ON tasks (scheduled_at, id, session_id) WHERE status IS DISTINCT FROM 'inactive'`,
  `CREATE INDEX tasks_inactive ON tasks (scheduled_at, id) WHERE status = 'inactive'`,
  `CREATE INDEX tasks_of_session ON tasks (session_id, scheduled_at) WHERE status IS DISTINCT FROM 'inactive'`,
  `CREATE TABLE deliveries (
    task INTEGER NOT NULL REFERENCES tasks (sequence) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    scheduled_at INTEGER NOT NULL,
    delivered_at INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    prompt TEXT,
    PRIMARY KEY (task, position)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX deliveries_message ON deliveries (task, message_id)`
]

const migrations = {
  "1_schedule_version_1": Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(tables, (statement) => sql.unsafe(statement), { discard: true })
  )
}
const latestMigration = Object.keys(migrations).length

const damages = (file: SqliteFile.SqliteFile, check: "quick_check" | "integrity_check") =>
  Effect.map(file.rows(`PRAGMA ${check}`), (rows) =>
    rows.map(([problem]) => String(problem)).filter((problem) => problem !== "ok")
  )

const tableAndIndexSizes = `SELECT
  (SELECT count(*) FROM tasks NOT INDEXED),
  (SELECT count(*) FROM tasks INDEXED BY sqlite_autoindex_tasks_1),
  (SELECT count(*) FROM tasks INDEXED BY tasks_active WHERE ${SqlRow.isActive})
    + (SELECT count(*) FROM tasks INDEXED BY tasks_inactive WHERE status = 'inactive'),
  (SELECT count(*) FROM tasks INDEXED BY tasks_of_session WHERE ${SqlRow.isActive})
    + (SELECT count(*) FROM tasks INDEXED BY tasks_inactive WHERE status = 'inactive')`

const selectDefinitions = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"

const definitions = (file: SqliteFile.SqliteFile) =>
  Effect.map(file.rows(selectDefinitions), (rows) => new Map(rows.map(([name, sql]) => [String(name), String(sql)])))

const expectedDefinitions = Effect.gen(function* () {
  const client = yield* SqliteClient.make({ filename: ":memory:" })
  yield* migrateWith(client)
  const rows = yield* client.unsafe<{ readonly name: string; readonly sql: string }>(selectDefinitions)
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}).pipe(
  Effect.provide(Reactivity.layer),
  Effect.scoped,
  Effect.mapError(SqlConnection.failure("cannot tell what the tables should be"))
)
