/**
 * What the SQL backends have in common: statements, transactions, and what differs from database to database. Statements have `?`
 * for parameters, and everything about a task or a delivery is said once, in a text that both databases understand.
 *
 * @since 0.1.0
 */
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import type { CatalogQuery, WriteError } from "./ScheduleDriver.ts"
import type { Columns } from "./SqlRow.ts"
import { StorageFailure, StorageUnknownState } from "./StorageError.ts"

/**
 * Runs a statement. It answers its rows, each an array of columns; a statement that has none answers how many it changed, as
 * the only column of one row.
 *
 * @since 0.1.0
 * @category models
 */
export type Execute = (
  sql: string,
  params?: ReadonlyArray<unknown>
) => Effect.Effect<ReadonlyArray<Columns>, SqlError.SqlError>

/**
 * Where statements run: a connection, or one transaction of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Statements {
  readonly rows: Execute
  readonly dialect: Dialect
}

/**
 * An open database.
 *
 * @since 0.1.0
 * @category models
 */
export interface SqlConnection extends Statements {
  /** Runs one writing statement as a transaction of its own, if it is the owner's; see {@link Dialect.insertTask}. */
  readonly write: (sql: string, params?: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Columns>, WriteError>
  /**
   * Runs statements in one transaction, durable when it returns and undone when they fail. They must wait for nothing else. A
   * `patient` one may go through many rows, for as long as it takes.
   */
  readonly transaction: <A>(
    statements: (transaction: Statements) => Effect.Effect<A, SqlError.SqlError | StorageFailure>,
    options?: { readonly patient: boolean }
  ) => Effect.Effect<A, WriteError>
  /**
   * The same for statements that may wait and be interrupted, which undoes them. Nobody else may use the connection meanwhile.
   */
  readonly longTransaction: <A, E>(
    statements: (transaction: Statements) => Effect.Effect<A, SqlError.SqlError | E>
  ) => Effect.Effect<A, Exclude<E, SqlError.SqlError> | WriteError>
  /** Runs reads that see one state of the database. */
  readonly snapshot: <A, E>(
    reads: (snapshot: Statements) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | SqlError.SqlError>
}

/**
 * A statement with its parameters.
 *
 * @since 0.1.0
 * @category models
 */
export type Statement = readonly [sql: string, params: ReadonlyArray<unknown>]

/**
 * What the databases say differently.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dialect {
  /** Narrows the condition on a table `tasks` to the rows of this connection: empty, or ` AND …`. */
  readonly within: string
  /** How many rows a statement has, at most, next, and so on down to one. */
  readonly batches: ReadonlyArray<number>
  /** The columns that a new row has, and those of a task. */
  readonly insertColumns: ReadonlyArray<string>
  readonly ofTask: (task: ScheduleTask) => ReadonlyArray<unknown>
  /** Adds one row if its id is new; answers a row when it did. */
  readonly insertTask: (row: ReadonlyArray<unknown>) => Statement
  readonly catalogPage: (query: CatalogQuery) => Statement
  /** The Sessions with active tasks that are due at a time, by earliest target. */
  readonly dueSessions: string
  /** The earliest active target behind a time. */
  readonly earliestTarget: string
  /** How many tasks there are, and how many of them are inactive. */
  readonly counts: string
  /** The condition on the column `task` of deliveries that they belong to some of `tasks`, whose first column is `sequence`. */
  readonly deliveriesOf: {
    readonly where: string
    readonly params: (after: number, through: number, tasks: ReadonlyArray<Columns>) => ReadonlyArray<unknown>
  }
}

/**
 * The deliveries of all tasks in a piece of the creation order.
 *
 * @since 0.1.0
 * @category constants
 */
export const deliveriesByRange: Dialect["deliveriesOf"] = {
  where: "task > ? AND task <= ?",
  params: (after, through) => [after, through]
}

/**
 * Turns what a database reports into a {@link StorageFailure} that says what was being done and why it failed.
 *
 * @since 0.1.0
 * @category errors
 */
export const failure =
  (what: string) =>
  (cause: unknown): StorageFailure =>
    new StorageFailure({ message: `${what}: ${reason(cause)}`, cause })

/**
 * What a failed commit has done, be it of a transaction or of a statement that is one: nothing, if `isUndone` can tell that from the
 * error, and else nobody knows.
 *
 * @since 0.1.0
 * @category errors
 */
export const outcome =
  (isUndone: (error: SqlError.SqlError) => boolean) =>
  (error: SqlError.SqlError): Effect.Effect<never, StorageFailure | StorageUnknownState> =>
    Effect.fail(
      isUndone(error)
        ? failure("cannot commit")(error)
        : new StorageUnknownState({
            message: `the commit may or may not have happened: ${reason(error)}`,
            cause: error
          })
    )

/**
 * The database's own words for an error.
 *
 * @since 0.1.0
 * @category getters
 */
export const reason = (error: unknown): string => {
  const { cause, code, message } = Object(error)
  return cause instanceof Error ? reason(cause) : String(message || code || error)
}

/**
 * The code of an error, such as `SQLITE_BUSY` or `23505`; empty when the database did not report it.
 *
 * @since 0.1.0
 * @category getters
 */
export const code = (error: unknown): string => {
  const { cause, code: own } = Object(error)
  return typeof own === "string" ? own : cause === undefined ? "" : code(cause)
}

/**
 * Whether a statement failed because a rule of the tables forbids what it would have written.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isConstraint = (error: unknown): boolean => /^(SQLITE_CONSTRAINT|23)/.test(code(error))
