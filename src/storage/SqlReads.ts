/**
 * The reads of the SQL backends, each answered from an index.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as History from "../domain/History.ts"
import * as Instant from "../domain/Instant.ts"
import type { DeliveryRecord, ScheduleTask } from "../domain/ScheduleTask.ts"
import type { DriverConnection } from "./ScheduleDriver.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqlRow from "./SqlRow.ts"
import * as SqlText from "./SqlText.ts"

type Reads = Pick<
  DriverConnection,
  "get" | "activeOf" | "catalogPage" | "dueSessions" | "dueOf" | "earliestTarget" | "historyPage" | "counts"
>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  dialect,
  rows,
  snapshot
}: Pick<SqlConnection.SqlConnection, keyof SqlConnection.Statements | "snapshot">): Reads => {
  const read = <A>(sql: string, params: ReadonlyArray<unknown>, decode: (rows: ReadonlyArray<SqlRow.Columns>) => A) =>
    Effect.mapBoth(rows(sql, params), { onSuccess: decode, onFailure: SqlConnection.failure("cannot read") })
  const summaries = (rows: ReadonlyArray<SqlRow.Columns>) => rows.map((row) => SqlRow.toSummary(row, 0, "active"))

  return {
    get: (id) => read(getTask, [SqlText.encode(id)], (rows) => Option.fromNullable(summaries(rows)[0])),
    activeOf: (sessionId) => read(activeOf, [SqlText.encode(sessionId)], summaries),
    // The whole catalog may take longer than a single read may.
    catalogPage: (query) =>
      query.limit > pageLimit
        ? Effect.mapBoth(
            snapshot(({ rows }) => rows(...dialect.catalogPage(query))),
            { onSuccess: summaries, onFailure: SqlConnection.failure("cannot read") }
          )
        : read(...dialect.catalogPage(query), summaries),
    dueSessions: (until) =>
      read(dialect.dueSessions, [Instant.toMillis(until)], (rows) => rows.map(([id]) => String(SqlText.decode(id)))),
    dueOf: (sessionId, until, limit) => {
      const due = [SqlText.encode(sessionId), Instant.toMillis(until)]
      return Effect.flatMap(read(dueOneShots, [...due, limit], summaries), (oneShots) =>
        oneShots.length < limit
          ? Effect.map(read(dueRecurring, due, summaries), (recurring) => [...oneShots, ...recurring])
          : Effect.succeed(oneShots)
      )
    },
    earliestTarget: (after) =>
      read(
        dialect.earliestTarget,
        [Option.match(after, { onNone: () => Instant.min - 1, onSome: Instant.toMillis })],
        ([row]) => Option.map(Option.fromNullable(row?.[0]), SqlRow.toInstant)
      ),
    historyPage: (id, query) =>
      Effect.mapError(
        snapshot((statements) => historyPage(statements, id, query)),
        SqlConnection.failure("cannot read")
      ),
    counts: read(dialect.counts, [], ([row]) => {
      const [tasks, inactive] = [Number(row?.[0]), Number(row?.[1])]
      return { active: tasks - inactive, inactive }
    })
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const pageLimit = 10_000

const columns = SqlRow.taskColumns.join(", ")
const { isActive } = SqlRow

const getTask = `SELECT ${columns} FROM tasks WHERE id = ?`
const activeOf = `SELECT ${columns} FROM tasks WHERE session_id = ? AND ${isActive} ORDER BY sequence`
const dueOf = (which: string) => `SELECT ${columns} FROM tasks
  WHERE session_id = ? AND scheduled_at <= ? AND ${isActive} AND ${which} ORDER BY scheduled_at, sequence`
const dueOneShots = `${dueOf("kind IN ('after', 'at')")} LIMIT ?`
const dueRecurring = dueOf("kind NOT IN ('after', 'at')")
const historyOf = `SELECT sequence, ${columns} FROM tasks WHERE id = ?`
const deliveryColumns = SqlRow.deliveryColumns.join(", ")
const positionOf = "SELECT position FROM deliveries WHERE task = ? AND message_id = ?"
const deliveriesBefore = `SELECT ${deliveryColumns} FROM deliveries WHERE task = ? AND position < ?
  ORDER BY position DESC LIMIT ?`

const historyPage = ({ rows }: SqlConnection.Statements, id: string, { before, limit }: History.HistoryQuery) =>
  Effect.gen(function* () {
    const [row] = yield* rows(historyOf, [SqlText.encode(id)])
    if (row === undefined) return yield* Effect.dieMessage(`there is no task ${id}`)
    const [sequence] = row
    const history = SqlRow.toHistory(row, 1, [])
    if (history === undefined) {
      return History.page(SqlRow.toTask(row, 1, []) as ScheduleTask, { before, limit })
    }
    let end: unknown = Number.MAX_SAFE_INTEGER
    if (before !== undefined) {
      const [cursor] = yield* rows(positionOf, [sequence, SqlText.encode(before)])
      if (cursor === undefined) return Option.none<History.HistoryPage>()
      end = cursor[0]
    }
    const found = yield* rows(deliveriesBefore, [sequence, end, limit + 1])
    const records = found.slice(0, limit).map((delivery) => SqlRow.toDelivery(delivery, 2) as DeliveryRecord)
    const oldest = records.at(-1)
    return Option.some<History.HistoryPage>({
      records,
      ...(found.length > limit && oldest !== undefined && { nextBefore: oldest.messageId }),
      earlierRecordsUnavailable: history.earlierRecordsUnavailable === true,
      earlierRecordsPruned: history.earlierRecordsPruned === true
    })
  })
