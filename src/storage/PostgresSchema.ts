/**
 * The tables of the PostgreSQL backend.
 *
 * @since 0.1.0
 */
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PostgresDatabase } from "./PostgresDatabase.ts"
import * as PostgresDefinitions from "./PostgresDefinitions.ts"
import * as PostgresSession from "./PostgresSession.ts"
import * as Shard from "./Shard.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqlRow from "./SqlRow.ts"
import { DomainMalformed, DomainVersionMismatch, type OpenError, type StorageFailure } from "./StorageError.ts"

/**
 * How many shards the tables have, which are made when there are none, with the number that is wanted.
 *
 * @since 0.1.0
 * @category migrations
 */
export const ensure = (database: PostgresDatabase, wanted?: number): Effect.Effect<number, OpenError> => {
  const count = database.pool.pipe(
    Effect.flatMap((pool) => verify(PostgresSession.pooled(pool), database, wanted)),
    Effect.scoped
  )
  return Effect.flatMap(
    count,
    Option.match({
      onSome: Effect.succeed,
      onNone: () => Effect.zipRight(migrate(database, wanted), Effect.map(count, Option.getOrThrow))
    })
  )
}

/**
 * How many shards the tables have; none when there are no tables. Another number than is wanted fails as another version does. Tables of another version fail with
 * {@link DomainVersionMismatch}, and tables of which something is missing or was changed with {@link DomainMalformed}.
 *
 * @since 0.1.0
 * @category decoding
 */
export const verify = (
  execute: SqlConnection.Execute,
  { name, schema }: Pick<PostgresDatabase, "name" | "schema">,
  wanted?: number
): Effect.Effect<Option.Option<number>, OpenError> =>
  Effect.gen(function* () {
    const [exists] = yield* execute(
      "SELECT to_regclass(format('%I.%I', CAST(? AS text), CAST(? AS text))) IS NOT NULL",
      [schema, migrationsTable]
    )
    if (exists?.[0] !== true) return Option.none()
    const [latest] = yield* execute(`SELECT max(migration_id) FROM ${migrationsTable}`)
    const version = latest?.[0] ?? 0
    // a first start that was killed before the tables were there
    if (version === 0) return Option.none()
    if (version !== latestMigration) {
      return yield* new DomainVersionMismatch({
        message: `${name} has version ${version} of the tables, and this program knows version ${latestMigration}; open it with the program that wrote it`
      })
    }
    const missing = yield* PostgresDefinitions.missing(execute, schema)
    if (missing !== undefined) {
      return yield* new DomainMalformed({ message: `${name}: the tables were changed; there is no ${missing}` })
    }
    const [settings] = yield* execute("SELECT shards FROM settings")
    if (settings === undefined) return yield* new DomainMalformed({ message: `${name}: the settings are missing` })
    const count = Number(settings[0])
    if (wanted !== undefined && wanted !== count) {
      return yield* new DomainVersionMismatch({
        message: `${name} has ${count} shards, and ${wanted} were asked for; the number cannot be changed once it is made; leave it out`
      })
    }
    return Option.some(count)
  }).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(unreadable(name, cause))))

/**
 * The failure of a database that cannot be read: one that does not answer may do so later, so only what it answers is told as
 * damage.
 *
 * @since 0.1.0
 * @category errors
 */
export const unreadable = (name: string, cause: unknown): StorageFailure | DomainMalformed =>
  /^(42|22|XX)/.test(SqlConnection.code(cause))
    ? new DomainMalformed({ message: `${name} cannot be read: ${SqlConnection.reason(cause)}`, cause })
    : SqlConnection.failure(`cannot read ${name}`)(cause)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Creates or completes the tables, all of them or none. */
const migrate = (database: PostgresDatabase, shards = Shard.defaultCount): Effect.Effect<void, StorageFailure> =>
  Effect.gen(function* () {
    const pool = yield* database.pool
    const { execute } = yield* PostgresSession.reserve(pool)
    // Several Hosts may start at once.
    yield* Effect.acquireRelease(execute("SELECT pg_advisory_lock(?, hashtext(?))", [turn, database.schema]), () =>
      Effect.ignore(execute("SELECT pg_advisory_unlock_all()"))
    )
    yield* execute(`CREATE SCHEMA IF NOT EXISTS "${database.schema.replaceAll('"', '""')}"`)
    const client = yield* database.client
    yield* Effect.provideService(
      Migrator.make({})({ loader: Migrator.fromRecord(migrations(shards)), table: migrationsTable }),
      SqlClient.SqlClient,
      client
    )
  }).pipe(
    Effect.scoped,
    Effect.catchAllDefect(Effect.fail),
    Effect.mapError(SqlConnection.failure(`cannot create the tables of ${database.name}`))
  )

