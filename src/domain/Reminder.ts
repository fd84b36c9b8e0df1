/**
 * The messages that a delivery puts into a Session's inbox, to the byte.
 *
 * @since 0.1.0
 */
import type { ScheduleId } from "./Identifiers.ts"
import type { Instant } from "./Instant.ts"

/** One due occurrence. */
export interface DueOccurrence {
  readonly id: ScheduleId
  readonly occurrenceAt: Instant
  readonly prompt: string
}

/** `<taskId>@<occurrenceAt>`: what a message carries so that the same occurrence is not sent twice. */
export const occurrenceKey = (due: Pick<DueOccurrence, "id" | "occurrenceAt">): string =>
  `${due.id}@${due.occurrenceAt}`

/** The text of a one-shot's message. */
export const renderOne = (_due: DueOccurrence): string => {
  throw new Error("not built yet")
}

/** The text of the message that recurring tasks of one Session share. */
export const renderBatch = (_members: ReadonlyArray<DueOccurrence>): string => {
  throw new Error("not built yet")
}
