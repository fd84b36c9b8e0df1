/**
 * Which messages a delivery sends: the decision, without carrying it out.
 *
 * @since 0.1.0
 */
import type * as Option from "effect/Option"
import type { Instant } from "./Instant.ts"
import * as Recurrence from "./Recurrence.ts"
import * as Reminder from "./Reminder.ts"
import { isOneShot } from "./ScheduleRecord.ts"
import type { TaskSummary } from "./ScheduleTask.ts"

/**
 * One task's due occurrence, its key, and the target after it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Member {
  readonly task: TaskSummary
  readonly occurrenceAt: Instant
  readonly key: string
  readonly next: Option.Option<Instant>
}

/**
 * One message: a one-shot alone, or all due recurring tasks of the Session together.
 *
 * @since 0.1.0
 * @category models
 */
export interface Message {
  readonly kind: "one" | "batch"
  readonly members: ReadonlyArray<Member>
}

/**
 * The messages for a Session's due tasks, which come by target, then in creation order. One decision time, in epoch
 * milliseconds, holds for all. One-shots come before the recurring ones.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (due: ReadonlyArray<TaskSummary>, decision: number): ReadonlyArray<Message> => {
  const messages: Array<Message> = []
  const recurring: Array<Member> = []
  for (const task of due) {
    const { nextScheduledAt, occurrenceAt } = Recurrence.resolveOccurrence(task.record, decision)
    const key = Reminder.occurrenceKey({ id: task.record.id, occurrenceAt })
    const member: Member = { task, occurrenceAt, key, next: nextScheduledAt }
    if (isOneShot(task.record)) messages.push({ kind: "one", members: [member] })
    else recurring.push(member)
  }
  if (recurring.length > 0) messages.push({ kind: "batch", members: recurring })
  return messages
}

/**
 * Whether a message that the Session already holds under a member's key is left over from a delivery whose receipt was
 * never committed. When the task's last receipt covers the occurrence, it is not: then the clock went back, and the
 * occurrence is a new one.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isUnrecorded = ({ occurrenceAt, task }: Member): boolean =>
  task.lastDelivery === undefined || task.lastDelivery.scheduledAt < occurrenceAt

/**
 * The text of a message with these members, at least one.
 *
 * @since 0.1.0
 * @category conversions
 */
export const render = (kind: Message["kind"], members: ReadonlyArray<Member>): string => {
  const occurrences = members.map(({ occurrenceAt, task }) => ({
    id: task.record.id,
    occurrenceAt,
    prompt: task.record.prompt
  }))
  return kind === "one" ? Reminder.renderOne(occurrences[0]!) : Reminder.renderBatch(occurrences)
}
