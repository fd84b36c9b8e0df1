/**
 * Rules in plain words.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Cron from "./Cron.ts"
import * as CronField from "./CronField.ts"
import type * as Occurrence from "./Occurrence.ts"

/**
 * What is described: the rule of a record, or one that has no target yet.
 *
 * @since 0.1.0
 * @category models
 */
export type Subject =
  | { readonly kind: "after"; readonly afterSeconds: number; readonly scheduledAt?: string }
  | { readonly kind: "at"; readonly scheduledAt: string }
  | { readonly kind: "every"; readonly everySeconds: number }
  | Occurrence.WallClockRule

/**
 * The languages of descriptions.
 *
 * @since 0.1.0
 * @category models
 */
export type Locale = "en"

/**
 * One sentence without its full stop, such as "Every 15 minutes from 09:00 to 17:45, Monday to Friday, Asia/Shanghai".
 * Wall-clock rules end with their zone, instants are in UTC. Rules that differ in what they match read differently.
 *
 * @since 0.1.0
 * @category rendering
 */
export const describe = (subject: Subject, locale: Locale = "en"): string => languages[locale](subject)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const english = (subject: Subject): string => {
  switch (subject.kind) {
    case "after": {
      const delay = `Once, ${duration(subject.afterSeconds)} after it is saved`
      return subject.scheduledAt === undefined ? delay : `${delay}, on ${instant(subject.scheduledAt)}`
    }
    case "at":
      return `Once, on ${instant(subject.scheduledAt)}`
    case "every":
      return `Every ${duration(subject.everySeconds).replace(/^1 (?=\w+$)/, "")}`
    case "daily":
      return `Every day at ${shortTime(subject.time)}, ${subject.timeZone}`
    case "weekly":
      return `${capital(onWeekdays(subject.weekdays))} at ${shortTime(subject.time)}, ${subject.timeZone}`
    case "cron":
      return `${cron(Either.getOrThrow(Cron.parse(subject.expression)))}, ${subject.timeZone}`
  }
}

const languages: Record<Locale, (subject: Subject) => string> = { en: english }

/** `2 days 3 hours`; a single day is 24 hours, since it is no calendar day. */
const duration = (seconds: number): string => {
  const days = seconds < 2 * 86_400 ? 0 : Math.floor(seconds / 86_400)
  const rest = seconds - days * 86_400
  const parts = [
    [days, "day"],
    [Math.floor(rest / 3600), "hour"],
    [Math.floor(rest / 60) % 60, "minute"],
    [rest % 60, "second"]
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" ")
}

const instant = (text: string): string => `${text.slice(0, 10)} at ${shortTime(text.slice(11, -1))} UTC`

/** `HH:mm:ss.SSS` without the zeros that say nothing. */
const shortTime = (time: string): string => time.replace(/(?::00)?\.000$/, "")

const cron = (fields: Cron.Cron): string => {
  const dates = onDates(fields)
  const minutes = CronField.valuesOf(fields.minute, Cron.ranges.minute)
  const hours = CronField.valuesOf(fields.hour, Cron.ranges.hour)
  const steps = inSteps(hours, minutes)
  if (steps === undefined) {
    const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)))
    return `${capital(dates)}${dates.includes(" if ") ? "," : ""} at ${join(times)}`
  }
  return hours.length === 24 && dates === everyDay ? capital(steps) : `${capital(steps)}, ${dates}`
}

/** The times of a day as a regular pattern; undefined when they are better told one by one. */
const inSteps = (hours: ReadonlyArray<number>, minutes: ReadonlyArray<number>): string | undefined => {
  const [minute = 0] = minutes
  const lastMinute = minutes[minutes.length - 1] ?? 0
  const [hour = 0] = hours
  const lastHour = hours[hours.length - 1] ?? 0
  const everyMinutes = stepOf(minutes)
  const everyHours = stepOf(hours)
  const count = minutes.length * hours.length
  if (count <= 2) return undefined
  const span = `from ${clock(hour, minute)} to ${clock(lastHour, lastMinute)}`
  // A walk through the whole hour goes on in the next one as if there were no hours.
  if (everyMinutes !== undefined && minutes.length * everyMinutes === 60 && (everyHours === 1 || hours.length === 1)) {
    return hours.length === 24 && minute === 0
      ? every(everyMinutes, "minute")
      : `${every(everyMinutes, "minute")} ${span}`
  }
  if (minutes.length === 1 && everyHours !== undefined && hours.length > 2) {
    return everyHours === 1 && hours.length === 24
      ? `every hour at ${pastHour(minute)}`
      : `${every(everyHours, "hour")} ${span}`
  }
  if (count <= 6) return undefined
  const ofHours =
    hours.length === 24
      ? "of every hour"
      : `of the hour${hours.length === 1 ? "" : "s"} ${join(runs(hours, twoDigits))}`
  return everyMinutes !== undefined && minutes.length > 2
    ? `${every(everyMinutes, "minute")} from ${pastHour(minute)} to ${pastHour(lastMinute)} ${ofHours}`
    : `at ${join(runs(minutes, pastHour))} ${ofHours}`
}

