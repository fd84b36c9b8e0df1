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

/** How many runs a task has in a window; `more` when there are more than that. */
export const count = (
  { record }: TaskSummary,
  { from, to }: Window
): { readonly runs: number; readonly more: boolean } => {
  const next = Preview.occurrences(record, from, Preview.maxCount)
  const inside = next.filter((at) => Instant.toMillis(at) < to).length
  const overdue = Instant.toMillis(record.scheduledAt) <= from ? 1 : 0
  return { runs: inside + overdue, more: inside === Preview.maxCount }
}

/** Runs that are drawn as one: a single one where `from` equals `to`, else a band of runs too close to tell apart. */
export interface Mark {
  readonly from: number
  readonly to: number
}

// Runs nearer than this part of the window are one mark, so a lane never takes more than this many looks.
const resolution = 240

/** What is drawn for a task in a window, an overdue run included. The cost does not depend on how often the task runs. */
export const marks = ({ record }: TaskSummary, { from, to }: Window): ReadonlyArray<Mark> => {
  const step = (to - from) / resolution
  const found: Array<Mark> = []
  const target = Instant.toMillis(record.scheduledAt)
  if (target <= from) found.push({ from: target, to: target })
  const next = (after: number) => {
    const [instant] = Preview.occurrences(record, after, 1)
    return instant === undefined ? Number.NaN : Instant.toMillis(instant)
  }
  let at = next(from)
  while (at < to) {
    const last = found.at(-1)
    if (last !== undefined && last.to > from && at - last.to <= step * 1.25) {
      found[found.length - 1] = { from: last.from, to: at }
    } else {
      found.push({ from: at, to: at })
    }
    const following = next(at)
    at = following - at < step ? next(at + step - 1) : following
  }
  return found
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
