/**
 * A record as people and models see it.
 *
 * @since 0.1.0
 */
import type { ScheduleRecord } from "./ScheduleRecord.ts"

/** A record with its state; the key order of its JSON is fixed. */
export type ScheduleView = ScheduleRecord & {
  readonly state: "scheduled" | "overdue"
  readonly deliveryMode: "host"
}

/** The view of a record at `now` in epoch milliseconds. */
export const scheduleView = (_record: ScheduleRecord, _now: number): ScheduleView => {
  throw new Error("not built yet")
}
