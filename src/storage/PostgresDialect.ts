/**
 * What PostgreSQL says in its own way.
 *
 * @since 0.1.0
 */
import * as Instant from "../domain/Instant.ts"
import * as Shard from "./Shard.ts"
import * as SqlBatch from "./SqlBatch.ts"
import { type Dialect, deliveriesByRange } from "./SqlConnection.ts"
import * as SqlRow from "./SqlRow.ts"
import * as SqlText from "./SqlText.ts"

/**
 * The rows that a connection has: of all `count` shards, or of one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Part {
  readonly count: number
  readonly index?: number | undefined
}

/**
 * What proves that a connection owns its rows: the row of the table `owners`, and the token that it must hold.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fence {
  readonly shard: number
  readonly token: number
}

/**
 * The statement that finds the fence, and keeps others from taking the rows over until the transaction ends.
 *
 * @since 0.1.0
 * @category constructors
 */
export const held = ({ shard, token }: Fence): string =>
  `SELECT 1 FROM owners WHERE shard = ${shard} AND token = ${token} FOR SHARE`

/**
 * The dialect of a connection. Without a fence it is for reading only.
 *
 * Several shards are read one by one, each from an index that begins with the shard, and merged: so the same indexes serve the owner
 * of one shard and who looks at all of them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ count, index }: Part, fence: Fence = nobody): Dialect => {
  const shards = `generate_series(${index ?? 0}, ${index ?? count - 1}) AS s (shard)`
  const merged = (select: string) => `SELECT ${columns} FROM ${shards} CROSS JOIN LATERAL (${select}) AS t`
  const pages = {
    active: `${merged(page(SqlRow.isActive))} ${inCatalogOrder}`,
    inactive: `${merged(page("status = 'inactive'"))} ${inCatalogOrder}`,
    all: `${merged(`(${page(SqlRow.isActive)}) UNION ALL (${page("status = 'inactive'")})`)} ${inCatalogOrder}`
  }
  return {
    within: index === undefined ? "" : ` AND shard = ${index}`,
    batches: [512, 64, 8, 1],
    insertColumns,
    ofTask: (task) => [Shard.of(task.sessionId, count), ...SqlRow.ofTask(task)],
    insertTask: (row) => [insertTask, [fence.shard, fence.token, ...row]],
    catalogPage: ({ after, limit, status }) => [
      pages[status ?? "all"],
      [
        ...(after === undefined ? [Instant.min, ""] : [Instant.toMillis(after.scheduledAt), SqlText.encode(after.id)]),
        limit
      ]
    ],
    dueSessions: `SELECT session_id FROM ${shards} CROSS JOIN LATERAL (
        SELECT session_id, scheduled_at FROM tasks
        WHERE tasks.shard = s.shard AND scheduled_at <= ? AND ${SqlRow.isActive}
        ORDER BY scheduled_at LIMIT ${Number.MAX_SAFE_INTEGER}
      ) AS t GROUP BY session_id ORDER BY min(scheduled_at), session_id`,
    earliestTarget: `SELECT min(scheduled_at) FROM ${shards} CROSS JOIN LATERAL (
        SELECT scheduled_at FROM tasks
        WHERE tasks.shard = s.shard AND scheduled_at > ? AND ${SqlRow.isActive}
        ORDER BY scheduled_at LIMIT 1
      ) AS t`,
    counts: `SELECT coalesce(sum(tasks), 0), coalesce(sum(inactive), 0) FROM ${shards} JOIN task_counts USING (shard)`,
    // In between are tasks of other shards.
    deliveriesOf:
      index === undefined
        ? deliveriesByRange
        : {
            where: "task = ANY (CAST(? AS bigint[]))",
            params: (after, through, tasks) => [
              tasks.map(([sequence]) => Number(sequence)).filter((sequence) => sequence > after && sequence <= through)
            ]
          }
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const nobody: Fence = { shard: -1, token: -1 }

const columns = SqlRow.taskColumns.join(", ")
const insertColumns = ["shard", ...SqlRow.taskColumns]

const insertTask = `WITH fence AS MATERIALIZED (SELECT 1 FROM owners WHERE shard = ? AND token = ? FOR SHARE)
  INSERT INTO tasks (${insertColumns.join(", ")}) SELECT ${SqlBatch.placeholders(insertColumns.length)} FROM fence
  ON CONFLICT (id) DO NOTHING RETURNING sequence`

// Each shard gives as many rows as the page has, at most.
const page = (which: string) => `SELECT * FROM tasks
  WHERE tasks.shard = s.shard AND (scheduled_at, id) > ($1, $2) AND ${which}
  ORDER BY scheduled_at, id LIMIT $3`
const inCatalogOrder = "ORDER BY scheduled_at, id LIMIT $3"
