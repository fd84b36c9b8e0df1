/**
 * What the Session-local system delivers next.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Instant from "../domain/Instant.ts"
import type { ScheduleLogError } from "../domain/ScheduleLogError.ts"
import { isOneShot, type LegacyEveryRecord, type LegacyOneShotRecord, type LegacyRecord } from "./LegacyRecord.ts"
import { renderLegacyReminder, renderLegacyReminderBatch } from "./LegacyReminder.ts"
import type { ScheduleChange } from "./ScheduleChange.ts"
import { resolveEvery } from "./ScheduleFold.ts"

/**
 * One message, and the changes that say that it was queued.
 *
 * @since 0.1.0
 * @category models
 */
export interface DuePlan {
  readonly text: string
  readonly changes: ReadonlyArray<ScheduleChange>
}

/**
 * The next message at a decision time in epoch milliseconds, which must be an instant: the first due one-shot by itself; when
 * none is due, all due `every` records together, each with its latest occurrence. First is what has the earlier target, and of
 * one target what was created earlier. None when nothing is due.
 *
 * @since 0.1.0
 * @category decisions
 */
export const make = (
  active: ReadonlyArray<LegacyRecord>,
  decision: number
): Either.Either<Option.Option<DuePlan>, ScheduleLogError> => {
  const due = active
    .filter(({ scheduledAt }) => Instant.toMillis(scheduledAt) <= decision)
    .sort((a, b) => Instant.toMillis(a.scheduledAt) - Instant.toMillis(b.scheduledAt))
  const first = due.find(isOneShot)
  if (first !== undefined) return Either.right(Option.some(oneShot(first)))
  const every = due.filter((record) => record.kind === "every")
  return every.length === 0 ? Either.right(Option.none()) : Either.map(batch(every, decision), Option.some)
}

/**
 * The earliest target of all records, in epoch milliseconds; none when there is no record.
 *
 * @since 0.1.0
 * @category getters
 */
export const earliest = (active: ReadonlyArray<LegacyRecord>): Option.Option<number> =>
  active.length === 0
    ? Option.none()
    : Option.some(active.reduce((least, { scheduledAt }) => Math.min(least, Instant.toMillis(scheduledAt)), Infinity))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const oneShot = (record: LegacyOneShotRecord): DuePlan => ({
  text: renderLegacyReminder(record),
  changes: [{ version: 1, operation: "dispatch", id: record.id }]
})

const batch = (records: ReadonlyArray<LegacyEveryRecord>, decision: number) =>
  Either.gen(function* () {
    const members: Array<{ readonly record: LegacyEveryRecord; readonly occurrenceAt: Instant.Instant }> = []
    for (const record of records) {
      members.push({ record, occurrenceAt: (yield* resolveEvery(record, decision)).occurrenceAt })
    }
    const acceptedAt = Instant.format(decision)
    const plan: DuePlan = {
      text: renderLegacyReminderBatch(members),
      changes: records.map(({ id }) => ({ version: 1, operation: "dispatch", id, acceptedAt }))
    }
    return plan
  })
