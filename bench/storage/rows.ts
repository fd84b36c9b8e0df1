/** Rows to measure with: all kinds in turn, a fifth of them inactive, and 20 saved deliveries on a tenth. */
import { Effect, Stream } from "effect"
import { MessageId, ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import type { DeliveryRecord, ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import type { ScheduleDriver } from "../../src/storage/ScheduleDriver.ts"

export const deliveriesPerTask = 20

/** Where the targets of active tasks begin; they spread over the `spread` milliseconds after it. */
export const start = Date.UTC(2030, 0, 1)
export const spread = 86_400_000

const prompt = "Look at the queue of new reports, answer what can be answered, and say what is left."
const zones = ["Asia/Shanghai", "Europe/Berlin", "America/New_York", "UTC"]

/** Ids ascend in the order of creation, as those of the service do. */
export const id = (n: number) => ScheduleId.make(`schedule-${hex(n)}-0000-7000-8000-${String(n).padStart(12, "0")}`)

export const session = (n: number) => SessionId.make(`session-${String(n).padStart(6, "0")}`)

/** How many Sessions share so many tasks. */
export const sessionsOf = (tasks: number) => Math.max(1, Math.floor(tasks / 20))

export const row = (n: number, tasks: number): ScheduleTask => {
  const records = n % 10 === 3 ? history(n) : []
  const newest = records.at(-1)
  return {
    sessionId: session((Math.imul(n, 2_654_435_761) >>> 0) % sessionsOf(tasks)),
    record: {
      id: id(n),
      ...rule(n),
      scheduledAt: Instant.format(start + ((Math.imul(n, 40_503) >>> 0) % spread))
    } as ScheduleRecord,
    status: n % 5 === 0 ? "inactive" : "active",
    ...(newest && {
      lastDelivery: { scheduledAt: newest.scheduledAt, deliveredAt: newest.deliveredAt, messageId: newest.messageId }
    }),
    deliveryHistory: { records, earlierRecordsUnavailable: false }
  }
}

/** A row as it is when it has just been created. */
export const created = (n: number, tasks: number): ScheduleTask => {
  const { record, sessionId } = row(n, tasks)
  return { sessionId, record, status: "active", deliveryHistory: { records: [], earlierRecordsUnavailable: false } }
}

/** Fills a medium that has no rows. */
export const load = (driver: ScheduleDriver, tasks: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* driver.lock
      const connection = yield* Effect.flatMap(driver.inspect, ({ connect }) => connect)
      yield* connection.load(Stream.fromIteratorSucceed(pieces(tasks), 1))
    })
  )

/** All rows in pieces. */
function* pieces(tasks: number, size = 1000): Generator<ReadonlyArray<ScheduleTask>> {
  for (let n = 0; n < tasks; n += size) {
    yield Array.from({ length: Math.min(size, tasks - n) }, (_, i) => row(n + i, tasks))
  }
}

const hex = (n: number) => (n >>> 0).toString(16).padStart(8, "0")

const rule = (n: number) => {
  const texts = { title: `Task number ${n}`, prompt }
  const timeZone = zones[n % zones.length]
  const kind = (["after", "at", "every", "daily", "weekly", "cron"] as const)[n % 6]!
  switch (kind) {
    case "after":
      return { kind, ...texts, afterSeconds: 600 }
    case "at":
      return { kind, ...texts }
    case "every":
      return { kind, ...texts, everySeconds: 300 }
    case "daily":
      return { kind, ...texts, time: "09:00:00.000", timeZone }
    case "weekly":
      return { kind, ...texts, time: "09:30:00.000", timeZone, weekdays: [1, 3, 5] }
    case "cron":
      return { kind, ...texts, expression: `${n % 60} 9-17 * * 1-5`, timeZone }
  }
}

const history = (n: number): ReadonlyArray<DeliveryRecord> =>
  Array.from({ length: deliveriesPerTask }, (_, i) => {
    const at = Instant.format(start - (deliveriesPerTask - i) * 3_600_000 - (n % 3_600_000))
    return { scheduledAt: at, deliveredAt: at, messageId: MessageId.make(`message-${n}-${i}`), prompt }
  })
