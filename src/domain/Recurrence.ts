/**
 * Latest-only recurrence.
 *
 * @since 0.1.0
 */
import type * as Option from "effect/Option"
import type { Instant } from "./Instant.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"

/** The occurrence to deliver at a decision time (epoch milliseconds), and the first target after it. */
export const resolveOccurrence = (
  _record: ScheduleRecord,
  _decision: number
): { readonly occurrenceAt: Instant; readonly nextScheduledAt: Option.Option<Instant> } => {
  throw new Error("not built yet")
}
