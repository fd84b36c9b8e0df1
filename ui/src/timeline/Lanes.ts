/** What is due within a range of time. */
import * as Instant from "../../../src/domain/Instant.ts"
import * as Preview from "../../../src/domain/Preview.ts"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"

/** The ranges that the timeline offers, in hours. */
export const ranges = { day: 24, week: 168 } as const

export type Range = keyof typeof ranges

export interface Window {
  readonly from: number
  readonly to: number
}

/** The active tasks that are due in a window, those that are overdue included, in the order of their targets. */
export const due = (tasks: ReadonlyArray<TaskSummary>, { to }: Window): ReadonlyArray<TaskSummary> =>
  tasks.filter(({ record, status }) => status === "active" && Instant.toMillis(record.scheduledAt) < to)

/** The runs of a task in a window; `more` when there are more of them than marks would show. */
export const runs = (
  { record }: TaskSummary,
  { from, to }: Window
): { readonly at: ReadonlyArray<number>; readonly more: boolean } => {
  const target = Instant.toMillis(record.scheduledAt)
  const next = Preview.occurrences(record, from, Preview.maxCount).map(Instant.toMillis)
  const inside = next.filter((at) => at < to)
  return {
    at: target <= from ? [target, ...inside] : inside,
    more: next.length === Preview.maxCount && inside.length === next.length
  }
}

/** Instants to rule the window by: whole hours or days of a zone, at most about a dozen. */
export const rules = (
  { from, to }: Window,
  range: Range,
  local: (millis: number) => { readonly date: string; readonly time: string }
): ReadonlyArray<number> => {
  const quarter = 900_000
  const found: Array<number> = []
  // Offsets are multiples of a quarter of an hour, so every whole local hour is on this grid.
  for (let at = Math.ceil(from / quarter) * quarter; at < to; at += quarter) {
    const { time } = local(at)
    const isRule =
      range === "day" ? time.slice(3) === "00:00.000" && Number(time.slice(0, 2)) % 3 === 0 : time === "00:00:00.000"
    if (isRule) found.push(at)
  }
  return found
}
