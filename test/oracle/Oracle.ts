import type * as Occurrence from "../../src/domain/Occurrence.ts"

/**
 * What an oracle needs to know of a zone. Dates are the epoch milliseconds that their midnight would have in UTC.
 */
export interface LocalClock {
  readonly name: string
  /** The earliest instant that shows a local date and time, undefined when there is none. */
  readonly instantOf: (timeZone: string, date: number, time: number) => number | undefined
  /** The local date at an instant. */
  readonly dateOf: (timeZone: string, instant: number) => number
}

const dayMillis = 86_400_000

// An instant's local date is at most a day away from the dates whose occurrences come just before and after it; and no leap
// day is more than eight years from the next, on a given weekday more than forty.
const nearDates = 2
const farDates = 41 * 366

/**
 * Occurrences by brute force: every local date after the other, on a matching one every matching minute, each turned into its
 * instant by a clock that shares nothing with the engine.
 */
export class Oracle {
  private readonly clock: LocalClock
  private readonly rule: Occurrence.WallClockRule
  private readonly matches: (date: Date) => boolean
  private readonly times: ReadonlyArray<number>
  private readonly found = new Map<number, ReadonlyArray<number>>()

  constructor(clock: LocalClock, rule: Occurrence.WallClockRule) {
    this.clock = clock
    this.rule = rule
    if (rule.kind === "cron") {
      const [minutes, hours, dates, months, weekdays] = rule.expression.split(" ").map((text, i) => valuesOf(text, i))
      const [, , date, , weekday] = rule.expression.split(" ")
      const needsBoth = date!.startsWith("*") || weekday!.startsWith("*")
      this.times = [...hours!].flatMap((hour) => [...minutes!].map((minute) => (hour * 60 + minute) * 60_000))
      this.matches = (day) => {
        const onDate = dates!.has(day.getUTCDate())
        const onWeekday = weekdays!.has(day.getUTCDay())
        return months!.has(day.getUTCMonth() + 1) && (needsBoth ? onDate && onWeekday : onDate || onWeekday)
      }
    } else {
      const [hour = 0, minute = 0, second = 0] = rule.time.split(":").map(Number)
      this.times = [Math.round(((hour * 60 + minute) * 60 + second) * 1000)]
      this.matches = (day) => rule.kind === "daily" || rule.weekdays.includes(day.getUTCDay() || 7)
    }
  }

  /** The first occurrence after an instant, NaN when the forty years around hold none. */
  next(after: number): number {
    return this.search(after, 1, (found) => found.filter((instant) => instant > after), Math.min)
  }

  /** The last occurrence up to an instant, NaN when the forty years around hold none. */
  latest(at: number): number {
    return this.search(at, -1, (found) => found.filter((instant) => instant <= at), Math.max)
  }

  private search(
    from: number,
    step: 1 | -1,
    wanted: (found: ReadonlyArray<number>) => ReadonlyArray<number>,
    best: (...instants: ReadonlyArray<number>) => number
  ): number {
    const start = this.clock.dateOf(this.rule.timeZone, from) / dayMillis - step * nearDates
    const candidates: Array<number> = []
    for (let i = 0, last = farDates; i <= last; i++) {
      candidates.push(...wanted(this.on((start + step * i) * dayMillis)))
      if (candidates.length > 0) last = Math.min(last, i + nearDates)
    }
    return candidates.length === 0 ? Number.NaN : best(...candidates)
  }

  private on(date: number): ReadonlyArray<number> {
    if (!this.matches(new Date(date))) return []
    const known = this.found.get(date)
    if (known !== undefined) return known
    const instants = this.times.flatMap((time) => this.clock.instantOf(this.rule.timeZone, date, time) ?? [])
    this.found.set(date, instants)
    return instants
  }
}

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7]
] as const

function valuesOf(text: string, field: number): ReadonlySet<number> {
  const [first, last] = bounds[field]!
  const values = new Set<number>()
  for (const element of text.split(",")) {
    const [range = "", step = "1"] = element.split("/")
    const [from = first, to = from] = range === "*" ? [first, field === 4 ? 6 : last] : range.split("-").map(Number)
    for (let value = from; value <= to; value += Number(step)) values.add(field === 4 ? value % 7 : value)
  }
  return values
}
