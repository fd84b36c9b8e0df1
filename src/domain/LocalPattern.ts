/**
 * The local times that a rule names, with no zone in it: a set of dates, and a set of times on each.
 *
 * Both are bit sets; the search steps over months, days, hours and minutes with integers and allocates nothing. Local
 * times are numbers: the milliseconds that their fields would have in UTC.
 *
 * @since 0.1.0
 */
import * as Calendar from "./Calendar.ts"
import type { Cron } from "./Cron.ts"

/**
 * @since 0.1.0
 * @category models
 */
export class LocalPattern {
  /** Bit `m` for each month, 1–12. */
  private readonly months: number
  /** Per weekday of a month's first day, Sunday first: bit `d - 1` for each date that such a month may have. */
  private readonly dates: Int32Array
  /** The one time of each date, or -1 when hours and minutes tell. */
  private readonly time: number
  private readonly hours: number
  private readonly minutesLow: number
  private readonly minutesHigh: number
  private readonly firstTime: number
  private readonly lastTime: number
  private readonly isEmpty: boolean

  /** `time` is -1, or a time of day in milliseconds that stands in place of hours and minutes. */
  constructor(months: number, dates: Int32Array, time: number, hours: number, minutesLow: number, minutesHigh: number) {
    this.months = months
    this.dates = dates
    this.time = time
    this.hours = hours
    this.minutesLow = minutesLow
    this.minutesHigh = minutesHigh
    this.firstTime = time >= 0 ? time : this.timeFrom(0)
    this.lastTime = time >= 0 ? time : this.timeUpTo(Calendar.dayMillis - 1)
    this.isEmpty = !dates.some((bits) =>
      monthLengths.some((length, i) => (months >>> (i + 1)) & 1 && bits & below(length))
    )
  }

  /** The first local time of the pattern at or after `local`; NaN when the calendar ends first. */
  first(local: number): number {
    if (this.isEmpty) return Number.NaN
    const today = Math.floor(local / Calendar.dayMillis)
    const day = this.dayFrom(today)
    if (day > today) return day === none ? Number.NaN : day * Calendar.dayMillis + this.firstTime
    const time = this.timeFrom(local - today * Calendar.dayMillis)
    if (time !== none) return today * Calendar.dayMillis + time
    const later = this.dayFrom(today + 1)
    return later === none ? Number.NaN : later * Calendar.dayMillis + this.firstTime
  }

  /** The last local time of the pattern at or before `local`; NaN when the calendar begins after it. */
  last(local: number): number {
    if (this.isEmpty) return Number.NaN
    const today = Math.floor(local / Calendar.dayMillis)
    const day = this.dayUpTo(today)
    if (day < today) return day === -none ? Number.NaN : day * Calendar.dayMillis + this.lastTime
    const time = this.timeUpTo(local - today * Calendar.dayMillis)
    if (time !== -none) return today * Calendar.dayMillis + time
    const earlier = this.dayUpTo(today - 1)
    return earlier === -none ? Number.NaN : earlier * Calendar.dayMillis + this.lastTime
  }

  /** The first date of the pattern at or after a day. */
  private dayFrom(day: number): number {
    const date = Calendar.dateOf(day)
    const from = Calendar.dayOfMonth(date)
    const month = Calendar.monthOf(date)
    let year = Calendar.yearOf(date)
    const rest = this.datesOf(day - from + 1, year, month) & (-1 << (from - 1))
    if (rest !== 0) return day - from + 1 + lowest(rest)
    for (let months = this.months & (-2 << month); year <= lastYear; year++, months = this.months) {
      for (; months !== 0; months &= months - 1) {
        const first = Calendar.dayOf(year, lowest(months), 1)
        const dates = this.datesOf(first, year, lowest(months))
        if (dates !== 0) return first + lowest(dates)
      }
    }
    return none
  }

  /** The last date of the pattern at or before a day. */
  private dayUpTo(day: number): number {
    const date = Calendar.dateOf(day)
    const to = Calendar.dayOfMonth(date)
    const month = Calendar.monthOf(date)
    let year = Calendar.yearOf(date)
    const rest = this.datesOf(day - to + 1, year, month) & below(to)
    if (rest !== 0) return day - to + 1 + highest(rest)
    for (let months = this.months & below(month); year >= 0; year--, months = this.months) {
      for (; months !== 0; months ^= 1 << highest(months)) {
        const first = Calendar.dayOf(year, highest(months), 1)
        const dates = this.datesOf(first, year, highest(months))
        if (dates !== 0) return first + highest(dates)
      }
    }
    return -none
  }

