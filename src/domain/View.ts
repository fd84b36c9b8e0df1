/**
 * A record as people and models see it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "./Instant.ts"
import * as Rule from "./Rule.ts"
import {
  AfterRecord,
  AtRecord,
  CronRecord,
  DailyRecord,
  EveryRecord,
  type ScheduleRecord,
  WeeklyRecord
} from "./ScheduleRecord.ts"

const withState = <Fields extends Schema.Struct.Fields>(record: Schema.Struct<Fields>) =>
  Schema.Struct({
    ...record.fields,
    state: Schema.Literal("scheduled", "overdue"),
    deliveryMode: Schema.Literal("host")
  })

/**
 * A record with its state; the key order of its JSON is fixed.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ScheduleView = Schema.Union(
  withState(AfterRecord),
  withState(AtRecord),
  withState(EveryRecord),
  withState(DailyRecord),
  withState(WeeklyRecord),
  withState(CronRecord)
)

/**
 * @since 0.1.0
 * @category models
 */
export type ScheduleView = typeof ScheduleView.Type

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
