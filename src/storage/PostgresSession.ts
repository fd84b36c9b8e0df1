/**
 * Statements on one PostgreSQL connection.
 *
 * @since 0.1.0
 */
import * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import Pg from "pg"
import type { Execute } from "./SqlConnection.ts"
import type { Columns } from "./SqlRow.ts"

/**
 * A connection that belongs to one scope. Several statements at once, behind one another, may stand in a text without
 * parameters; it answers the rows of the last.
 *
 * @since 0.1.0
 * @category models
 */
export interface PostgresSession {
  readonly execute: Execute
  /** Undoes the transaction that is open, if there is one. */
  readonly rollback: Effect.Effect<void>
}

/**
 * What runs a statement, for tests that inject faults.
 *
 * @since 0.1.0
 * @category models
 */
export type Decorate = (execute: Execute) => Execute

/**
 * Takes a connection of the pool for the life of the scope. One that was interrupted within a statement, or could not undo a
 * transaction, does not come back. `patient` statements may take as long as they need.
 *
 * @since 0.1.0
 * @category constructors
 */
export const reserve = (
  pool: Pg.Pool,
  {
    decorate = (execute) => execute,
    patient = false
  }: { readonly decorate?: Decorate | undefined; readonly patient?: boolean } = {}
): Effect.Effect<PostgresSession, SqlError.SqlError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Loan, SqlError.SqlError>((resume) =>
        lend(pool, (cause, loan) => resume(loan === undefined ? failed(cause) : Effect.succeed(loan)))
      ),
      (loan) => Effect.sync(() => giveBack(loan))
    ),
    (loan) => {
      const execute = decorate((sql, params) => Effect.async((resume) => use(loan, sql, params, patient, resume)))
      const undo = Effect.catchAll(execute("ROLLBACK"), () =>
        Effect.sync(() => {
          loan.broken = true
        })
      )
      return { execute, rollback: Effect.suspend(() => (loan.broken ? Effect.void : Effect.asVoid(undo))) }
    }
  )

/**
 * Runs single reads on any connection of the pool. A read whose caller goes away is run to its end.
 *
 * @since 0.1.0
 * @category constructors
 */
export const pooled =
  (pool: Pg.Pool): Execute =>
  (sql, params) =>
    Effect.async((resume) =>
      lend(pool, (cause, loan) => {
        if (loan === undefined) return resume(failed(cause))
        use(loan, sql, params, false, (answer) => {
          giveBack(loan)
          resume(answer)
        })
      })
    )

/**
 * Connects a client.
 *
 * @since 0.1.0
 * @category execution
 */
export const connect = (client: Pg.Client): Effect.Effect<void, SqlError.SqlError> =>
  Effect.async((resume) => {
    client.connect((cause: Error | null) => resume(cause ? failed(cause) : Effect.void))
  })

/**
 * Runs a statement on a connection.
 *
 * @since 0.1.0
 * @category execution
 */
export const query = (client: Pg.ClientBase, sql: string, params?: ReadonlyArray<unknown>) =>
  Effect.async<ReadonlyArray<Columns>, SqlError.SqlError>((resume) =>
    send(client, sql, params, false, (cause, rows) => resume(cause ? failed(cause) : Effect.succeed(rows)))
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Loan {
  readonly client: Pg.PoolClient
  readonly onError: () => void
  /** Whether it is of no use to others: it was lost, or runs a statement that nobody waits for. */
  broken: boolean
}

const lend = (pool: Pg.Pool, then: (cause: Error | undefined, loan?: Loan) => void) =>
  pool.connect((cause, client) => {
    if (client === undefined) return then(cause)
    const loan: Loan = {
      client,
      broken: false,
      onError: () => {
        loan.broken = true
      }
    }
    client.on("error", loan.onError)
    then(undefined, loan)
  })

const giveBack = ({ broken, client, onError }: Loan) => {
  client.release(broken)
  // It may tell once more that it was lost.
  if (!broken) client.off("error", onError)
}

type Answer = Effect.Effect<ReadonlyArray<Columns>, SqlError.SqlError>

const use = (
  loan: Loan,
  sql: string,
  params: ReadonlyArray<unknown> | undefined,
  patient: boolean,
  resume: (answer: Answer) => void
) => {
  loan.broken = true
  send(loan.client, sql, params, patient, (cause, rows) => {
    // Any other failure than one that the server reports may have left an answer on the way.
    loan.broken = cause !== null && !isReported(cause)
    resume(cause === null ? Effect.succeed(rows) : failed(cause))
  })
}

const isReported = (cause: unknown) => cause instanceof Pg.DatabaseError && !/^(08|57P)/.test(cause.code ?? "")

const send = (
  client: Pg.ClientBase,
  sql: string,
  params: ReadonlyArray<unknown> | undefined,
  patient: boolean,
  answer: (cause: Error | null, rows: ReadonlyArray<Columns>) => void
) =>
  client.query(
    {
      ...prepared(sql, params),
      ...(params !== undefined && params.length > 0 && { values: [...params] }),
      rowMode: "array",
      types,
      ...(patient && { query_timeout: aDay })
    },
    (cause: Error | null, result: Pg.QueryArrayResult | ReadonlyArray<Pg.QueryArrayResult>) => {
      if (cause) return answer(cause, [])
      const last: Pg.QueryArrayResult | undefined = Array.isArray(result) ? result.at(-1) : result
      answer(
        null,
        last === undefined || last.fields.length > 0 ? (last?.rows ?? []) : [[last.rowCount ?? last.command]]
      )
    }
  )

const failed = (cause: unknown) => Effect.fail(new SqlError.SqlError({ cause, message: "cannot run a statement" }))

const aDay = 86_400_000

/** Numbers the parameters, which stand as `?` in the statements that all databases share. */
const numbered = (sql: string): string => {
  const known = texts.get(sql)
  if (known !== undefined) return known
  let count = 0
  const text = sql.replaceAll("?", () => `$${++count}`)
  texts.set(sql, text)
  return text
}
/**
 * A statement with many parameters takes as long to parse and plan as to run: a connection prepares it once. The others, which may
 * have the number of a shard in them, are too many for that.
 */
const prepared = (sql: string, params: ReadonlyArray<unknown> | undefined): { text: string; name?: string } => {
  const text = numbered(sql)
  if (params === undefined || params.length < 16) return { text }
  const name = names.get(sql) ?? `batch_${names.size}`
  names.set(sql, name)
  return { text, name }
}
const names = new Map<string, string>()
const texts = new Map<string, string>()

/** Whole numbers and sums of them come as text unless they are asked for as numbers. */
const types: Pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === Pg.types.builtins.INT8 || oid === Pg.types.builtins.NUMERIC
      ? Number
      : Pg.types.getTypeParser(oid, format as "text")
}
