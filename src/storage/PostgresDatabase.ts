/**
 * A PostgreSQL database, and the connections of this process to it.
 *
 * @since 0.1.0
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import type * as SqlError from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import Pg from "pg"
import * as PostgresLock from "./PostgresLock.ts"
import * as Shared from "./Shared.ts"
import type { DomainAlreadyOpen, StorageFailure } from "./StorageError.ts"

/**
 * A database. Its pool opens with the first scope that uses it and closes with the last, and connects when it is needed: that the
 * server does not answer is told by what uses it.
 *
 * @since 0.1.0
 * @category models
 */
export interface PostgresDatabase {
  /** The database as messages name it, without user and password. */
  readonly name: string
  /** The schema in which all tables are. */
  readonly schema: string
  /** The pool, shared by all that use it at the same time. */
  readonly pool: Effect.Effect<Pg.Pool, never, Scope.Scope>
  /** The same pool for `@effect/sql`. */
  readonly client: Effect.Effect<PgClient.PgClient, SqlError.SqlError, Scope.Scope>
  /**
   * The lock on the tables, on a connection of its own: `exclusive` for a Host that is alone, `shared` for those that divide the shards
   * among them, of which one process has one for all. The two exclude each other.
   */
  readonly lock: (
    mode: PostgresLock.Mode
  ) => Effect.Effect<PostgresLock.PostgresLock, DomainAlreadyOpen | StorageFailure, Scope.Scope>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * `postgres://user:password@host:port/database`; what node-postgres knows as parameters may follow, such as `sslmode`. The parameter
   * `schema` names the schema, which is made when it is absent; default `host_schedule`.
   */
  readonly url: Redacted.Redacted
  /** How many connections the pool opens at most; default 10. A lock has one more. */
  readonly maxConnections?: number | undefined
  /**
   * How long a statement may take, on the server and on the way to it, before it counts as failed; default 10 seconds. What goes
   * through many rows has no limit.
   */
  readonly statementTimeout?: Duration.DurationInput | undefined
}

/**
 * Whether a text is the URL of a database.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isUrl = (text: string): boolean => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)

/**
 * A database by its URL, which must be one; see {@link isUrl}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): PostgresDatabase => {
  const { config, name, schema } = configuration(options)
  const pool = Shared.make(open(config))
  const lock = (mode: PostgresLock.Mode) => PostgresLock.make({ name, schema, config, mode })
  const shared = Shared.make(lock("shared"))
  return {
    name,
    schema,
    pool,
    client: Effect.provide(PgClient.fromPool({ acquire: pool }), Reactivity.layer),
    lock: (mode) => (mode === "shared" ? shared : lock(mode))
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const defaultSchema = "host_schedule"

const configuration = ({ maxConnections = 10, statementTimeout = "10 seconds", url }: Options) => {
  const parsed = new URL(Redacted.value(url))
  const schema = parsed.searchParams.get("schema") ?? defaultSchema
  const millis = Duration.toMillis(statementTimeout)
  const settings = {
    search_path: `"${schema.replaceAll('"', '""')}"`,
    synchronous_commit: "on",
    // the leases of a cluster are timestamps without a zone
    timezone: "UTC",
    statement_timeout: millis,
    lock_timeout: millis,
    // A Host that is paused within a transaction must not hold its locks for ever, nor one whose machine is gone.
    idle_in_transaction_session_timeout: 5_000,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    // Every statement is made for an index. Statistics that lag behind a table that grows must not choose otherwise.
    enable_seqscan: "off",
    enable_hashjoin: "off",
    enable_mergejoin: "off",
    max_parallel_workers_per_gather: 0,
    random_page_cost: 1.1,
    jit: "off"
  }
  const ours = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${escapeOption(String(value))}`)
  parsed.searchParams.set("options", [...ours, parsed.searchParams.get("options") ?? ""].join(" ").trim())
  parsed.searchParams.delete("schema")
  return {
    name: `postgres://${parsed.host}${parsed.pathname}${schema === defaultSchema ? "" : ` (schema ${schema})`}`,
    schema,
    config: {
      connectionString: parsed.href,
      application_name: "host-schedule",
      max: maxConnections,
      connectionTimeoutMillis: 5_000,
      // longer than a nap of the timer, which would connect anew each time
      idleTimeoutMillis: 120_000,
      // later than the server's own limit, which says more
      query_timeout: millis + 2_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000
    } satisfies Pg.PoolConfig
  }
}

/** A value within the parameter `options`, where blanks separate. */
const escapeOption = (value: string) => value.replaceAll(/[\\\s]/g, (character) => `\\${character}`)

const open = (config: Pg.PoolConfig) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pg.Pool(config)
      // A connection that is lost while nobody uses it is nobody's failure.
      pool.on("error", () => {})
      return pool
    }),
    (pool) => Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("1 seconds"))
  )
