/**
 * A connection to one SQLite file. Statements go to better-sqlite3 directly: through the client of `@effect/sql` each one costs
 * several times as much, and a transaction of tagged statements as much as the disk's sync. Migrations use the client.
 *
 * @since 0.1.0
 */
import { createRequire } from "node:module"
import * as SqlError from "@effect/sql/SqlError"
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
  /** Runs a statement and answers its rows, each an array of columns. */
  readonly rows: (
    sql: string,
    params?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError.SqlError>
  /** Runs a statement that answers nothing. */
  readonly run: (sql: string, params?: ReadonlyArray<unknown>) => Effect.Effect<void, SqlError.SqlError>
  /** Runs one writing statement as a transaction of its own. */
  readonly write: (
    sql: string,
    params?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, WriteError>
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
 * What runs a statement and answers its rows. A test may put another in its place that fails where it wants.
 *
 * @since 0.1.0
 * @category models
 */
export type Execute = SqliteFile["rows"]

/**
 * Opens a file for the life of the scope. It must exist when `readonly` is set.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = ({
  decorate = (execute) => execute,
  filename,
  readonly = false
}: {
  readonly filename: string
  readonly readonly?: boolean
  readonly decorate?: ((execute: Execute) => Execute) | undefined
}): Effect.Effect<SqliteFile, StorageFailure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => new Database(filename, { readonly }), catch: failure(`cannot open ${filename}`) }),
    (database) => Effect.sync(() => database.close())
  ).pipe(Effect.map((database) => fromExecute(decorate(execute(database)))))

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

interface Database {
  readonly prepare: (sql: string) => Statement
  readonly close: () => void
}

interface Statement {
  /** Whether it answers rows. */
  readonly reader: boolean
  readonly raw: (arrays: boolean) => void
  readonly all: (...params: ReadonlyArray<unknown>) => ReadonlyArray<ReadonlyArray<unknown>>
  readonly run: (...params: ReadonlyArray<unknown>) => void
}

const Database: new (filename: string, options: { readonly readonly: boolean }) => Database = createRequire(
  import.meta.url
)("better-sqlite3")

/** Statements are prepared once; there are few texts, as batches come in few sizes. */
const execute = (database: Database): Execute => {
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    const statement = database.prepare(sql)
    if (statement.reader) statement.raw(true)
    prepared.set(sql, statement)
    return statement
  }
  return (sql, params = []) =>
    Effect.suspend(() => {
      try {
        const statement = prepared.get(sql) ?? prepare(sql)
        if (statement.reader) return Effect.succeed(statement.all(...params))
        statement.run(...params)
        return nothing
      } catch (cause) {
        return Effect.fail(new SqlError.SqlError({ cause, message: "cannot run a statement" }))
      }
    })
}

const nothing = Effect.succeed([])

const fromExecute = (rows: Execute): SqliteFile => {
  const run = (sql: string, params?: ReadonlyArray<unknown>) => Effect.asVoid(rows(sql, params))
  const rollback = Effect.ignore(run("ROLLBACK"))
  const commit = Effect.catchAll(run("COMMIT"), (error) => Effect.zipRight(rollback, outcome(error)))
  const longTransaction: SqliteFile["longTransaction"] = (statements) =>
    Effect.uninterruptibleMask((restore) =>
      run("BEGIN IMMEDIATE").pipe(
        Effect.zipRight(Effect.onExit(restore(statements), (exit) => (Exit.isSuccess(exit) ? Effect.void : rollback))),
        Effect.catchIf((error) => error instanceof SqlError.SqlError, failure("cannot write")),
        Effect.zipLeft(commit)
      )
    )
  return {
    run,
    rows,
    write: (sql, params) => Effect.catchAll(rows(sql, params), outcome),
    longTransaction,
    transaction: (statements) =>
      longTransaction(statements).pipe(Effect.withMaxOpsBeforeYield(Number.MAX_SAFE_INTEGER), Effect.uninterruptible)
  }
}

const codeOf = (cause: unknown): string => code(cause)

/** What a failed commit has done, be it of a transaction or of a statement that is one. */
const outcome = (error: SqlError.SqlError): Effect.Effect<never, WriteError> =>
  Effect.fail(
    isUndone(error)
      ? failure("cannot commit")(error)
      : new StorageUnknownState({ message: `the commit may or may not have happened: ${reason(error)}`, cause: error })
  )

/**
 * Whether a COMMIT failed before it could take effect: nothing has been written while another connection holds the file, and
 * on a full disk the frame that marks the commit is the last to be written, so it is not there.
 */
const isUndone = (error: SqlError.SqlError): boolean => /^SQLITE_(BUSY|FULL|CONSTRAINT)/.test(code(error))
