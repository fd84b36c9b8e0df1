/**
 * Storing whole rows in the SQL backends.
 *
 * @since 0.1.0
 */
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import type { WriteError } from "./ScheduleDriver.ts"
import * as SqlBatch from "./SqlBatch.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqlRow from "./SqlRow.ts"

/**
 * Adds rows or replaces them whole, within a transaction. Of several rows with one id the last stays.
 *
 * @since 0.1.0
 * @category operations
 */
export const put = (
  statements: SqlConnection.Statements,
  tasks: ReadonlyArray<ScheduleTask>
): Effect.Effect<void, SqlError.SqlError> => {
  const rows = [...new Map(tasks.map((task) => [task.record.id as string, task])).values()]
  const { dialect } = statements
  const upsert = upsertTasks(dialect)
  return Effect.gen(function* () {
    const stored = yield* SqlBatch.forEach(statements, rows, (batch) =>
      statements.rows(upsert(batch.length), batch.flatMap(dialect.ofTask))
    )
    const sequences = new Map(stored.map(([sequence, id]) => [id, Number(sequence)]))
    yield* SqlBatch.forEach(statements, [...sequences.values()], (batch) =>
      statements.rows(deleteHistories(batch.length), batch)
    )
    const deliveries = rows.flatMap(({ deliveryHistory, record }) =>
      (deliveryHistory?.records ?? []).map((delivery, position) =>
        SqlRow.ofDelivery(sequences.get(record.id)!, position, delivery)
      )
    )
    yield* insertDeliveries(statements, deliveries)
  })
}

/**
 * Adds one row whose id is new and that has no saved deliveries, as every created task does, in a single statement: the
 * quickest durable write there is. Answers whether that is what the rows were; if not, it has done nothing.
 *
 * @since 0.1.0
 * @category operations
 */
export const addOne = (
  { dialect, write }: SqlConnection.SqlConnection,
  tasks: ReadonlyArray<ScheduleTask>
): Effect.Effect<boolean, WriteError> => {
  const [task] = tasks
  if (task === undefined || tasks.length > 1 || (task.deliveryHistory?.records.length ?? 0) > 0)
    return Effect.succeed(false)
  return Effect.map(write(...dialect.insertTask(dialect.ofTask(task))), (rows) => rows.length === 1)
}

/**
 * Saves deliveries, rows of columns, within a transaction. A message id that the history holds already is a defect.
 *
 * @since 0.1.0
 * @category operations
 */
export const insertDeliveries = (statements: SqlConnection.Statements, rows: ReadonlyArray<SqlRow.Columns>) =>
  SqlBatch.forEach(statements, rows, (batch) => statements.rows(insert(batch.length), batch.flat())).pipe(
    Effect.catchIf(SqlConnection.isConstraint, Effect.die)
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** The text for a number of rows; a dialect always has the same columns. */
const upsertTasks = ({ insertColumns }: SqlConnection.Dialect): ((rows: number) => string) => {
  const known = upserts.get(insertColumns)
  if (known !== undefined) return known
  const text = SqlBatch.statement(
    (rows) => `INSERT INTO tasks (${insertColumns.join(", ")})
    VALUES ${SqlBatch.values(rows, insertColumns.length)}
    ON CONFLICT (id) DO UPDATE SET ${insertColumns.map((column) => `${column} = excluded.${column}`).join(", ")}
    RETURNING sequence, id`
  )
  upserts.set(insertColumns, text)
  return text
}
const upserts = new Map<ReadonlyArray<string>, (rows: number) => string>()

const deleteHistories = SqlBatch.statement(
  (rows) => `DELETE FROM deliveries WHERE task IN (${SqlBatch.placeholders(rows)})`
)

const insert = SqlBatch.statement(
  (rows) => `INSERT INTO deliveries (${SqlRow.deliveryColumns.join(", ")})
    VALUES ${SqlBatch.values(rows, SqlRow.deliveryColumns.length)}`
)
