/**
 * How many tasks there are of each status, kept by the connection itself: triggers add up in a table in memory, within each
 * transaction, so that asking costs nothing and the file holds no number that could be wrong.
 *
 * @since 0.1.0
 */
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type * as SqliteFile from "./SqliteFile.ts"

/**
 * Counts the tasks once, and from then on what this connection writes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (file: SqliteFile.SqliteFile): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(statements, (statement) => file.run(statement), { discard: true })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const add = (tasks: string, inactive: string) =>
  `BEGIN UPDATE counts SET tasks = tasks + ${tasks}, inactive = inactive + (${inactive}); END`

const statements = [
  "PRAGMA temp_store = MEMORY",
  "CREATE TEMP TABLE counts (tasks INTEGER, inactive INTEGER)",
  `INSERT INTO counts
    SELECT (SELECT count(*) FROM tasks), (SELECT count(*) FROM tasks WHERE status = 'inactive')`,
  `CREATE TEMP TRIGGER task_added AFTER INSERT ON main.tasks ${add("1", "new.status IS 'inactive'")}`,
  `CREATE TEMP TRIGGER task_removed AFTER DELETE ON main.tasks ${add("-1", "-(old.status IS 'inactive')")}`,
  `CREATE TEMP TRIGGER task_ended AFTER UPDATE OF status ON main.tasks WHEN old.status IS NOT new.status
    ${add("0", "(new.status IS 'inactive') - (old.status IS 'inactive')")}`
]
