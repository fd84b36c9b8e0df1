/**
 * The reads of the sqlite backend, each answered from an index.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as History from "../domain/History.ts"
import * as Instant from "../domain/Instant.ts"
import type { DeliveryRecord, ScheduleTask } from "../domain/ScheduleTask.ts"
import type { DriverConnection } from "./ScheduleDriver.ts"
import * as SqliteCounts from "./SqliteCounts.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqliteRow from "./SqliteRow.ts"
import * as SqlText from "./SqlText.ts"

type Reads = Pick<
  DriverConnection,
  "get" | "activeOf" | "catalogPage" | "dueSessions" | "dueOf" | "earliestTarget" | "historyPage" | "counts"
>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (file: SqliteFile.SqliteFile): Reads => {
  const read = <A>(
    sql: string,
    params: ReadonlyArray<unknown>,
    decode: (rows: ReadonlyArray<SqliteRow.Columns>) => A
  ) => Effect.mapBoth(file.rows(sql, params), { onSuccess: decode, onFailure: SqliteFile.failure("cannot read") })
  const summaries = (rows: ReadonlyArray<SqliteRow.Columns>) => rows.map((row) => SqliteRow.toSummary(row, 0, "active"))

  return {
    get: (id) => read(getTask, [id], (rows) => Option.fromNullable(summaries(rows)[0])),
    activeOf: (sessionId) => read(activeOf, [SqlText.encode(sessionId)], summaries),
    catalogPage: ({ after, limit, status }) => {
      const from = after === undefined ? [Instant.min, ""] : [Instant.toMillis(after.scheduledAt), after.id]
      const cursors = status === undefined ? [...from, ...from] : from
      return read(catalogPages[status ?? "all"], [...cursors, limit], summaries)
    },
    dueSessions: (until) =>
      read(dueSessions, [Instant.toMillis(until)], (rows) => rows.map(([id]) => String(SqlText.decode(id)))),
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
        earliestTarget,
        [Option.match(after, { onNone: () => Instant.min - 1, onSome: Instant.toMillis })],
        ([row]) => Option.map(Option.fromNullable(row?.[0]), SqliteRow.toInstant)
      ),
    historyPage: (id, query) =>
      Effect.flatMap(
        read(historyOf, [id], ([row]) => row),
        (row) =>
          row === undefined
            ? Effect.dieMessage(`there is no task ${id}`)
            : Effect.mapError(historyPage(file, row, query), SqliteFile.failure("cannot read"))
      ),
    counts: Effect.mapError(SqliteCounts.read(file), SqliteFile.failure("cannot read"))
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const columns = SqliteRow.taskColumns.join(", ")
const { isActive } = SqliteRow

const getTask = `SELECT ${columns} FROM tasks WHERE id = ?`
const activeOf = `SELECT ${columns} FROM tasks WHERE session_id = ? AND ${isActive} ORDER BY sequence`
const dueOf = (which: string) => `SELECT ${columns} FROM tasks
  WHERE session_id = ? AND scheduled_at <= ? AND ${isActive} AND ${which} ORDER BY scheduled_at, sequence`
const dueOneShots = `${dueOf("kind IN ('after', 'at')")} LIMIT ?`
const dueRecurring = dueOf("kind NOT IN ('after', 'at')")
// The limit keeps the planner from walking all active tasks Session by Session.
const dueSessions = `SELECT session_id FROM (
    SELECT session_id, scheduled_at FROM tasks WHERE scheduled_at <= ? AND ${isActive}
    ORDER BY scheduled_at LIMIT ${Number.MAX_SAFE_INTEGER})
  GROUP BY session_id ORDER BY min(scheduled_at), session_id`
const earliestTarget = `SELECT min(scheduled_at) FROM tasks WHERE scheduled_at > ? AND ${isActive}`

const behind = (which: string) => `SELECT ${columns} FROM tasks WHERE (scheduled_at, id) > (?, ?) AND ${which}`
const inCatalogOrder = "ORDER BY scheduled_at, id LIMIT ?"
const catalogPages = {
  active: `${behind(isActive)} ${inCatalogOrder}`,
  inactive: `${behind("status = 'inactive'")} ${inCatalogOrder}`,
  // merges the two indexes as far as the page reaches
  all: `${behind(isActive)} UNION ALL ${behind("status = 'inactive'")} ${inCatalogOrder}`
}

const historyOf = `SELECT sequence, ${columns} FROM tasks WHERE id = ?`
const deliveryColumns = SqliteRow.deliveryColumns.join(", ")
const positionOf = "SELECT position FROM deliveries WHERE task = ? AND message_id = ?"
const deliveriesBefore = `SELECT ${deliveryColumns} FROM deliveries WHERE task = ? AND position < ?
  ORDER BY position DESC LIMIT ?`

const historyPage = (file: SqliteFile.SqliteFile, row: SqliteRow.Columns, { before, limit }: History.HistoryQuery) =>
  Effect.gen(function* () {
    const [sequence] = row
    const history = SqliteRow.toHistory(row, 1, [])
    if (history === undefined) {
      return History.page(SqliteRow.toTask(row, 1, []) as ScheduleTask, { before, limit })
    }
    let end: unknown = Number.MAX_SAFE_INTEGER
    if (before !== undefined) {
      const [cursor] = yield* file.rows(positionOf, [sequence, SqlText.encode(before)])
      if (cursor === undefined) return Option.none<History.HistoryPage>()
      end = cursor[0]
    }
    const found = yield* file.rows(deliveriesBefore, [sequence, end, limit + 1])
    const records = found.slice(0, limit).map((delivery) => SqliteRow.toDelivery(delivery, 2) as DeliveryRecord)
    const oldest = records.at(-1)
    return Option.some<History.HistoryPage>({
      records,
      ...(found.length > limit && oldest !== undefined && { nextBefore: oldest.messageId }),
      earlierRecordsUnavailable: history.earlierRecordsUnavailable === true,
      earlierRecordsPruned: history.earlierRecordsPruned === true
    })
  })
