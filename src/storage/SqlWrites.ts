/**
 * The writes of the SQL backends, each one transaction.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { DriverConnection, StoredRow } from "./ScheduleDriver.ts"
import * as SqlCommit from "./SqlCommit.ts"
import type * as SqlConnection from "./SqlConnection.ts"
import * as SqlPut from "./SqlPut.ts"
import * as SqlRow from "./SqlRow.ts"
import * as SqlText from "./SqlText.ts"

type Writes = Pick<
  DriverConnection,
  "put" | "replaceRecord" | "commit" | "remove" | "removeActiveOf" | "removeInactive" | "load"
>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (connection: SqlConnection.SqlConnection): Writes => {
  const { longTransaction, transaction } = connection
  const { within } = connection.dialect
  const removal =
    (where: string, params: ReadonlyArray<unknown> = []) =>
    ({ rows }: SqlConnection.Statements) =>
      Effect.map(rows(`DELETE FROM tasks WHERE ${where}`, params), ([row]) => Number(row?.[0]))
  return {
    put: (tasks) =>
      Effect.flatMap(SqlPut.addOne(connection, tasks), (added) =>
        added ? Effect.void : transaction((statements) => SqlPut.put(statements, tasks))
      ),
    replaceRecord: (record) => transaction((statements) => replaceRecord(statements, record)),
    commit: (deliveries, bounds) => transaction((statements) => SqlCommit.commit(statements, deliveries, bounds)),
    remove: (id) => Effect.map(transaction(removal(`id = ?${within}`, [id])), (count) => count > 0),
    removeActiveOf: (sessionId) =>
      transaction(removal(`session_id = ? AND ${SqlRow.isActive}${within}`, [SqlText.encode(sessionId)])),
    removeInactive: transaction(removal("status = 'inactive'"), { patient: true }),
    load: (rows) => longTransaction((statements) => Stream.runForEach(rows, (tasks) => SqlPut.put(statements, tasks)))
  }
}

/**
 * Removes rows by their tables and keys, within a transaction.
 *
 * @since 0.1.0
 * @category operations
 */
export const discard = ({ rows }: SqlConnection.Statements, discarded: ReadonlyArray<StoredRow>) =>
  Effect.forEach(
    discarded,
    ({ key, table }) =>
      table === "tasks"
        ? rows("DELETE FROM tasks WHERE id = ?", [key])
        : rows("DELETE FROM deliveries WHERE task = ? AND position = ?", key.split("/").map(Number)),
    { discard: true }
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const updateRecord = `UPDATE tasks SET ${SqlRow.recordColumns.map((column) => `${column} = ?`).join(", ")}
  WHERE id = ?`

const replaceRecord = ({ dialect, rows }: SqlConnection.Statements, record: ScheduleRecord) =>
  Effect.filterOrDieMessage(
    rows(`${updateRecord}${dialect.within}`, [...SqlRow.ofRecord(record), record.id]),
    ([row]) => Number(row?.[0]) > 0,
    `there is no task ${record.id}`
  )
