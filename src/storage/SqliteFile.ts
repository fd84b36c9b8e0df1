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
import * as SqlConnection from "./SqlConnection.ts"
import * as SqliteDialect from "./SqliteDialect.ts"
import type { StorageFailure } from "./StorageError.ts"

/**
 * One open file.
 *
 * @since 0.1.0
 * @category models
 */
export interface SqliteFile extends SqlConnection.SqlConnection {
  /** Runs a statement and answers nothing. */
  readonly run: (sql: string, params?: ReadonlyArray<unknown>) => Effect.Effect<void, SqlError.SqlError>
}

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
  readonly decorate?: ((execute: SqlConnection.Execute) => SqlConnection.Execute) | undefined
}): Effect.Effect<SqliteFile, StorageFailure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => new Database(filename, { readonly }),
      catch: SqlConnection.failure(`cannot open ${filename}`)
    }),
    (database) => Effect.sync(() => database.close())
  ).pipe(Effect.map((database) => fromExecute(decorate(execute(database)))))

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
  readonly run: (...params: ReadonlyArray<unknown>) => { readonly changes: number }
}

const Database: new (filename: string, options: { readonly readonly: boolean }) => Database = createRequire(
  import.meta.url
)("better-sqlite3")

/** Statements are prepared once; there are few texts, as batches come in few sizes. */
const execute = (database: Database): SqlConnection.Execute => {
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
        return Effect.succeed([[statement.run(...params).changes]])
      } catch (cause) {
        return Effect.fail(new SqlError.SqlError({ cause, message: "cannot run a statement" }))
      }
    })
}

const fromExecute = (rows: SqlConnection.Execute): SqliteFile => {
  const run = (sql: string, params?: ReadonlyArray<unknown>) => Effect.asVoid(rows(sql, params))
  const statements: SqlConnection.Statements = { rows, dialect: SqliteDialect.dialect }
  const rollback = Effect.ignore(run("ROLLBACK"))
  const commit = Effect.catchAll(run("COMMIT"), (error) => Effect.zipRight(rollback, outcome(error)))
  const longTransaction: SqliteFile["longTransaction"] = (work) =>
    Effect.uninterruptibleMask((restore) =>
      run("BEGIN IMMEDIATE").pipe(
        Effect.zipRight(
          Effect.onExit(restore(work(statements)), (exit) => (Exit.isSuccess(exit) ? Effect.void : rollback))
        ),
        Effect.catchIf((error) => error instanceof SqlError.SqlError, SqlConnection.failure("cannot write")),
        Effect.zipLeft(commit)
      )
    )
  return {
    ...statements,
    run,
    write: (sql, params) => Effect.catchAll(rows(sql, params), outcome),
    longTransaction,
    // No other fiber runs meanwhile, so nothing reads rows that are not committed.
    transaction: (work) =>
      longTransaction(work).pipe(Effect.withMaxOpsBeforeYield(Number.MAX_SAFE_INTEGER), Effect.uninterruptible),
    snapshot: (reads) => Effect.withMaxOpsBeforeYield(reads(statements), Number.MAX_SAFE_INTEGER)
  }
}

/**
 * Whether a COMMIT failed before it could take effect: nothing has been written while another connection holds the file, and
 * on a full disk the frame that marks the commit is the last to be written, so it is not there.
 */
const isUndone = (error: SqlError.SqlError): boolean => /^SQLITE_(BUSY|FULL|CONSTRAINT)/.test(SqlConnection.code(error))

const outcome = SqlConnection.outcome(isUndone)