  /** Bit `d - 1` for each date of a month, which begins on the day `first`. */
  private datesOf(first: number, year: number, month: number): number {
    return (this.months >>> month) & 1 ? this.dates[Calendar.weekday(first)]! & below(Calendar.daysIn(year, month)) : 0
  }

  /** The first time of a day at or after `millis`. */
  private timeFrom(millis: number): number {
    if (this.time >= 0) return millis <= this.time ? this.time : none
    const from = Math.ceil(millis / minuteMillis)
    const hour = (from / 60) | 0
    if ((this.hours >>> hour) & 1) {
      const minute = this.minuteFrom(from - hour * 60)
      if (minute !== none) return (hour * 60 + minute) * minuteMillis
    }
    const later = hour >= 23 ? 0 : this.hours & (-1 << (hour + 1))
    return later === 0 ? none : (lowest(later) * 60 + this.minuteFrom(0)) * minuteMillis
  }

  /** The last time of a day at or before `millis`. */
  private timeUpTo(millis: number): number {
    if (this.time >= 0) return millis >= this.time ? this.time : -none
    const to = (millis / minuteMillis) | 0
    const hour = (to / 60) | 0
    if ((this.hours >>> hour) & 1) {
      const minute = this.minuteUpTo(to - hour * 60)
      if (minute !== -none) return (hour * 60 + minute) * minuteMillis
    }
    const earlier = this.hours & below(hour)
    return earlier === 0 ? -none : (highest(earlier) * 60 + this.minuteUpTo(59)) * minuteMillis
  }

  private minuteFrom(minute: number): number {
    if (minute < 32) {
      const low = this.minutesLow & (-1 << minute)
      if (low !== 0) return lowest(low)
      return this.minutesHigh === 0 ? none : 32 + lowest(this.minutesHigh)
    }
    const high = this.minutesHigh & (-1 << (minute - 32))
    return high === 0 ? none : 32 + lowest(high)
  }

  private minuteUpTo(minute: number): number {
    if (minute >= 32) {
      const high = this.minutesHigh & below(minute - 31)
      if (high !== 0) return 32 + highest(high)
      return this.minutesLow === 0 ? -none : highest(this.minutesLow)
    }
    const low = this.minutesLow & below(minute + 1)
    return low === 0 ? -none : highest(low)
  }
}

/**
 * One time of day in milliseconds, on a set of weekdays: bit `w` stands for weekday `w`, Sunday 0.
 *
 * @since 0.1.0
 * @category constructors
 */
export const atTime = (time: number, weekdays: number): LocalPattern =>
  new LocalPattern(everyMonth, byFirstWeekday(weekdays), time, 0, 0, 0)

/**
 * The local times of a cron expression. When a day field is a star a date must match both of them, else either is enough.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromCron = (cron: Cron): LocalPattern => {
  const ofMonth = cron.dayOfMonth.low >>> 1
  const both = cron.dayOfMonth.star || cron.dayOfWeek.star
  const dates = byFirstWeekday(cron.dayOfWeek.low).map((bits) => (both ? bits & ofMonth : bits | ofMonth))
  return new LocalPattern(cron.month.low, dates, -1, cron.hour.low, cron.minute.low, cron.minute.high)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// Beyond every day, month and time; `-none` is before them.
const none = 0x3fffffff

const minuteMillis = 60_000
// One year more than instants have, since a local date may lie a day beyond.
const lastYear = 10_000
const everyMonth = 0x1ffe
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The lowest `count` bits, of 0 to 32. */
const below = (count: number): number => (count === 0 ? 0 : -1 >>> (32 - count))

const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits)
const highest = (bits: number): number => 31 - Math.clz32(bits)

const byFirstWeekday = (weekdays: number): Int32Array =>
  Int32Array.from({ length: 7 }, (_, first) => {
    let bits = 0
    for (let date = 0; date < 31; date++) {
      if ((weekdays >>> ((first + date) % 7)) & 1) bits |= 1 << date
    }
    return bits
  })
