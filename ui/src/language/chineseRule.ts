/** Rules in plain Chinese, as `describe` of the domain has them in English. */
import * as Either from "effect/Either"
import * as Cron from "../../../src/domain/Cron.ts"
import * as CronField from "../../../src/domain/CronField.ts"
import type { RecurringRecord } from "../../../src/domain/ScheduleRecord.ts"

/** What a sentence is made from: the rule of a recurring task. */
export type Subject =
  | Pick<Extract<RecurringRecord, { readonly kind: "every" }>, "kind" | "everySeconds">
  | Pick<Extract<RecurringRecord, { readonly kind: "daily" }>, "kind" | "time" | "timeZone">
  | Pick<Extract<RecurringRecord, { readonly kind: "weekly" }>, "kind" | "time" | "timeZone" | "weekdays">
  | Pick<Extract<RecurringRecord, { readonly kind: "cron" }>, "kind" | "expression" | "timeZone">

/** One sentence without its full stop. Rules that differ in what they match read differently. */
export const describe = (subject: Subject): string => {
  switch (subject.kind) {
    case "every":
      return `每 ${duration(subject.everySeconds)}`
    case "daily":
      return `每天 ${shortTime(subject.time)}，${subject.timeZone}`
    case "weekly":
      return `${onWeekdays(subject.weekdays)} ${shortTime(subject.time)}，${subject.timeZone}`
    case "cron": {
      const cron = Either.getOrThrow(Cron.parse(subject.expression))
      return `${dates(cron)}，${times(cron)}，${subject.timeZone}`
    }
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const values = (cron: Cron.Cron, field: keyof Cron.Cron) => CronField.valuesOf(cron[field], Cron.ranges[field])

/** A single day is 24 hours, since it is no calendar day. */
const duration = (seconds: number): string => {
  const days = seconds < 2 * 86_400 ? 0 : Math.floor(seconds / 86_400)
  const rest = seconds - days * 86_400
  const parts = [
    [days, "天"],
    [Math.floor(rest / 3600), "小时"],
    [Math.floor(rest / 60) % 60, "分钟"],
    [rest % 60, "秒"]
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ")
}

const shortTime = (time: string): string => time.replace(/(?::00)?\.000$/, "")

const dates = (cron: Cron.Cron): string => {
  const months = values(cron, "month")
  const days = values(cron, "dayOfMonth")
  const weekdays = values(cron, "dayOfWeek")
    .map((day) => (day === 0 ? 7 : day))
    .sort((a, b) => a - b)
  const isEveryDate = days.length === 31
  const isEveryWeekday = weekdays.length === 7
  const inMonths = months.length === 12 ? "" : `${runs(months, "月")}的`
  const onDates = `${inMonths || "每月"} ${runs(days, "日")}`
  const needsBoth = cron.dayOfMonth.star || cron.dayOfWeek.star
  if (needsBoth ? isEveryDate && isEveryWeekday : isEveryDate || isEveryWeekday) return `${inMonths}每天`
  if (!needsBoth) return `${onDates}，以及${inMonths && ` ${inMonths}`}${onWeekdays(weekdays)}`
  if (isEveryDate) return `${inMonths}${onWeekdays(weekdays)}`
  return isEveryWeekday ? onDates : `${onDates}，且为${weekdayNames(weekdays)}`
}

const times = (cron: Cron.Cron): string => {
  const minutes = values(cron, "minute")
  const hours = values(cron, "hour")
  const byMinutes = stepOf(minutes)
  const byHours = stepOf(hours)
  const allHours = hours.length === 24
  if (minutes.length * hours.length <= 6) {
    return hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute))).join("、")
  }
  // A walk through the whole hour goes on in the next one as if there were no hours.
  if (byMinutes !== undefined && minutes.length * byMinutes === 60 && (byHours === 1 || hours.length === 1)) {
    const step = `每 ${byMinutes} 分钟`
    return allHours && minutes[0] === 0 ? step : `${span(hours, minutes)} ${step}`
  }
  if (minutes.length === 1 && byHours !== undefined) return `${span(hours, minutes)} 每 ${byHours} 小时`
  return `${allHours ? "每小时" : runs(hours, "点")}的第 ${runs(minutes, "分")}`
}

const span = (hours: ReadonlyArray<number>, minutes: ReadonlyArray<number>): string =>
  `${clock(hours[0]!, minutes[0]!)} 至 ${clock(hours.at(-1)!, minutes.at(-1)!)}`

const clock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`

const onWeekdays = (weekdays: ReadonlyArray<number>): string =>
  weekdays.length === 7 ? "每天" : `每${weekdayNames(weekdays)}`

const weekdayNames = (weekdays: ReadonlyArray<number>): string =>
  runsOf(weekdays)
    .map(([from, to]) => (from === to ? `周${days[from - 1]}` : `周${days[from - 1]}至周${days[to - 1]}`))
    .join("、")

const days = "一二三四五六日"

/** `1、3 至 5 日` */
const runs = (values: ReadonlyArray<number>, unit: string): string =>
  `${runsOf(values)
    .map(([from, to]) => (from === to ? from : `${from} 至 ${to}`))
    .join("、")} ${unit}`

/** Ascending values, three or more neighbours as one pair. */
const runsOf = (values: ReadonlyArray<number>): ReadonlyArray<readonly [from: number, to: number]> => {
  const found: Array<readonly [number, number]> = []
  for (let i = 0; i < values.length; ) {
    let j = i
    while (values[j + 1] === values[j]! + 1) j++
    if (j - i < 2) j = i
    found.push([values[i]!, values[j]!])
    i = j + 1
  }
  return found
}

const stepOf = (values: ReadonlyArray<number>): number | undefined => {
  const step = values.length < 2 ? undefined : values[1]! - values[0]!
  return values.every((value, i) => i === 0 || value - values[i - 1]! === step) ? step : undefined
}
