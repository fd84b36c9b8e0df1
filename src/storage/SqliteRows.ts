/**
 * All rows of the sqlite backend, in pieces of bounded size whatever the length of the histories.
 *
 * @since 0.1.0
 */
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Instant from "../domain/Instant.ts"
import type { StoredRow } from "./ScheduleDriver.ts"
import type * as SqliteFile from "./SqliteFile.ts"
import * as SqliteRow from "./SqliteRow.ts"

/**
 * Every row whole, in creation order. Each piece is consistent; for one consistent state of all, read in a transaction.
 *
 * @since 0.1.0
 * @category getters
 */
export const whole = (file: SqliteFile.SqliteFile) => paged((after) => wholePiece(file, after))

/**
 * Every row in creation order, to be validated: SQLite looks at the saved deliveries itself, which is many times faster than
 * reading them, and of a history that it finds in order only the newest is there. What it is not sure of is there whole.
 *
 * @since 0.1.0
 * @category getters
 */
export const abridged = (file: SqliteFile.SqliteFile) => paged((after) => abridgedPiece(file, after))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Piece = readonly [rows: ReadonlyArray<StoredRow>, through: number]

/** The pieces behind one another; each says up to which place in creation order it reaches. */
const paged = (
  piece: (after: number) => Effect.Effect<Piece, SqlError.SqlError>
): Stream.Stream<ReadonlyArray<StoredRow>, SqlError.SqlError> =>
  Stream.unfoldEffect(0, (after) =>
    after === end
      ? Effect.succeedNone
      : piece(after).pipe(Effect.withMaxOpsBeforeYield(Number.MAX_SAFE_INTEGER), Effect.asSome)
  )

const end = Number.MAX_SAFE_INTEGER
const tasksPerPiece = 200
const deliveriesPerPiece = 20_000

const columns = SqliteRow.deliveryColumns.join(", ")
const selectTasks = `SELECT sequence, ${SqliteRow.taskColumns.join(", ")} FROM tasks
  WHERE sequence > ? ORDER BY sequence LIMIT ${tasksPerPiece}`
const selectDeliveries = `SELECT ${columns} FROM deliveries WHERE task > ? AND task <= ? ORDER BY task, position LIMIT ?`

const lastOf = (tasks: ReadonlyArray<SqliteRow.Columns>) =>
  tasks.length < tasksPerPiece ? end : Number(tasks[tasks.length - 1]![0])

const wholePiece = (file: SqliteFile.SqliteFile, after: number): Effect.Effect<Piece, SqlError.SqlError> =>
  Effect.gen(function* () {
    const tasks = yield* file.rows(selectTasks, [after])
    let through = lastOf(tasks)
    let deliveries = yield* file.rows(selectDeliveries, [after, through, deliveriesPerPiece])
    if (deliveries.length === deliveriesPerPiece) {
      // The last task may have more: leave it to the next piece, or take it whole when it is the only one.
      const first = Number(deliveries[0]?.[0])
      const last = Number(deliveries.at(-1)?.[0])
      through = first === last ? last : last - 1
      deliveries =
        first === last
          ? yield* file.rows(selectDeliveries, [after, through, end])
          : deliveries.filter(([task]) => Number(task) <= through)
    }
    return [
      assemble(
        tasks.filter(([sequence]) => Number(sequence) <= through),
        deliveries
      ),
      through
    ]
  })

/** Rows of tasks and their deliveries, both in order. */
const assemble = (
  tasks: ReadonlyArray<SqliteRow.Columns>,
  deliveries: ReadonlyArray<SqliteRow.Columns>
): ReadonlyArray<StoredRow> => {
  const rows: Array<StoredRow> = []
  let next = 0
  const orphansBefore = (sequence: number) => {
    for (; next < deliveries.length && Number(deliveries[next]![0]) < sequence; next++)
      rows.push(orphan(deliveries[next]!))
  }
  for (const columns of tasks) {
    orphansBefore(Number(columns[0]))
    const start = next
    while (next < deliveries.length && deliveries[next]![0] === columns[0]) next++
    rows.push(row(columns, deliveries.slice(start, next)))
  }
  orphansBefore(Number.POSITIVE_INFINITY)
  return rows
}

const row = (columns: SqliteRow.Columns, deliveries: ReadonlyArray<SqliteRow.Columns>): StoredRow => {
  const records = deliveries.map((delivery) => SqliteRow.toDelivery(delivery, 2))
  return flawed(columns, SqliteRow.toTask(columns, 1, records), SqliteRow.historyFlaw(columns, 1, deliveries))
}

const flawed = (columns: SqliteRow.Columns, value: unknown, flaw: string | undefined): StoredRow =>
  flaw === undefined
    ? { table: "tasks", key: String(columns[1]), value }
    : { table: "tasks", key: String(columns[1]), value, flaw }

const orphan = (delivery: SqliteRow.Columns): StoredRow => ({
  table: "deliveries",
  key: `${delivery[0]}/${delivery[1]}`,
  value: SqliteRow.toDelivery(delivery, 2),
  flaw: "belongs to no task"
})

const abridgedPiece = (file: SqliteFile.SqliteFile, after: number): Effect.Effect<Piece, SqlError.SqlError> =>
  Effect.gen(function* () {
    const tasks = yield* file.rows(selectTasks, [after])
    const through = lastOf(tasks)
    const histories = new Map(
      (yield* file.rows(selectHistories, [after, through])).map((history) => [history[0], history])
    )
    const rows: Array<StoredRow> = []
    for (const columns of tasks) {
      const history = histories.get(columns[0])
      histories.delete(columns[0])
      if (history === undefined) rows.push(row(columns, []))
      else if (isSurelyGood(history)) rows.push(newestOnly(columns, history))
      else rows.push(row(columns, yield* file.rows(selectDeliveries, [Number(columns[0]) - 1, columns[0], end])))
    }
    for (const [task] of histories) {
      const orphans = yield* file.rows(selectDeliveries, [Number(task) - 1, task, end])
      for (const delivery of orphans) rows.push(orphan(delivery))
    }
    return [rows, through]
  })

// What decoding asks of a saved delivery, as far as the types of the columns do not hold it already. Text that begins with a
// control character, a blank or the mark of `SqlText` is left to decoding.
const isSuspect = `d.scheduled_at NOT BETWEEN ${Instant.min} AND ${Instant.max}
  OR d.delivered_at NOT BETWEEN ${Instant.min} AND ${Instant.max}
  OR d.message_id < '!' OR d.message_id >= char(65535) OR coalesce(d.prompt >= char(65535), 0)`

// With the one max() in it, SQLite takes the other columns from the row that has it: the newest delivery.
const selectHistories = `SELECT d.task, max(d.position), d.scheduled_at, d.delivered_at, d.message_id, d.prompt,
    count(*) - count(p.position), sum(p.delivered_at > d.delivered_at), sum(${isSuspect})
  FROM deliveries d LEFT JOIN deliveries p ON p.task = d.task AND p.position = d.position - 1
  WHERE d.task > ? AND d.task <= ? GROUP BY d.task`

/** Only the oldest has none before it, so they are consecutive; and none is suspect. */
const isSurelyGood = (history: SqliteRow.Columns) => history[6] === 1 && history[8] === 0

const newestOnly = (columns: SqliteRow.Columns, history: SqliteRow.Columns): StoredRow =>
  flawed(
    columns,
    SqliteRow.toTask(columns, 1, [SqliteRow.toDelivery(history, 2)]),
    SqliteRow.orderFlaw(columns, 1, (history[7] ?? 0) === 0)
  )
