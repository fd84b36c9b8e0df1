/**
 * Commits of deliveries in the SQL backends. What they do is said by `TaskTable.deliver`; here an append costs the same
 * whatever the length of the history.
 *
 * @since 0.1.0
 */
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Calendar from "../domain/Calendar.ts"
import * as Instant from "../domain/Instant.ts"
import { decodeTask, type HistoryBounds } from "../domain/ScheduleTask.ts"
import type { DeliveryCommit } from "./ScheduleDriver.ts"
import * as SqlBatch from "./SqlBatch.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqlPut from "./SqlPut.ts"
import * as SqlRow from "./SqlRow.ts"
import * as SqlText from "./SqlText.ts"
import type { StorageFailure } from "./StorageError.ts"
import * as TaskTable from "./TaskTable.ts"

/**
 * Commits deliveries, within a transaction.
 *
 * @since 0.1.0
 * @category operations
 */
export const commit = (
  statements: SqlConnection.Statements,
  deliveries: ReadonlyArray<DeliveryCommit>,
  bounds: HistoryBounds
): Effect.Effect<void, SqlError.SqlError | StorageFailure> =>
  Effect.forEach(rounds(deliveries), (round) => commitRound(statements, round, bounds), { discard: true })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Pieces in each of which every task occurs once. */
const rounds = (deliveries: ReadonlyArray<DeliveryCommit>): ReadonlyArray<ReadonlyArray<DeliveryCommit>> => {
  const rounds: Array<Map<string, DeliveryCommit>> = []
  for (const delivery of deliveries) {
    const open = rounds.find((round) => !round.has(delivery.id)) ?? rounds[rounds.push(new Map()) - 1]!
    open.set(delivery.id, delivery)
  }
  return rounds.map((round) => [...round.values()])
}

const commitRound = (
  statements: SqlConnection.Statements,
  deliveries: ReadonlyArray<DeliveryCommit>,
  bounds: HistoryBounds
) =>
  Effect.gen(function* () {
    const found = yield* SqlBatch.forEach(statements, deliveries, (batch) =>
      statements.rows(
        selectStates(batch.length),
        batch.map(({ id }) => id)
      )
    )
    const states = new Map(found.map((columns) => [columns[0], toState(columns)]))
    const appends: Array<Append> = []
    for (const delivery of deliveries) {
      const state = states.get(delivery.id)
      if (state === undefined) return yield* Effect.dieMessage(`there is no task ${delivery.id}`)
      if (extendsOrder(state, delivery))
        appends.push({ ...delivery, ...state, first: yield* firstKept(statements, state, delivery, bounds) })
      else yield* rewrite(statements, state, delivery, bounds)
    }
    yield* SqlPut.insertDeliveries(statements, appends.map(ofDelivery))
    yield* SqlBatch.forEach(statements, appends.flatMap(pruned), (batch) =>
      statements.rows(deleteDeliveries(batch.length), batch.flat())
    )
    yield* SqlBatch.forEach(statements, appends, (batch) =>
      statements.rows(updateTasks(batch.length), batch.flatMap(ofUpdate))
    )
  })

/** What an append needs to know of a stored task. Its saved deliveries stand at the positions from `oldest` to `newest`. */
interface State {
  readonly sequence: number
  readonly hasHistory: boolean
  readonly isOrdered: boolean
  readonly unavailable: unknown
  readonly pruned: unknown
  readonly oldest: number
  readonly newest: number
  readonly oldestDeliveredAt: number
  readonly newestDeliveredAt: number
}

/** An append, and the position of the first saved delivery that it keeps. */
interface Append extends State, DeliveryCommit {
  readonly first: number
}

const selectStates = SqlBatch.statement(
  (rows) => `SELECT id, sequence, earlier_unavailable, earlier_pruned, history_ordered,
    (SELECT min(position) FROM deliveries WHERE task = sequence),
    (SELECT max(position) FROM deliveries WHERE task = sequence),
    (SELECT delivered_at FROM deliveries WHERE task = sequence ORDER BY position LIMIT 1),
    last_delivered_at
    FROM tasks WHERE id IN (${SqlBatch.placeholders(rows)})`
)

const toState = (columns: SqlRow.Columns): State => ({
  sequence: Number(columns[1]),
  hasHistory: columns[2] !== null,
  isOrdered: columns[4] === 1,
  unavailable: columns[2],
  pruned: columns[3],
  oldest: Number(columns[5] ?? 0),
  newest: Number(columns[6] ?? -1),
  oldestDeliveredAt: Number(columns[7] ?? Number.POSITIVE_INFINITY),
  newestDeliveredAt: Number(columns[8] ?? Number.NEGATIVE_INFINITY)
})

