/**
 * An edit that has not been saved.
 *
 * Invariants:
 * 1. a refresh never changes what was typed: a draft moves only by its own functions;
 * 2. what is sent names the record that the edit began from, so that the Host notices every change in between;
 * 3. a part that was not touched is not sent.
 */

import * as Rule from "../../../src/domain/Rule.ts"
import type { ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import * as Fields from "./Fields.ts"

export interface Draft {
  /** The record that the edit began from. */
  readonly base: ScheduleRecord
  readonly fields: Fields.Fields
}

/** The parts of a task that a person edits. */
export type Part = "title" | "prompt" | "timing"

/** An edit of a record as it stands. */
export const begin = (base: ScheduleRecord): Draft => ({ base, fields: Fields.ofRecord(base) })

/** The parts that differ from the record that the edit began from. */
export const edited = ({ base, fields }: Draft): ReadonlyArray<Part> => {
  const before = Fields.ofRecord(base)
  return [
    ...(fields.title.trim() === before.title ? [] : ["title" as const]),
    ...(fields.prompt.trim() === before.prompt ? [] : ["prompt" as const]),
    ...(Fields.sameTiming(fields.timing, before.timing) ? [] : ["timing" as const])
  ]
}

/** What `schedule.update` is sent, besides the address. */
export const request = (draft: Draft) => {
  const parts = edited(draft)
  const { prompt, timing, title } = draft.fields
  return {
    expected: draft.base,
    ...(parts.includes("title") ? { title } : {}),
    ...(parts.includes("prompt") ? { prompt } : {}),
    ...(parts.includes("timing") ? { change: { kind: timing.kind, ...Fields.selector(timing) } } : {})
  }
}

/** Which fields of the task are no longer those that the edit began from. */
export const changedMeanwhile = ({ base }: Draft, current: ScheduleRecord): ReadonlyArray<Part | "scheduledAt"> => {
  if (Rule.sameRecord(base, current)) return []
  const timingChanged = !Rule.sameRecord(
    { ...base, ...texts, scheduledAt: at } as ScheduleRecord,
    {
      ...current,
      ...texts,
      scheduledAt: at
    } as ScheduleRecord
  )
  return [
    ...(base.title === current.title ? [] : ["title" as const]),
    ...(base.prompt === current.prompt ? [] : ["prompt" as const]),
    ...(timingChanged ? ["timing" as const] : []),
    ...(base.scheduledAt === current.scheduledAt ? [] : ["scheduledAt" as const])
  ]
}

/** The same edit on top of the record as it stands now: parts that were not touched become the current ones. */
export const rebase = (draft: Draft, current: ScheduleRecord): Draft => {
  const parts = edited(draft)
  const latest = Fields.ofRecord(current)
  return {
    base: current,
    fields: {
      title: parts.includes("title") ? draft.fields.title : latest.title,
      prompt: parts.includes("prompt") ? draft.fields.prompt : latest.prompt,
      timing: parts.includes("timing") ? draft.fields.timing : latest.timing
    }
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const texts = { title: "x", prompt: "x" }
const at = "2000-01-01T00:00:00.000Z"
