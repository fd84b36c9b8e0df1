/**
 * A reminder of the Session-local system as a model sees it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Instant from "../domain/Instant.ts"
import { LegacyRecord } from "./LegacyRecord.ts"

/**
 * A record with its state. It comes only while its Session is live.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LegacyView = Schema.extend(
  LegacyRecord,
  Schema.Struct({
    state: Schema.Literal("scheduled", "overdue"),
    deliveryMode: Schema.Literal("session-local")
  })
)

/**
 * @since 0.1.0
 * @category models
 */
export type LegacyView = typeof LegacyView.Type

/**
 * The view of a record at `now` in epoch milliseconds: overdue from its target on.
 *
 * @since 0.1.0
 * @category constructors
 */
export const legacyView = (record: LegacyRecord, now: number): LegacyView => ({
  ...record,
  state: now >= Instant.toMillis(record.scheduledAt) ? "overdue" : "scheduled",
  deliveryMode: "session-local"
})
