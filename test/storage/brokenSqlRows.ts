/** What can be wrong with the tables of the SQL backends, in the words of SQLite. */
import { Chunk, Effect, Either, Option, Stream } from "effect"
import type { StoredRow } from "../../src/storage/ScheduleDriver.ts"
import * as Validation from "../../src/storage/Validation.ts"
import * as A from "../contract/Arbitraries.ts"

const task = (assignment: string) => `UPDATE tasks SET ${assignment}`
const delivery = (assignment: string) => `UPDATE deliveries SET ${assignment} WHERE position = 0`

/** Statements that break the good row, and what opening tells of it. */
export const brokenSqlRows: ReadonlyArray<readonly [name: string, sql: string, tells: string]> = [
  ["an empty session", task("session_id = ''"), "sessionId must be non-empty and trimmed"],
  ["an unknown kind", task("kind = 'hourly'"), "record.kind must be one of"],
  ["a blank title", task("title = ' '"), "record.title must be trimmed"],
  ["an untrimmed prompt", task("prompt = 'Ask '"), "record.prompt must be trimmed"],
  [
    "a target before the year 1",
    task("scheduled_at = -62135596800001"),
    "record.scheduledAt must be a canonical instant"
  ],
  [
    "a target past the year 9999",
    task("scheduled_at = 253402300800000"),
    "record.scheduledAt must be a canonical instant"
  ],
  ["an interval below 60", task("every_seconds = 59"), "record.everySeconds must be a safe integer of at least 60"],
  ["no interval", task("every_seconds = NULL"), "record.everySeconds is missing"],
  ["a field of another kind", task("after_seconds = 5"), 'record has the unknown key "afterSeconds"'],
  ["a zone where there is none", task("time_zone = 'UTC'"), 'record has the unknown key "timeZone"'],
  [
    "an unknown zone",
    task("kind = 'daily', every_seconds = NULL, time = '09:00:00.000', time_zone = 'Mars/Base'"),
    "record.timeZone must be"
  ],
  [
    "a time without milliseconds",
    task("kind = 'daily', every_seconds = NULL, time = '09:00:00', time_zone = 'UTC'"),
    "record.time must be"
  ],
  [
    "weekdays out of order",
    task("kind = 'weekly', every_seconds = NULL, time = '09:00:00.000', time_zone = 'UTC', weekdays = '31'"),
    "record.weekdays must be"
  ],
  [
    "weekdays that are no digits",
    task("kind = 'weekly', every_seconds = NULL, time = '09:00:00.000', time_zone = 'UTC', weekdays = '1,3'"),
    "record.weekdays must be"
  ],
  [
    "a cron expression that is not canonical",
    task("kind = 'cron', every_seconds = NULL, expression = '0 9 * * MON', time_zone = 'UTC'"),
    "record.expression must be"
  ],
  ["half a receipt", task("last_message_id = NULL"), "lastDelivery.messageId is missing"],
  ["a receipt at no instant", task("last_delivered_at = 253402300800000"), "lastDelivery.deliveredAt must be"],
  [
    "another receipt than the newest delivery",
    task("last_message_id = 'c'"),
    "lastDelivery must equal the newest record"
  ],
  [
    "no receipt, but deliveries",
    task("last_message_id = NULL, last_scheduled_at = NULL, last_delivered_at = NULL"),
    "lastDelivery must equal the newest record"
  ],
  [
    "deliveries, but no history",
    task("earlier_unavailable = NULL"),
    "deliveryHistory.earlierRecordsUnavailable is missing"
  ],
  ["a flag of 2", task("earlier_unavailable = 2"), "deliveryHistory.earlierRecordsUnavailable must be true or false"],
  ["a pruned flag of 2", task("earlier_pruned = 2"), "deliveryHistory.earlierRecordsPruned must be true or false"],
  ["a wrong order flag", task("history_ordered = 0"), "history_ordered must be 1"],
  [
    "a delivery at no instant",
    delivery("scheduled_at = -62135596800001"),
    "deliveryHistory.records[0].scheduledAt must be"
  ],
  [
    "a delivery without a message",
    delivery("message_id = ''"),
    "deliveryHistory.records[0].messageId must be non-empty"
  ],
  [
    "a saved prompt that is no text",
    delivery("prompt = char(65535)"),
    "deliveryHistory.records[0].prompt must be a string"
  ],
  ["a gap between deliveries", delivery("position = -1"), "deliveries must have consecutive positions"],
  ["deliveries out of order", delivery("position = 2"), "history_ordered must be 0"],
  ["no deliveries any more", "DELETE FROM deliveries", "lastDelivery must equal the newest record"]
]

/** What validating rows finds. */
export const problems = (rows: Stream.Stream<ReadonlyArray<StoredRow>, unknown>) =>
  Effect.map(Stream.runCollect(Stream.flattenIterables(rows)), (rows) =>
    Chunk.toReadonlyArray(rows)
      .flatMap((row) => Option.toArray(Either.getLeft(Validation.decodeRow(row))))
      .map(({ key, message, table }) => `${table} ${key}: ${message}`)
      .sort()
  )

const numbers = A.constantFrom("0", "1", "2", "-62135596800001", "253402300799999", "253402300800000", "1893456000000")
const texts = A.constantFrom(
  "''",
  "' '",
  "'a'",
  "char(65535)",
  `char(65535) || '"a"'`,
  "char(65536)",
  "'message-1'",
  "NULL"
)
/** Statements that may break what is stored. */
export const damages = A.oneof(
  A.tuple(A.constantFrom("position", "task", "scheduled_at", "delivered_at"), numbers).map(set("deliveries")),
  A.tuple(A.constantFrom("message_id", "prompt"), texts).map(set("deliveries")),
  A.tuple(A.constantFrom("history_ordered", "earlier_unavailable", "last_delivered_at"), numbers).map(set("tasks")),
  A.constantFrom("DELETE FROM deliveries WHERE position = 1", "DELETE FROM tasks WHERE sequence = 2")
)

function set(table: string) {
  const where = table === "tasks" ? "sequence = 1" : "position = (SELECT min(position) FROM deliveries)"
  return ([column, value]: readonly [string, string]) => `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`
}
