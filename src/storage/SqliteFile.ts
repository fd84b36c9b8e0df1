/**
 * A connection to one SQLite file through `@effect/sql`, at the level of its driver: statements here cost a few microseconds,
 * where the client's tagged statements, with a span each, cost as much as the durable write they carry.
 *
 * @since 0.1.0
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import * as SqlError from "@effect/sql/SqlError"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { WriteError } from "./ScheduleDriver.ts"
import { StorageFailure, StorageUnknownState } from "./StorageError.ts"

/**
 * One open connection.
 *
 * @since 0.1.0
 * @category models
 */
export interface SqliteFile {
  readonly client: SqliteClient.SqliteClient
  /** Runs a statement and answers its rows, each an array of columns. */
  readonly rows: (
    sql: string,
    params?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError.SqlError>
  /** Runs a statement that answers nothing. */
  readonly run: (sql: string, params?: ReadonlyArray<unknown>) => Effect.Effect<void, SqlError.SqlError>
  /**
   * Runs statements in one transaction, durable when it returns and undone when they fail. No other fiber runs meanwhile, so
   * nothing reads rows that are not committed: the statements must not wait for anything.
   */
  readonly transaction: <A>(
    statements: Effect.Effect<A, SqlError.SqlError | StorageFailure>
  ) => Effect.Effect<A, WriteError>
  /**
   * The same for statements that may wait and be interrupted, which undoes them: other fibers that use this connection meanwhile
   * take part in the transaction.
   */
  readonly longTransaction: <A, E>(
    statements: Effect.Effect<A, SqlError.SqlError | E>
  ) => Effect.Effect<A, Exclude<E, SqlError.SqlError> | WriteError>
}

/**
 * What runs the statements. A test may put another in its place that fails where it wants.
 *
 * @since 0.1.0
 * @category models
 */
export type Connection = Pick<SqlConnection.Connection, "executeRaw" | "executeValues">

/**
 * Opens a file for the life of the scope; it must exist when `readonly` is set.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (
  options: SqliteClient.SqliteClientConfig,
  decorate: (connection: Connection) => Connection = (connection) => connection
): Effect.Effect<SqliteFile, StorageFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* SqliteClient.make(options)
    // There is one connection per file, and it outlives the reservation, which would keep the client's own statements waiting.
    const connection = yield* Effect.scoped(client.reserve)
    return fromConnection(client, decorate(connection))
  }).pipe(
    Effect.provide(Reactivity.layer),
    // The native constructor throws when the file cannot be opened.
    Effect.catchAllDefect((cause) => failure(`cannot open ${options.filename}`)(cause)),
    Effect.catchTag("SqlError", failure(`cannot open ${options.filename}`))
  )

/**
 * Turns what SQLite reports into a {@link StorageFailure} that says what was being done and why it failed.
 *
 * @since 0.1.0
 * @category errors
 */
export const failure =
  (what: string) =>
  (cause: unknown): StorageFailure =>
    new StorageFailure({ message: `${what}: ${reason(cause)}`, cause })

/**
 * SQLite's own words for an error.
 *
 * @since 0.1.0
 * @category getters
 */
export const reason = (error: unknown): string => {
  const { cause, message } = Object(error)
  return cause instanceof Error ? reason(cause) : String(message ?? error)
}

/**
 * The code of an error, such as `SQLITE_BUSY`; empty when SQLite did not report it.
 *
 * @since 0.1.0
 * @category getters
 */
export const code = (error: unknown): string => {
  const { cause, code } = Object(error)
  return typeof code === "string" ? code : cause === undefined ? "" : codeOf(cause)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const fromConnection = (client: SqliteClient.SqliteClient, connection: Connection): SqliteFile => {
  const run = (sql: string, params: ReadonlyArray<unknown> = []) => Effect.asVoid(connection.executeRaw(sql, params))
  const rollback = Effect.ignore(run("ROLLBACK"))
  const commit = Effect.catchAll(run("COMMIT"), (error) =>
    Effect.zipRight(rollback, Effect.fail(isUndone(error) ? failure("cannot commit")(error) : unknownOutcome(error)))
  )
  const longTransaction: SqliteFile["longTransaction"] = (statements) =>
    Effect.uninterruptibleMask((restore) =>
      run("BEGIN IMMEDIATE").pipe(
        Effect.zipRight(Effect.onExit(restore(statements), (exit) => (Exit.isSuccess(exit) ? Effect.void : rollback))),
        Effect.catchIf((error) => error instanceof SqlError.SqlError, failure("cannot write")),
        Effect.zipLeft(commit)
      )
    )
  return {
    client,
    run,
    rows: (sql, params = []) => connection.executeValues(sql, params),
    longTransaction,
    transaction: (statements) =>
      longTransaction(statements).pipe(Effect.withMaxOpsBeforeYield(Number.MAX_SAFE_INTEGER), Effect.uninterruptible)
  }
}

const codeOf = (cause: unknown): string => code(cause)

/**
 * Whether a COMMIT failed before it could take effect: nothing has been written while another connection holds the file, and
 * on a full disk the frame that marks the commit is the last to be written, so it is not there.
 */
const isUndone = (error: SqlError.SqlError): boolean => /^SQLITE_(BUSY|FULL|CONSTRAINT)/.test(code(error))

const unknownOutcome = (error: SqlError.SqlError) =>
  new StorageUnknownState({ message: `the commit may or may not have happened: ${reason(error)}`, cause: error })
