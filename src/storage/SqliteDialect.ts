/**
 * What SQLite says in its own way. The whole file is one Host's.
 *
 * @since 0.1.0
 */
import * as Instant from "../domain/Instant.ts"
import * as SqlBatch from "./SqlBatch.ts"
import { type Dialect, deliveriesByRange } from "./SqlConnection.ts"
import * as SqlRow from "./SqlRow.ts"

const columns = SqlRow.taskColumns.join(", ")
const { isActive } = SqlRow

const insertTask = `INSERT INTO tasks (${columns})
  VALUES ${SqlBatch.values(1, SqlRow.taskColumns.length)} ON CONFLICT (id) DO NOTHING RETURNING sequence`

const behind = (which: string) => `SELECT ${columns} FROM tasks WHERE (scheduled_at, id) > (?, ?) AND ${which}`
const inCatalogOrder = "ORDER BY scheduled_at, id LIMIT ?"
const catalogPages = {
  active: `${behind(isActive)} ${inCatalogOrder}`,
  inactive: `${behind("status = 'inactive'")} ${inCatalogOrder}`,
  // merges the two indexes as far as the page reaches
  all: `${behind(isActive)} UNION ALL ${behind("status = 'inactive'")} ${inCatalogOrder}`
}

/**
 * @since 0.1.0
 * @category constants
 */
export const dialect: Dialect = {
  within: "",
  batches: [64, 8, 1],
  insertColumns: SqlRow.taskColumns,
  ofTask: SqlRow.ofTask,
  insertTask: (row) => [insertTask, row],
  catalogPage: ({ after, limit, status }) => {
    const from = after === undefined ? [Instant.min, ""] : [Instant.toMillis(after.scheduledAt), after.id]
    return [catalogPages[status ?? "all"], [...from, ...(status === undefined ? from : []), limit]]
  },
  // The limit keeps the planner from walking all active tasks Session by Session.
  dueSessions: `SELECT session_id FROM (
    SELECT session_id, scheduled_at FROM tasks WHERE scheduled_at <= ? AND ${isActive}
    ORDER BY scheduled_at LIMIT ${Number.MAX_SAFE_INTEGER})
  GROUP BY session_id ORDER BY min(scheduled_at), session_id`,
  earliestTarget: `SELECT min(scheduled_at) FROM tasks WHERE scheduled_at > ? AND ${isActive}`,
  counts: "SELECT tasks, inactive FROM temp.counts",
  deliveriesOf: deliveriesByRange
}
