/**
 * The transactions of an owner on a PostgreSQL database.
 *
 * @since 0.1.0
 */
import * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import Pg from "pg"
import * as PostgresDialect from "./PostgresDialect.ts"
import * as PostgresSession from "./PostgresSession.ts"
import * as SqlConnection from "./SqlConnection.ts"
import { StorageFailure, StorageOwnershipLost } from "./StorageError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The database as messages name it. */
  readonly name: string
  readonly pool: Pg.Pool
  readonly part: PostgresDialect.Part
  readonly fence: PostgresDialect.Fence
  /** Whether the lock that goes with the fence is still held. */
  readonly isHeld: () => boolean
  readonly decorate?: PostgresSession.Decorate | undefined
}

/**
 * A connection that reads anything and writes only while nobody has taken its rows over.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ decorate, fence, isHeld, name, part, pool }: Options): SqlConnection.SqlConnection => {
  const dialect = PostgresDialect.make(part, fence)
  const begin = (patient: boolean) => `BEGIN; ${patient ? `${takeYourTime};` : ""} ${PostgresDialect.held(fence)}`
  const lost = new StorageOwnershipLost({ message: `${name} is not this Host's any more` })

  const transact = <A, E>(
    work: (transaction: SqlConnection.Statements) => Effect.Effect<A, SqlError.SqlError | E>,
    patient: boolean,
    uninterrupted: boolean
  ) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        if (!isHeld()) return yield* lost
        const { execute, rollback } = yield* PostgresSession.reserve(pool, { decorate, patient })
        const run = Effect.gen(function* () {
          const held = yield* execute(begin(patient))
          if (held.length === 0) return yield* lost
          const answer = work({ rows: execute, dialect })
          return yield* uninterrupted ? answer : restore(answer)
        })
        const answer = yield* Effect.onError(run, () => rollback)
        const [outcome] = yield* Effect.catchAll(execute("COMMIT"), (error) =>
          Effect.zipRight(rollback, committed(error))
        )
        // The server undoes a transaction in which a statement failed, whatever it is asked for.
        if (outcome?.[0] !== "COMMIT") return yield* new StorageFailure({ message: "cannot commit: it was undone" })
        return answer
      }).pipe(
        Effect.scoped,
        Effect.catchIf((error) => error instanceof SqlError.SqlError, SqlConnection.failure("cannot write"))
      )
    )

  return {
    dialect,
    rows: PostgresSession.pooled(pool),
    write: (sql, params) =>
      Effect.suspend(() => (isHeld() ? Effect.void : lost)).pipe(
        Effect.zipRight(PostgresSession.reserve(pool, { decorate })),
        Effect.catchTag("SqlError", SqlConnection.failure("cannot write")),
        Effect.flatMap(({ execute }) => Effect.catchAll(execute(sql, params), committed)),
        Effect.scoped
      ),
    transaction: (work, { patient } = { patient: false }) => transact(work, patient, true),
    longTransaction: (work) => transact(work, true, false),
    snapshot: (reads) => snapshot(pool, dialect, reads)
  }
}

/**
 * Runs reads that see one state of the database.
 *
 * @since 0.1.0
 * @category execution
 */
export const snapshot = <A, E>(
  pool: Pg.Pool,
  dialect: SqlConnection.Dialect,
  reads: (snapshot: SqlConnection.Statements) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError.SqlError> =>
  Effect.scoped(Effect.flatMap(openSnapshot(pool), (rows) => reads({ rows, dialect })))

/**
 * A read-only transaction for the life of the scope, which may last.
 *
 * @since 0.1.0
 * @category constructors
 */
export const openSnapshot = (pool: Pg.Pool) =>
  Effect.gen(function* () {
    const { execute, rollback } = yield* PostgresSession.reserve(pool, { patient: true })
    yield* Effect.acquireRelease(
      execute(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${takeYourTime}`),
      () => rollback
    )
    return execute
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const takeYourTime = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '10min'"

/**
 * Whether the server said that nothing was written: it refused the values, the state of the transaction, the privilege or the
 * statement, chose it to end a conflict, or ran out of the time that it may take. Of anything else nobody knows.
 */
const isUndone = ({ cause }: SqlError.SqlError) =>
  cause instanceof Pg.DatabaseError && /^(22|23|25|40(?!003)|42|53300|54|55|57014)/.test(cause.code ?? "")

const committed = SqlConnection.outcome(isUndone)
