/**
 * From a reminder of the Session-local system to a request for the same one of the Host.
 *
 * @since 0.1.0
 */
import * as Instant from "../domain/Instant.ts"
import type { LegacyRecord } from "./LegacyRecord.ts"

/**
 * A creation request that `ScheduleService.create` takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface MigrationRequest {
  readonly title: string
  readonly prompt: string
  readonly at?: Instant.Instant
  readonly after_seconds?: number
  readonly every_seconds?: number
}

/**
 * The request that recreates a reminder at `now` in epoch milliseconds. A one-shot keeps its instant; one that is overdue comes
 * a second after it is saved. A fixed rate starts anew, one interval from now. A reminder without a title, as they all were
 * once, is named after its id.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toRequest = (record: LegacyRecord, now: number): MigrationRequest => {
  const texts = { title: record.title ?? `Reminder ${record.id}`.slice(0, 120), prompt: record.prompt }
  if (record.kind === "every") return { ...texts, every_seconds: record.everySeconds }
  return Instant.toMillis(record.scheduledAt) > now
    ? { ...texts, at: record.scheduledAt }
    : { ...texts, after_seconds: 1 }
}
