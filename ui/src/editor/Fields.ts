/**
 * The fields of the editor and what they ask for. Everything is text as it was typed: whether it is valid is the domain's to
 * say.
 */
import * as Either from "effect/Either"
import { createRecord } from "../../../src/domain/Creation.ts"
import type { ScheduleId } from "../../../src/domain/Identifiers.ts"
import type { Instant } from "../../../src/domain/Instant.ts"
import * as InstantOf from "../../../src/domain/Instant.ts"
import * as Preview from "../../../src/domain/Preview.ts"
import type { ScheduleInputError } from "../../../src/domain/ScheduleInputError.ts"
import type { ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import * as Format from "../time/Format.ts"

/** The kinds of timing, in the order in which the editor offers them. */
export const kinds = ["after", "at", "every", "daily", "weekly", "cron"] as const

export type Kind = (typeof kinds)[number]

/** Units of an interval, in seconds. */
export const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const

export type Unit = keyof typeof units

/** The timing of every kind at once, so that changing the kind back and forth loses nothing. */
export interface Timing {
  readonly kind: Kind
  readonly amount: string
  readonly unit: Unit
  readonly date: string
  readonly time: string
  readonly zone: string
  readonly weekdays: ReadonlyArray<number>
  readonly expression: string
}

export interface Fields {
  readonly title: string
  readonly prompt: string
  readonly timing: Timing
}

/** What a new task starts with. */
export const initial = (now: number): Fields => {
  const soon = Format.local(Math.ceil(now / 3_600_000) * 3_600_000, Format.viewerZone)
  return {
    title: "",
    prompt: "",
    timing: {
      kind: "daily",
      amount: "30",
      unit: "minutes",
      date: soon.date,
      time: "09:00",
      zone: Format.viewerZone,
      weekdays: [1, 2, 3, 4, 5],
      expression: "0 9 * * 1-5"
    }
  }
}

/** The fields that show a record. A relative delay is shown as the instant that it has become. */
export const ofRecord = (record: ScheduleRecord): Fields => {
  const target = InstantOf.toMillis(record.scheduledAt)
  const zone = "timeZone" in record ? record.timeZone : Format.viewerZone
  const { date, time } = Format.local(target, zone)
  const base = initial(target).timing
  const rest = { ...base, date, time: shortTime("time" in record ? record.time : time), zone }
  const { prompt, title } = record
  switch (record.kind) {
    case "after":
    case "at":
      return { title, prompt, timing: { ...rest, kind: "at" } }
    case "every":
      return { title, prompt, timing: { ...rest, kind: "every", ...interval(record.everySeconds) } }
    case "daily":
      return { title, prompt, timing: { ...rest, kind: "daily" } }
    case "weekly":
      return { title, prompt, timing: { ...rest, kind: "weekly", weekdays: record.weekdays } }
    case "cron":
      return { title, prompt, timing: { ...rest, kind: "cron", time: base.time, expression: record.expression } }
  }
}

/** The selector that a timing asks for, by its name. */
export const selector = (timing: Timing): { readonly [name: string]: unknown } => {
  const { date, expression, weekdays, zone } = timing
  const time = fullTime(timing.time)
  switch (timing.kind) {
    case "after":
      return { after_seconds: seconds(timing) }
    case "at":
      return { at: { date, time, time_zone: zone } }
    case "every":
      return { every_seconds: seconds(timing) }
    case "daily":
      return { daily: { time, time_zone: zone } }
    case "weekly":
      return { weekly: { time, time_zone: zone, weekdays } }
    case "cron":
      return { cron: { expression, time_zone: zone } }
  }
}

/** The creation request of the fields. */
export const request = ({ prompt, timing, title }: Fields) => ({ title, prompt, ...selector(timing) })

/** What the domain says of each part of the fields, were they saved at `now`. */
export interface Check {
  readonly title?: ScheduleInputError
  readonly prompt?: ScheduleInputError
  readonly timing?: ScheduleInputError
  /** The record that the timing alone makes. */
  readonly record?: ScheduleRecord
}

export const check = ({ prompt, timing, title }: Fields, now: number): Check => {
  const part = (members: object) => createRecord({ title: "x", prompt: "x", ...members }, { id, now })
  const named = part({ title, after_seconds: 1 })
  const told = part({ prompt, after_seconds: 1 })
  const timed = part(selector(timing))
  return {
    ...(Either.isLeft(named) ? { title: named.left } : {}),
    ...(Either.isLeft(told) ? { prompt: told.left } : {}),
    ...(Either.isLeft(timed) ? { timing: timed.left } : { record: timed.right })
  }
}

/** The next occurrences of a valid timing. */
export const upcoming = (record: ScheduleRecord, now: number, count: number): ReadonlyArray<Instant> =>
  Preview.occurrences(record, now, count)

export const sameTiming = (self: Timing, that: Timing): boolean =>
  JSON.stringify(selector(self)) === JSON.stringify(selector(that))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// Only the check sees it: the Host gives a task its id.
const id = "schedule-00000000-0000-0000-0000-000000000000" as ScheduleId

/** Time inputs leave seconds out when they are zero; requests never do. */
const fullTime = (time: string): string => (/^\d{2}:\d{2}$/.test(time) ? `${time}:00` : time)

const shortTime = (time: string): string => time.replace(/(?::00)?\.000$/, "")

const seconds = ({ amount, unit }: Timing): unknown =>
  amount.trim() === "" ? undefined : Math.round(Number(amount) * units[unit] * 1000) / 1000

const interval = (total: number): { readonly amount: string; readonly unit: Unit } => {
  const unit = (["days", "hours", "minutes"] as const).find((unit) => total % units[unit] === 0) ?? "seconds"
  return { amount: String(total / units[unit]), unit }
}