const turn = 0x4853_434d
const migrationsTable = "schedule_migrations"

// Text is compared byte by byte, as the other backends do. A row keeps its place in creation order, `sequence`, when it is
// replaced. What the columns of a task mean is said with those of sqlite. Rows of tasks are updated at every delivery, and the
// vacuum that follows should not wait for a fifth of a large table.
const tables = (shards: number) => [
  "CREATE TABLE settings (shards bigint NOT NULL)",
  `INSERT INTO settings VALUES (${shards})`,
  `CREATE TABLE owners (shard bigint PRIMARY KEY, token bigint NOT NULL, owner text NOT NULL) WITH (fillfactor = 50)`,
  `INSERT INTO owners SELECT shard, 0, '' FROM generate_series(-1, ${shards - 1}) AS s (shard)`,
  `CREATE TABLE task_counts (shard bigint PRIMARY KEY, tasks bigint NOT NULL, inactive bigint NOT NULL) WITH (fillfactor = 50)`,
  `INSERT INTO task_counts SELECT shard, 0, 0 FROM generate_series(0, ${shards - 1}) AS s (shard)`,
  `CREATE TABLE tasks (
    sequence bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    shard bigint NOT NULL CHECK (shard >= 0 AND shard < ${shards}),
    id text COLLATE "C" NOT NULL UNIQUE,
    session_id text COLLATE "C" NOT NULL,
    status text CHECK (status IN ('active', 'inactive')),
    kind text NOT NULL,
    title text NOT NULL,
    prompt text NOT NULL,
    scheduled_at bigint NOT NULL,
    after_seconds bigint,
    every_seconds bigint,
    time text,
    expression text,
    time_zone text,
    weekdays text,
    last_scheduled_at bigint,
    last_delivered_at bigint,
    last_message_id text,
    earlier_unavailable bigint,
    earlier_pruned bigint,
    history_ordered bigint NOT NULL
  ) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`,
  `CREATE INDEX tasks_active ON tasks (shard, scheduled_at, id) WHERE ${SqlRow.isActive}`,
  "CREATE INDEX tasks_inactive ON tasks (shard, scheduled_at, id) WHERE status = 'inactive'",
  `CREATE INDEX tasks_of_session ON tasks (session_id, scheduled_at) WHERE ${SqlRow.isActive}`,
  "CREATE INDEX tasks_of_shard ON tasks (shard, sequence)",
  `CREATE TABLE deliveries (
    task bigint NOT NULL REFERENCES tasks (sequence) ON DELETE CASCADE,
    position bigint NOT NULL,
    scheduled_at bigint NOT NULL,
    delivered_at bigint NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    prompt text COLLATE "C",
    PRIMARY KEY (task, position)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  "CREATE UNIQUE INDEX deliveries_message ON deliveries (task, message_id)",
  `CREATE FUNCTION count_tasks() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${count("SELECT shard, status, 1 AS n FROM added")};
      ELSIF TG_OP = 'DELETE' THEN
        ${count("SELECT shard, status, -1 AS n FROM gone")};
      ELSE
        ${count("SELECT shard, status, 1 AS n FROM added UNION ALL SELECT shard, status, -1 FROM gone")};
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER tasks_added AFTER INSERT ON tasks REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_tasks()`,
  `CREATE TRIGGER tasks_changed AFTER UPDATE ON tasks REFERENCING NEW TABLE AS added OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION count_tasks()`,
  `CREATE TRIGGER tasks_removed AFTER DELETE ON tasks REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION count_tasks()`
]

/** Adds rows to the counts of their shards, each `n` times. */
const count = (rows: string) => `UPDATE task_counts c SET tasks = c.tasks + d.tasks, inactive = c.inactive + d.inactive
          FROM (SELECT shard, sum(n) AS tasks, coalesce(sum(n) FILTER (WHERE status = 'inactive'), 0) AS inactive
            FROM (${rows}) AS r GROUP BY shard) AS d
          WHERE c.shard = d.shard AND (d.tasks <> 0 OR d.inactive <> 0)`

const migrations = (shards: number) => ({
  "1_schedule_version_1": Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(tables(shards), (statement) => sql.unsafe(statement), { discard: true })
  )
})
const latestMigration = 1
