/**
 * Latest-only recurrence.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Instant from "./Instant.ts"
import * as Occurrence from "./Occurrence.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"

/**
 * The occurrence to deliver at a decision time, and the first target after it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resolution {
  readonly occurrenceAt: Instant.Instant
  /** None when the rule has no later occurrence: the task ends with this delivery. */
  readonly nextScheduledAt: Option.Option<Instant.Instant>
}

/**
 * What a record that is due at `decision` (epoch milliseconds) delivers: the latest occurrence at or before the decision, never
 * one before the committed target, and the first target after the decision, for daily and weekly also on a later local date
 * than the delivered occurrence. The cost does not depend on how many occurrences were missed. A decision before the target
 * counts as made at the target.
 *
 * @since 0.1.0
 * @category decisions
 */
export const resolveOccurrence = (record: ScheduleRecord, decision: number): Resolution => {
  const target = Instant.toMillis(record.scheduledAt)
  const at = Math.max(target, decision)
  switch (record.kind) {
    case "after":
    case "at":
      return resolution(target, Number.NaN)
    case "every": {
      const interval = record.everySeconds * 1000
      const elapsed = at - target
      const latest = at - (elapsed % interval)
      return resolution(latest, latest + interval)
    }
    case "cron":
      return resolution(latest(record, target, at), Occurrence.next(record, at))
    default: {
      const occurrence = latest(record, target, at)
      return resolution(occurrence, Occurrence.nextOnLaterDate(record, at, occurrence))
    }
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const resolution = (occurrence: number, next: number): Resolution => ({
  occurrenceAt: Instant.format(occurrence),
  nextScheduledAt: Instant.isInRange(next) ? Option.some(Instant.format(next)) : Option.none()
})

// Zone data may have moved the rule's occurrences since the target was committed; the target stands.
const latest = (rule: Occurrence.WallClockRule, target: number, at: number): number => {
  const occurrence = Occurrence.latest(rule, at)
  return Number.isNaN(occurrence) ? target : Math.max(occurrence, target)
}