const everyDay = "every day"

const onDates = (fields: Cron.Cron): string => {
  const months = CronField.valuesOf(fields.month, Cron.ranges.month)
  const dates = CronField.valuesOf(fields.dayOfMonth, Cron.ranges.dayOfMonth)
  const weekdays = CronField.valuesOf(fields.dayOfWeek, Cron.ranges.dayOfWeek).map((day) => (day === 0 ? 7 : day))
  weekdays.sort((a, b) => a - b)
  const everyDate = dates.length === 31
  const everyWeekday = weekdays.length === 7
  const names = join(runs(months, (month) => monthNames[month - 1]!))
  const inMonths = months.length === 12 ? "" : ` in ${names}`
  const onDate = `on ${datesOf(dates)} of ${months.length === 12 ? "every month" : names}`
  const needsBoth = fields.dayOfMonth.star || fields.dayOfWeek.star
  if (needsBoth ? everyDate && everyWeekday : everyDate || everyWeekday) return `${everyDay}${inMonths}`
  if (!needsBoth) {
    return `${onDate} and ${isRun(weekdays) ? "every day from " : "every "}${weekdayNames(weekdays)}${inMonths}`
  }
  if (everyDate) return `${onWeekdays(weekdays)}${inMonths}`
  return everyWeekday ? onDate : `${onDate} if it is ${weekdayNames(weekdays, "or")}`
}

const datesOf = (dates: ReadonlyArray<number>): string => {
  const step = stepOf(dates)
  return step !== undefined && step > 1 && dates.length > 3
    ? `every ${ordinal(step)} day from the ${ordinal(dates[0]!)} to the ${ordinal(dates[dates.length - 1]!)}`
    : `the ${join(runs(dates, ordinal))}`
}

const onWeekdays = (weekdays: ReadonlyArray<number>): string =>
  weekdays.length === 7 ? everyDay : isRun(weekdays) ? weekdayNames(weekdays) : `every ${weekdayNames(weekdays)}`

const weekdayNames = (weekdays: ReadonlyArray<number>, last?: "or"): string =>
  join(
    runs(weekdays, (day) => dayNames[day - 1]!),
    last
  )

const every = (count: number, unit: string): string => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`)

const clock = (hour: number, minute: number): string => `${twoDigits(hour)}:${twoDigits(minute)}`

const pastHour = (minute: number): string => `:${twoDigits(minute)}`

const twoDigits = (value: number): string => `${value}`.padStart(2, "0")

const ordinal = (value: number): string => {
  const ends = ["th", "st", "nd", "rd"]
  return `${value}${(value > 3 && value < 21 ? undefined : ends[value % 10]) ?? "th"}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const join = (parts: ReadonlyArray<string>, last = "and"): string =>
  parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")} ${last} ${parts[parts.length - 1]}`

/** The distance between neighbours when it is the same everywhere; undefined for a single value. */
const stepOf = (values: ReadonlyArray<number>): number | undefined => {
  const step = values.length < 2 ? undefined : values[1]! - values[0]!
  return values.every((value, i) => i === 0 || value - values[i - 1]! === step) ? step : undefined
}

const isRun = (values: ReadonlyArray<number>): boolean => values.length > 2 && stepOf(values) === 1

/** Ascending values, three or more neighbours as `a to b`. */
const runs = (values: ReadonlyArray<number>, name: (value: number) => string): ReadonlyArray<string> => {
  const texts: Array<string> = []
  for (let i = 0; i < values.length; ) {
    let j = i
    while (values[j + 1] === values[j]! + 1) j++
    if (j - i < 2) j = i
    texts.push(j === i ? name(values[i]!) : `${name(values[i]!)} to ${name(values[j]!)}`)
    i = j + 1
  }
  return texts
}

const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]
