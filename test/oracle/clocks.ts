import { Temporal } from "temporal-polyfill"
import type { LocalClock } from "./Oracle.ts"

/** Through the Temporal polyfill. */
export const temporalClock: LocalClock = {
  name: "Temporal",
  instantOf: (timeZone, date, time) => {
    const local = plain(date + time)
    const zoned = local.toZonedDateTime(timeZone, { disambiguation: "earlier" })
    return zoned.toPlainDateTime().equals(local) ? zoned.epochMilliseconds : undefined
  },
  dateOf: (timeZone, instant) => {
    const { day, month, year } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
    return utc(year, month, day, 0)
  }
}

/** Through `Intl` alone: of all instants within a day or so, the first that shows the wanted fields. */
export const intlClock: LocalClock = {
  name: "Intl",
  instantOf: (timeZone, date, time) => {
    const local = date + time
    const found = offsetsAround(timeZone, date)
      .map((offset) => local - offset)
      .filter((instant) => shown(timeZone, instant) === local)
    return found.length === 0 ? undefined : Math.min(...found)
  },
  dateOf: (timeZone, instant) => {
    const local = shown(timeZone, instant)
    return local - (((local % dayMillis) + dayMillis) % dayMillis)
  }
}

/** An instant shortly after which `Intl` shows another offset; about one per transition, found by looking every few days. */
export const transitions = (timeZone: string, from: number, to: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  const offset = (instant: number) => shown(timeZone, instant) - instant
  for (let low = from; low < to; low += 6 * dayMillis) {
    let [same, other] = [low, low + 6 * dayMillis]
    if (offset(same) === offset(other)) continue
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2)
      if (offset(middle) === offset(same)) same = middle
      else other = middle
    }
    found.push(other)
  }
  return found
}

/** Temporal without this project's policy: it moves a time in a gap, and may take the later of two instants. */
export const lenientClock = (disambiguation: "earlier" | "later"): LocalClock => ({
  ...temporalClock,
  instantOf: (timeZone, date, time) =>
    plain(date + time).toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds
})

const dayMillis = 86_400_000

const utc = (year: number, month: number, day: number, time: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() + time
}

const plain = (local: number): Temporal.PlainDateTime => {
  const date = new Date(local)
  return new Temporal.PlainDateTime(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds()
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What a clock in the zone shows at an instant, as the milliseconds that it would have in UTC. */
export const shown = (timeZone: string, instant: number): number => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    })
  formats.set(timeZone, format)
  const [month, day, year, era, hour, minute, second] = format.format(instant).match(/\d+|[A-Z]+/g)!
  const time = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000 + (((instant % 1000) + 1000) % 1000)
  return utc(era === "BC" ? 1 - Number(year) : Number(year), Number(month), Number(day), time)
}

// Every offset that holds at a half hour within 27 hours of a date: more than any two offsets lie apart.
const offsetsAround = (timeZone: string, date: number): ReadonlyArray<number> => {
  if (around.timeZone !== timeZone || around.date !== date) {
    const offsets = new Set<number>()
    for (let instant = date - 27 * 3_600_000; instant <= date + 51 * 3_600_000; instant += 1_800_000) {
      offsets.add(shown(timeZone, instant) - instant)
    }
    around = { timeZone, date, offsets: [...offsets] }
  }
  return around.offsets
}

let around: { timeZone: string; date: number; offsets: ReadonlyArray<number> } = { timeZone: "", date: 0, offsets: [] }
