/** Generated rows and operations, from small pools so that they meet. */
import * as FastCheck from "effect/FastCheck"
import type { ScheduleId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import type { DeliveryRecord, ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import { id, instant, message, session } from "./Names.ts"

const { array, boolean, constantFrom, integer, nat, oneof, option, record, string, tuple } = FastCheck

export * from "./Names.ts"

export const ids = nat({ max: 7 }).map(id)
export const sessions = nat({ max: 3 }).map(session)
const wide = constantFrom(Instant.format(Instant.min), Instant.format(Instant.max), Instant.format(-1))
export const instants = oneof({ weight: 20, arbitrary: nat({ max: 12 }).map(instant) }, { weight: 1, arbitrary: wide })

const text = oneof(
  string({ unit: "binary", minLength: 1, maxLength: 20 }).map((text) => text.trim() || "x"),
  constantFrom(
    "Standup",
    "a\u0000b",
    "\ud800",
    "'; DROP TABLE tasks; --",
    "line\nbreak",
    "a\u2028b",
    "\uffff",
    "\u0000",
    "😀"
  )
)

const rules = oneof(
  record({ kind: constantFrom("at" as const) }),
  record({ kind: constantFrom("after" as const), afterSeconds: constantFrom(1, 600, Number.MAX_SAFE_INTEGER) }),
  record({ kind: constantFrom("every" as const), everySeconds: constantFrom(60, 3600, Number.MAX_SAFE_INTEGER) }),
  record({
    kind: constantFrom("daily" as const),
    time: constantFrom("00:00:00.000", "23:59:59.999"),
    timeZone: constantFrom("UTC", "Asia/Shanghai")
  }),
  record({
    kind: constantFrom("weekly" as const),
    time: constantFrom("09:00:00.000"),
    timeZone: constantFrom("Europe/Berlin"),
    weekdays: constantFrom([1], [1, 3, 5], [1, 2, 3, 4, 5, 6, 7])
  }),
  record({
    kind: constantFrom("cron" as const),
    expression: constantFrom("*/15 9-17 * * 1-5", "0 0 1 1 *"),
    timeZone: constantFrom("America/New_York")
  })
)

export const records = (ids: FastCheck.Arbitrary<ScheduleId>): FastCheck.Arbitrary<ScheduleRecord> =>
  tuple(ids, text, text, rules, instants).map(([id, title, prompt, { kind, ...rule }, scheduledAt]) => {
    const record = { id, kind, title: title.slice(0, 120), prompt, ...rule, scheduledAt }
    return record as ScheduleRecord
  })

const deliveries = (maxLength: number): FastCheck.Arbitrary<ReadonlyArray<DeliveryRecord>> =>
  FastCheck.uniqueArray(nat({ max: 40 }), { maxLength }).chain((numbers) =>
    tuple(...numbers.map((n) => tuple(instants, instants, option(text), FastCheck.constant(n)))).map((rows) =>
      rows.map(([scheduledAt, deliveredAt, prompt, n]) => ({
        scheduledAt,
        deliveredAt,
        messageId: message(n),
        ...(prompt !== null && { prompt })
      }))
    )
  )

const histories = (maxLength: number) =>
  option(
    tuple(deliveries(maxLength), boolean(), option(boolean())).map(([records, earlierRecordsUnavailable, pruned]) => ({
      records,
      earlierRecordsUnavailable,
      ...(pruned !== null && { earlierRecordsPruned: pruned })
    }))
  )

const receiptOf = ({ prompt: _, ...receipt }: DeliveryRecord) => receipt

/** Any row that decodes: with and without status, last delivery and history. */
export const tasks = (options: { ids?: FastCheck.Arbitrary<ScheduleId>; maxHistory?: number } = {}) =>
  tuple(
    sessions,
    records(options.ids ?? ids),
    constantFrom(undefined, "active" as const, "inactive" as const),
    histories(options.maxHistory ?? 6),
    deliveries(1)
  ).map(([sessionId, record, status, deliveryHistory, lone]): ScheduleTask => {
    const last = deliveryHistory === null ? lone[0] : deliveryHistory.records.at(-1)
    return {
      sessionId,
      record,
      ...(status && { status }),
      ...(last && { lastDelivery: receiptOf(last) }),
      ...(deliveryHistory && { deliveryHistory })
    }
  })

export const bounds = record({ days: integer({ min: 0, max: 3 }), records: integer({ min: 1, max: 6 }) })

export { array, boolean, constantFrom, integer, nat, oneof, option, record, tuple }