/** Whether an append leaves the deliveries in the order in which they were made, so that what is too old comes first. */
const extendsOrder = (state: State, { receipt }: DeliveryCommit) =>
  state.hasHistory && state.isOrdered && state.newestDeliveredAt <= Instant.toMillis(receipt.deliveredAt)

const firstKept = (
  statements: SqlConnection.Statements,
  state: State,
  { receipt }: DeliveryCommit,
  bounds: HistoryBounds
) => {
  const byCount = Math.max(state.oldest, state.newest + 2 - Math.max(1, bounds.records))
  const cutoff = Instant.toMillis(receipt.deliveredAt) - bounds.days * Calendar.dayMillis
  if (state.oldestDeliveredAt >= cutoff) return Effect.succeed(byCount)
  return Effect.map(firstSince(statements, state.sequence, state.oldest, cutoff), (byAge) =>
    Math.max(
      byCount,
      Option.getOrElse(byAge, () => state.newest + 1)
    )
  )
}

/** The position of the first delivery since an instant, looking from a position on, a few at a time. */
const firstSince = (
  statements: SqlConnection.Statements,
  task: number,
  from: number,
  cutoff: number
): Effect.Effect<Option.Option<number>, SqlError.SqlError> =>
  Effect.flatMap(statements.rows(selectAges, [task, from]), (rows) => {
    const first = rows.find(([, deliveredAt]) => Number(deliveredAt) >= cutoff)
    if (first !== undefined) return Effect.succeedSome(Number(first[0]))
    const last = rows.at(-1)
    return last === undefined ? Effect.succeedNone : firstSince(statements, task, Number(last[0]) + 1, cutoff)
  })

const selectAges =
  "SELECT position, delivered_at FROM deliveries WHERE task = ? AND position >= ? ORDER BY position LIMIT 16"

/** The rare append to a history without order, or to a row that never had one: the whole row is read and written again. */
const rewrite = (
  statements: SqlConnection.Statements,
  { sequence }: State,
  delivery: DeliveryCommit,
  bounds: HistoryBounds
) =>
  Effect.gen(function* () {
    const [columns] = yield* statements.rows(selectTask, [sequence])
    const records = yield* statements.rows(selectDeliveries, [sequence])
    const decoded = decodeTask(
      SqlRow.toTask(
        columns!,
        0,
        records.map((record) => SqlRow.toDelivery(record, 2))
      )
    )
    const task = yield* Effect.mapError(decoded, SqlConnection.failure("cannot read"))
    yield* SqlPut.put(statements, [TaskTable.deliver(task, delivery, bounds)])
  })

const selectTask = `SELECT ${SqlRow.taskColumns.join(", ")} FROM tasks WHERE sequence = ?`
const selectDeliveries = `SELECT ${SqlRow.deliveryColumns.join(", ")} FROM deliveries WHERE task = ? ORDER BY position`

const ofDelivery = ({ newest, prompt, receipt, sequence }: Append) =>
  SqlRow.ofDelivery(sequence, newest + 1, { ...receipt, prompt })

const pruned = ({ first, oldest, sequence }: Append) =>
  Array.from({ length: first - oldest }, (_, i) => [sequence, oldest + i])

const deleteDeliveries = SqlBatch.statement(
  (rows) => `DELETE FROM deliveries WHERE (task, position) IN (VALUES ${SqlBatch.typedValues(rows, 2)})`
)

const ofUpdate = ({ first, next, oldest, pruned, receipt, sequence, unavailable }: Append) => {
  const prunes = first > oldest
  const occurrence = Instant.toMillis(receipt.scheduledAt)
  return [
    sequence,
    Option.match(next, { onNone: () => occurrence, onSome: Instant.toMillis }),
    Number(Option.isNone(next)),
    occurrence,
    Instant.toMillis(receipt.deliveredAt),
    SqlText.encode(receipt.messageId),
    prunes ? 1 : unavailable,
    prunes ? 1 : pruned
  ]
}

const updateTasks = SqlBatch.statement(
  (rows) => `UPDATE tasks SET scheduled_at = v.column2,
    status = CASE v.column3 WHEN 1 THEN 'inactive' ELSE status END,
    last_scheduled_at = v.column4, last_delivered_at = v.column5, last_message_id = v.column6,
    earlier_unavailable = v.column7, earlier_pruned = v.column8
    FROM (VALUES ${SqlBatch.typedValues(rows, 8, [5])}) AS v WHERE tasks.sequence = v.column1`
)
