/**
 * The PostgreSQL backend: tables in a schema of a database, which one Host has for itself, or several divide among them by shards.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as PostgresConnection from "./PostgresConnection.ts"
import type { PostgresDatabase } from "./PostgresDatabase.ts"
import * as PostgresDialect from "./PostgresDialect.ts"
import type { PostgresLock } from "./PostgresLock.ts"
import * as PostgresOwners from "./PostgresOwners.ts"
import * as PostgresSchema from "./PostgresSchema.ts"
import type * as PostgresSession from "./PostgresSession.ts"
import type { DriverConnection, Inspection, ScheduleDriver, StoredRow } from "./ScheduleDriver.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqlReads from "./SqlReads.ts"
import * as SqlRows from "./SqlRows.ts"
import * as SqlWrites from "./SqlWrites.ts"
import type { OpenError } from "./StorageError.ts"

/**
 * One of the shards that the rows of a database are divided into.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShardOf {
  readonly index: number
  readonly count: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly database: PostgresDatabase
  /**
   * The shard, for one of several Hosts that divide them among themselves; default all rows, for a Host that is alone. Opening takes
   * the shard from whoever has it. `removeInactive` goes beyond it: it removes the inactive rows of all shards.
   */
  readonly shard?: ShardOf | undefined
  /**
   * How many shards the tables shall have: they are made with so many (default `shard.count`, else `Shard.defaultCount`), and refused
   * when they are there with another number.
   */
  readonly shards?: number | undefined
  /** For tests that inject faults into writes. */
  readonly decorate?: PostgresSession.Decorate | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): ScheduleDriver => {
  const { database, shard } = options
  let lock: PostgresLock | undefined
  return {
    name: shard === undefined ? database.name : `${database.name}, shard ${shard.index}`,
    lock: Effect.gen(function* () {
      const taken = yield* database.lock(shard === undefined ? "exclusive" : "shared")
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          lock = taken
        }),
        () =>
          Effect.sync(() => {
            lock = undefined
          })
      )
    }),
    inspect: inspect(
      options,
      Effect.suspend(() => (lock === undefined ? Effect.dieMessage("the lock was not taken") : Effect.succeed(lock)))
    )
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const inspect = (
  options: Options,
  lock: Effect.Effect<PostgresLock>
): Effect.Effect<Inspection, OpenError, Scope.Scope> =>
  Effect.gen(function* () {
    const { database, shard, shards = shard?.count } = options
    const pool = yield* database.pool
    // One transaction for all reads: one state of the tables, whatever their owner writes meanwhile.
    const reading = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const rows = yield* Scope.extend(PostgresConnection.openSnapshot(pool), reading)
    const count = yield* PostgresSchema.verify(rows, database, shards)
    const end = Scope.close(reading, Exit.void)
    const opened = Effect.zipRight(
      end,
      Effect.flatMap(lock, (lock) => openForWork(options, lock))
    )
    const connect = Effect.map(opened, driverConnection)
    if (Option.isNone(count)) {
      return {
        total: 0,
        rows: Stream.empty,
        abridged: Stream.empty,
        integrity: Effect.succeed([]),
        connect,
        discard: () => Effect.void
      }
    }
    const statements = { rows, dialect: PostgresDialect.make({ count: count.value, index: shard?.index }) }
    const [total] = yield* rows(`SELECT count(*) FROM tasks WHERE true${statements.dialect.within}`)
    const unreadable = (cause: unknown) => PostgresSchema.unreadable(database.name, cause)
    return {
      total: Number(total?.[0]),
      rows: Stream.mapError(SqlRows.whole(statements), unreadable),
      abridged: Stream.mapError(SqlRows.abridged(statements), unreadable),
      integrity: Effect.succeed([]),
      connect,
      discard: (discarded: ReadonlyArray<StoredRow>) =>
        Effect.scoped(
          Effect.flatMap(opened, ({ connection }) =>
            connection.transaction((statements) => SqlWrites.discard(statements, discarded))
          )
        )
    }
  }).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(PostgresSchema.unreadable(options.database.name, cause))))

/** Takes the rows over. The tables are made when there are none. */
const openForWork = ({ database, decorate, shard, shards = shard?.count }: Options, lock: PostgresLock) =>
  Effect.gen(function* () {
    yield* lock.ensure
    const pool = yield* database.pool
    const count = yield* PostgresSchema.ensure(database, shards)
    const part = { count, index: shard?.index }
    const fence = yield* PostgresOwners.take(pool, part)
    const { isHeld, lost } = lock
    const connection = PostgresConnection.make({ name: database.name, pool, part, fence, isHeld, decorate })
    return { connection, pool, lost, token: fence.token }
  })

const driverConnection = ({
  connection,
  lost,
  pool,
  token
}: Effect.Effect.Success<ReturnType<typeof openForWork>>): DriverConnection => ({
  ...SqlReads.make(connection),
  ...SqlWrites.make(connection),
  rows: PostgresConnection.openSnapshot(pool).pipe(
    Effect.map((rows) => SqlRows.whole({ rows, dialect: connection.dialect })),
    Stream.unwrapScoped,
    Stream.mapError(SqlConnection.failure("cannot read"))
  ),
  lost,
  token
})
