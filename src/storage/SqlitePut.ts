/**
 * Storing whole rows in the sqlite backend.
 *
 * @since 0.1.0
 */
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import type { WriteError } from "./ScheduleDriver.ts"
import * as SqliteBatch from "./SqliteBatch.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqliteRow from "./SqliteRow.ts"

/**
 * Adds rows or replaces them whole, within a transaction. Of several rows with one id the last stays.
 *
 * @since 0.1.0
 * @category operations
 */
export const put = (
  file: SqliteFile.SqliteFile,
  tasks: ReadonlyArray<ScheduleTask>
): Effect.Effect<void, SqlError.SqlError> => {
  const rows = [...new Map(tasks.map((task) => [task.record.id as string, task])).values()]
  return Effect.gen(function* () {
    const stored = yield* SqliteBatch.forEach(rows, (batch) =>
      file.rows(upsertTasks(batch.length), batch.flatMap(SqliteRow.ofTask))
    )
    const sequences = new Map(stored.map(([sequence, id]) => [id, Number(sequence)]))
    yield* SqliteBatch.forEach([...sequences.values()], (batch) => file.rows(deleteHistories(batch.length), batch))
    const deliveries = rows.flatMap(({ deliveryHistory, record }) =>
      (deliveryHistory?.records ?? []).map((delivery, position) =>
        SqliteRow.ofDelivery(sequences.get(record.id)!, position, delivery)
      )
    )
    yield* insertDeliveries(file, deliveries)
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
  file: SqliteFile.SqliteFile,
  tasks: ReadonlyArray<ScheduleTask>
): Effect.Effect<boolean, WriteError> => {
  const [task] = tasks
  if (task === undefined || tasks.length > 1 || (task.deliveryHistory?.records.length ?? 0) > 0)
    return Effect.succeed(false)
  return Effect.map(file.write(insertTask, SqliteRow.ofTask(task)), (rows) => rows.length === 1)
}

/**
 * Saves deliveries, rows of columns, within a transaction. A message id that the history holds already is a defect.
 *
 * @since 0.1.0
 * @category operations
 */
export const insertDeliveries = (file: SqliteFile.SqliteFile, rows: ReadonlyArray<SqliteRow.Columns>) =>
  SqliteBatch.forEach(rows, (batch) => file.rows(insert(batch.length), batch.flat())).pipe(
    Effect.catchIf((error) => SqliteFile.code(error).startsWith("SQLITE_CONSTRAINT"), Effect.die)
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const upsertTasks = SqliteBatch.statement(
  (rows) => `INSERT INTO tasks (${SqliteRow.taskColumns.join(", ")})
    VALUES ${SqliteBatch.values(rows, SqliteRow.taskColumns.length)}
    ON CONFLICT (id) DO UPDATE SET ${SqliteRow.taskColumns.map((column) => `${column} = excluded.${column}`).join(", ")}
    RETURNING sequence, id`
)

const insertTask = `INSERT INTO tasks (${SqliteRow.taskColumns.join(", ")})
  VALUES ${SqliteBatch.values(1, SqliteRow.taskColumns.length)} ON CONFLICT (id) DO NOTHING RETURNING sequence`

const deleteHistories = SqliteBatch.statement(
  (rows) => `DELETE FROM deliveries WHERE task IN (${SqliteBatch.placeholders(rows)})`
)

const insert = SqliteBatch.statement(
  (rows) => `INSERT INTO deliveries (${SqliteRow.deliveryColumns.join(", ")})
    VALUES ${SqliteBatch.values(rows, SqliteRow.deliveryColumns.length)}`
)
