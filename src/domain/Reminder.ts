/**
 * The messages that a delivery puts into a Session's inbox, to the byte.
 *
 * @since 0.1.0
 */
import type { ScheduleId } from "./Identifiers.ts"
import type { Instant } from "./Instant.ts"

/**
 * One due occurrence.
 *
 * @since 0.1.0
 * @category models
 */
export interface DueOccurrence {
  readonly id: ScheduleId
  readonly occurrenceAt: Instant
  readonly prompt: string
}

/**
 * `<taskId>@<occurrenceAt>`: what a message carries so that the same occurrence is not sent twice.
 *
 * @since 0.1.0
 * @category getters
 */
export const occurrenceKey = (due: Pick<DueOccurrence, "id" | "occurrenceAt">): string =>
  `${due.id}@${due.occurrenceAt}`

/**
 * The text of a one-shot's message.
 *
 * @since 0.1.0
 * @category rendering
 */
export const renderOne = ({ id, occurrenceAt, prompt }: DueOccurrence): string =>
  [
    "[SCHEDULE REMINDER]",
    origin,
    `schedule_id_json: ${JSON.stringify(id)}`,
    `occurrence_at: ${occurrenceAt}`,
    `reminder_prompt_json: ${JSON.stringify(prompt)}`
  ].join("\n")

/**
 * The text of the message that recurring tasks of one Session share, in the order given.
 *
 * @since 0.1.0
 * @category rendering
 */
export const renderBatch = (members: ReadonlyArray<DueOccurrence>): string =>
  [
    "[SCHEDULE REMINDER BATCH]",
    origin,
    `reminders_json: ${JSON.stringify(
      members.map(({ id, occurrenceAt, prompt }) => ({
        schedule_id: id,
        occurrence_at: occurrenceAt,
        reminder_prompt: prompt
      }))
    )}`
  ].join("\n")

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const origin = "This is a scheduled message from the user"
