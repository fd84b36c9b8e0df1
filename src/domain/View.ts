/**
 * A record as people and models see it.
 *
 * @since 0.1.0
 */
import * as Instant from "./Instant.ts"
import * as Rule from "./Rule.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"

/**
 * A record with its state; the key order of its JSON is fixed.
 *
 * @since 0.1.0
 * @category models
 */
export type ScheduleView = ScheduleRecord & {
  readonly state: "scheduled" | "overdue"
  readonly deliveryMode: "host"
}

/**
 * The view of a record at `now` in epoch milliseconds: overdue from its target on. Its keys are in the order `id, kind,
 * title, prompt`, the kind's own fields, `scheduledAt, state, deliveryMode`, whatever order the record has.
 *
 * @since 0.1.0
 * @category constructors
 */
export const scheduleView = (record: ScheduleRecord, now: number): ScheduleView => ({
  ...Rule.toRecord(record, record),
  state: now >= Instant.toMillis(record.scheduledAt) ? "overdue" : "scheduled",
  deliveryMode: "host"
})
