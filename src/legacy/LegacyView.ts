/**
 * A reminder of the Session-local system as a model sees it.
 *
 * @since 0.1.0
 */
import * as Instant from "../domain/Instant.ts"
import type { LegacyRecord } from "./LegacyRecord.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type LegacyView = LegacyRecord & {
  readonly state: "scheduled" | "overdue"
  /** It comes only while its Session is live. */
  readonly deliveryMode: "session-local"
}

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
