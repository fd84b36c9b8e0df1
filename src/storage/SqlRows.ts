/**
 * All rows of the SQL backends, in pieces of bounded size whatever the length of the histories.
 *
 * @since 0.1.0
 */
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Instant from "../domain/Instant.ts"
import type { StoredRow } from "./ScheduleDriver.ts"
import type * as SqlConnection from "./SqlConnection.ts"
import * as SqlRow from "./SqlRow.ts"
import * as SqlText from "./SqlText.ts"

/**
 * Every row whole, in creation order. Each piece is consistent; for one consistent state of all, read in a transaction.
 *
 * @since 0.1.0
 * @category getters
 */
export const whole = (statements: SqlConnection.Statements) => paged((after) => wholePiece(statements, after))

/**
 * Every row in creation order, to be validated: the database looks at the saved deliveries itself, which is many times faster than
 * reading them, and of a history that it finds in order only the newest is there. What it is not sure of is there whole.
 *
 * @since 0.1.0
 * @category getters
 */
export const abridged = (statements: SqlConnection.Statements) => paged((after) => abridgedPiece(statements, after))

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

const columns = SqlRow.deliveryColumns.join(", ")
const selectTasks = ({ within }: SqlConnection.Dialect) => `SELECT sequence, ${SqlRow.taskColumns.join(", ")} FROM tasks
  WHERE sequence > ?${within} ORDER BY sequence LIMIT ${tasksPerPiece}`
const selectDeliveries = ({ deliveriesOf }: SqlConnection.Dialect) =>
  `SELECT ${columns} FROM deliveries WHERE ${deliveriesOf.where} ORDER BY task, position LIMIT ?`

const lastOf = (tasks: ReadonlyArray<SqlRow.Columns>) =>
  tasks.length < tasksPerPiece ? end : Number(tasks[tasks.length - 1]![0])

const wholePiece = (
  { dialect, rows }: SqlConnection.Statements,
  after: number
): Effect.Effect<Piece, SqlError.SqlError> =>
  Effect.gen(function* () {
    const tasks = yield* rows(selectTasks(dialect), [after])
    const select = selectDeliveries(dialect)
    let through = lastOf(tasks)
    let deliveries = yield* rows(select, [...dialect.deliveriesOf.params(after, through, tasks), deliveriesPerPiece])
    if (deliveries.length === deliveriesPerPiece) {
      // The last task may have more: leave it to the next piece, or take it whole when it is the only one.
      const first = Number(deliveries[0]?.[0])
      const last = Number(deliveries.at(-1)?.[0])
      through = first === last ? last : last - 1
      deliveries =
        first === last
          ? yield* rows(select, [...dialect.deliveriesOf.params(after, through, tasks), end])
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
  tasks: ReadonlyArray<SqlRow.Columns>,
  deliveries: ReadonlyArray<SqlRow.Columns>
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

const row = (columns: SqlRow.Columns, deliveries: ReadonlyArray<SqlRow.Columns>): StoredRow => {
  const records = deliveries.map((delivery) => SqlRow.toDelivery(delivery, 2))
  return flawed(columns, SqlRow.toTask(columns, 1, records), SqlRow.historyFlaw(columns, 1, deliveries))
}

const flawed = (columns: SqlRow.Columns, value: unknown, flaw: string | undefined): StoredRow =>
  flaw === undefined
    ? { table: "tasks", key: String(columns[1]), value }
    : { table: "tasks", key: String(columns[1]), value, flaw }

const orphan = (delivery: SqlRow.Columns): StoredRow => ({
  table: "deliveries",
  key: `${delivery[0]}/${delivery[1]}`,
  value: SqlRow.toDelivery(delivery, 2),
  flaw: "belongs to no task"
})

const abridgedPiece = (
  { dialect, rows }: SqlConnection.Statements,
  after: number
): Effect.Effect<Piece, SqlError.SqlError> =>
  Effect.gen(function* () {
    const tasks = yield* rows(selectTasks(dialect), [after])
    const through = lastOf(tasks)
    const found = yield* rows(selectHistories(dialect), [
      SqlText.mark,
      SqlText.mark,
      ...dialect.deliveriesOf.params(after, through, tasks)
    ])
    const histories = new Map(found.map((history) => [history[0], history]))
    const deliveriesOf = (task: SqlRow.Columns) =>
      rows(selectDeliveries(dialect), [
        ...dialect.deliveriesOf.params(Number(task[0]) - 1, Number(task[0]), [task]),
        end
      ])
    const stored: Array<StoredRow> = []
    for (const columns of tasks) {
      const history = histories.get(columns[0])
      histories.delete(columns[0])
      if (history === undefined) stored.push(row(columns, []))
      else if (isSurelyGood(history)) stored.push(newestOnly(columns, history))
      else stored.push(row(columns, yield* deliveriesOf(columns)))
    }
    for (const task of histories.values()) stored.push(...(yield* deliveriesOf(task)).map(orphan))
    return [stored, through]
  })

// What decoding asks of a saved delivery, as far as the types of the columns do not hold it already. Text that begins with a
// control character, a blank or the mark of `SqlText` is left to decoding.
const isSuspect = `d.scheduled_at NOT BETWEEN ${Instant.min} AND ${Instant.max}
  OR d.delivered_at NOT BETWEEN ${Instant.min} AND ${Instant.max}
  OR d.message_id < '!' OR d.message_id >= ? OR d.prompt >= ?`

const selectHistories = ({ deliveriesOf }: SqlConnection.Dialect) => `SELECT h.task, h.newest,
    d.scheduled_at, d.delivered_at, d.message_id, d.prompt, h.starts, h.steps_back, h.suspects
  FROM (
    SELECT d.task, max(d.position) AS newest, count(*) - count(p.position) AS starts,
      count(CASE WHEN p.delivered_at > d.delivered_at THEN 1 END) AS steps_back,
      count(CASE WHEN ${isSuspect} THEN 1 END) AS suspects
    FROM deliveries d LEFT JOIN deliveries p ON p.task = d.task AND p.position = d.position - 1
    WHERE ${deliveriesOf.where.replaceAll("task", "d.task")} GROUP BY d.task
  ) AS h JOIN deliveries d ON d.task = h.task AND d.position = h.newest`

/** Only the oldest has none before it, so they are consecutive; and none is suspect. */
const isSurelyGood = (history: SqlRow.Columns) => Number(history[6]) === 1 && Number(history[8]) === 0

const newestOnly = (columns: SqlRow.Columns, history: SqlRow.Columns): StoredRow =>
  flawed(
    columns,
    SqlRow.toTask(columns, 1, [SqlRow.toDelivery(history, 2)]),
    SqlRow.orderFlaw(columns, 1, Number(history[7]) === 0)
  )
