/**
 * The writes of the sqlite backend, each one transaction.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { DriverConnection, StoredRow } from "./ScheduleDriver.ts"
import * as SqliteCommit from "./SqliteCommit.ts"
import type * as SqliteFile from "./SqliteFile.ts"
import * as SqlitePut from "./SqlitePut.ts"
import * as SqliteRow from "./SqliteRow.ts"
import * as SqlText from "./SqlText.ts"

type Writes = Pick<
  DriverConnection,
  "put" | "replaceRecord" | "commit" | "remove" | "removeActiveOf" | "removeInactive" | "load"
>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (file: SqliteFile.SqliteFile): Writes => {
  const removeWhere = (where: string, params: ReadonlyArray<unknown> = []) =>
    file.rows(`SELECT count(*) FROM tasks WHERE ${where}`, params).pipe(
      Effect.map(([row]) => Number(row?.[0])),
      Effect.zipLeft(file.run(`DELETE FROM tasks WHERE ${where}`, params)),
      file.transaction
    )
  return {
    put: (tasks) =>
      Effect.flatMap(SqlitePut.addOne(file, tasks), (added) =>
        added ? Effect.void : file.transaction(SqlitePut.put(file, tasks))
      ),
    replaceRecord: (record) => file.transaction(replaceRecord(file, record)),
    commit: (deliveries, bounds) => file.transaction(SqliteCommit.commit(file, deliveries, bounds)),
    remove: (id) => Effect.map(removeWhere("id = ?", [id]), (count) => count > 0),
    removeActiveOf: (sessionId) => removeWhere(`session_id = ? AND ${SqliteRow.isActive}`, [SqlText.encode(sessionId)]),
    removeInactive: removeWhere("status = 'inactive'"),
    load: (rows) => file.longTransaction(Stream.runForEach(rows, (tasks) => SqlitePut.put(file, tasks)))
  }
}

/**
 * Removes rows by their tables and keys, within a transaction.
 *
 * @since 0.1.0
 * @category operations
 */
export const discard = (file: SqliteFile.SqliteFile, rows: ReadonlyArray<StoredRow>) =>
  Effect.forEach(
    rows,
    ({ key, table }) =>
      table === "tasks"
        ? file.run("DELETE FROM tasks WHERE id = ?", [key])
        : file.run("DELETE FROM deliveries WHERE task = ? AND position = ?", key.split("/").map(Number)),
    { discard: true }
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const updateRecord = `UPDATE tasks SET ${SqliteRow.recordColumns.map((column) => `${column} = ?`).join(", ")}
  WHERE id = ? RETURNING sequence`

const replaceRecord = (file: SqliteFile.SqliteFile, record: ScheduleRecord) =>
  Effect.filterOrDieMessage(
    file.rows(updateRecord, [...SqliteRow.ofRecord(record), record.id]),
    (updated) => updated.length > 0,
    `there is no task ${record.id}`
  )
