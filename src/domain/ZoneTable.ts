/**
 * The transitions of one time zone: which offset holds at an instant, and which instant a local time names.
 *
 * A segment is a stretch of time with one offset. Beside it stands its window: the local times that name an instant in it
 * and none earlier. Windows of successive segments ascend and never overlap; a local time that falls between two of them
 * does not exist. So walking local times upwards walks instants upwards, and a repeated local time counts once, at its
 * earlier instant. Local times are numbers: the milliseconds that their fields would have in UTC.
 *
 * Segments are found through `Intl` a page at a time, on first use. A page is one mean year with days of margin on both
 * sides, so that it answers for every local time of its year by itself. Before 1800 nothing changes, and from 2101 on a
 * zone follows a yearly rule in which only the weekday and the length of the year matter, as the tz database writes it;
 * both borrow the page of an equal year, so a table stays small whatever it is asked.
 *
 * @since 0.1.0
 */
import * as Calendar from "./Calendar.ts"
import * as TimeZone from "./TimeZone.ts"
import * as ZoneOffset from "./ZoneOffset.ts"

/**
 * The table of a zone that `TimeZone.isKnown`, shared by all its spellings; undefined for any other name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const get = (name: string): ZoneTable | undefined => {
  const known = tables.get(name)
  if (known !== undefined) return known
  const canonical = TimeZone.canonicalName(name)
  if (canonical === undefined) return undefined
  if (tables.size >= maxTables) tables.clear()
  const table = tables.get(canonical) ?? new ZoneTable(canonical)
  tables.set(canonical, table).set(name, table)
  return table
}

/**
 * From this instant on, 2101-01-01, what a zone does in a year depends on the weekday and the length of the year alone.
 *
 * @since 0.1.0
 * @category constants
 */
export const horizon = 4_133_980_800_000

/**
 * Segments are named by an index that is good until the table is asked again.
 *
 * @since 0.1.0
 * @category models
 */
export class ZoneTable {
  private readonly name: string
  /** Runs of `[from, until, offset, first local, end of local]`, one after the other. */
  private segments = new Float64Array(slots * slotLength + 64 * stride)
  private used = slots * slotLength
  /** Where the page of a year begins; 0 until it is asked for. */
  private readonly pages = new Int32Array(lastYear - firstYear + 1)
  /** The far years that sit in the slots at the front of `segments`. */
  private readonly slotYears = new Int32Array(slots).fill(-slots)
  private memo = 0
  private memoFrom = 0
  private memoUntil = 0
  private memoLocal = 0

  constructor(name: string) {
    this.name = name
  }

  /** The segment that holds an instant of the years 0001–9999. */
  at(instant: number): number {
    if (instant >= this.memoFrom && instant < this.memoUntil) return this.memo
    const year = yearOf(instant)
    let i = this.page(year)
    while (instant >= this.segments[i + 1]!) i += stride
    // Only within its year: in the margins a window ignores what came before them.
    this.memoFrom = Math.max(this.segments[i]!, startOf(year))
    this.memoUntil = Math.min(this.segments[i + 1]!, startOf(year + 1))
    this.memo = i
    return i
  }

  /** The segment whose window holds a local time; when that does not exist, the one whose window begins next. */
  around(local: number): number {
    const memo = this.memoLocal
    if (local >= this.segments[memo + 3]! && local < this.segments[memo + 4]!) return memo
    let i = this.page(yearOf(local))
    while (local >= this.segments[i + 4]!) i += stride
    this.memoLocal = i
    return i
  }

  /** What a segment adds to UTC, in milliseconds. */
  offset(segment: number): number {
    return this.segments[segment + 2]!
  }

  /** The first local time of a segment's window. */
  firstLocal(segment: number): number {
    return this.segments[segment + 3]!
  }

  /** The first local time after a segment's window. */
  endLocal(segment: number): number {
    return this.segments[segment + 4]!
  }

  /** The end of the window before the one that {@link around} answered for a local time that does not exist. */
  endLocalBefore(segment: number): number {
    return this.segments[segment - stride + 4]!
  }

  /** The bytes that the table takes; it grows with the years asked for, to some 35 KB. */
  get byteLength(): number {
    return this.segments.byteLength + this.pages.byteLength + this.slotYears.byteLength
  }

  private page(year: number): number {
    if (year < firstYear || year > lastYear) return this.borrow(year)
    const start = this.pages[year - firstYear]!
    return start > 0 ? start : this.survey(year)
  }

  /** Finds the segments of a year by asking `Intl` every few days and halving what changed. */
  private survey(year: number): number {
    const start = this.used
    const end = startOf(year + 1) + margin
    let from = startOf(year) - margin
    let offset = ZoneOffset.at(this.name, from)
    // Windows of earlier segments reach no further into the margin than this.
    let first = from + 2 * Calendar.dayMillis
    let seen = from
    while (seen < end) {
      const probe = Math.min(seen + step, end)
      const change = this.changeWithin(seen, probe, offset)
      if (Number.isNaN(change)) {
        seen = probe
      } else {
        const reached = this.push(from, change, offset, first)
        offset = ZoneOffset.at(this.name, change)
        first = Math.max(change + offset, reached)
        from = seen = change
      }
    }
    this.push(from, end, offset, first)
    this.pages[year - firstYear] = start
    return start
  }

  /** Adds a segment and answers where its window ends. */
  private push(from: number, until: number, offset: number, first: number): number {
    if (this.used === this.segments.length) {
      const grown = new Float64Array(this.segments.length + 64 * stride)
      grown.set(this.segments)
      this.segments = grown
    }
    const end = Math.max(first, until + offset)
    this.segments.set([from, until, offset, first, end], this.used)
    this.used += stride
    return end
  }

  /** Copies the page of an equal year into a slot, over the far year that was there. */
  private borrow(year: number): number {
    const slot = (year + slots) % slots
    const start = slot * slotLength
    if (this.slotYears[slot] === year) return start
    const lender = year < firstYear ? firstYear : equalYear(year)
    const shift =
      year < firstYear
        ? startOf(year) - startOf(lender)
        : (Calendar.dayOf(year, 1, 1) - Calendar.dayOf(lender, 1, 1)) * Calendar.dayMillis
    const end = startOf(lender + 1) + margin
    let source = this.page(lender)
    let target = start
    do {
      for (let k = 0; k < stride; k++) {
        this.segments[target + k] = this.segments[source + k]! + (k === 2 ? 0 : shift)
      }
      source += stride
      target += stride
    } while (this.segments[source - stride + 1] !== end)
    this.slotYears[slot] = year
    this.memoFrom = this.memoUntil = 0
    return start
  }

  /** The first instant after `low` and up to `high` with another offset; NaN when `high` still has this one. */
  private changeWithin(low: number, high: number, offset: number): number {
    if (ZoneOffset.at(this.name, high) === offset) return Number.NaN
    let same = low
    let other = high
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2)
      if (ZoneOffset.at(this.name, middle) === offset) same = middle
      else other = middle
    }
    return other
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const tables = new Map<string, ZoneTable>()
// More than the tz database has names.
const maxTables = 1024

const stride = 5
const slots = 4
// No year beyond the last surveyed one has more than four transitions.
const slotLength = 16 * stride

const firstYear = 1800
const lastYear = 2128
const margin = 7 * Calendar.dayMillis
const step = 3 * Calendar.dayMillis

const yearMillis = 365.2425 * Calendar.dayMillis
const yearOf = (millis: number): number => Math.floor(millis / yearMillis) + 1970
const startOf = (year: number): number => (year - 1970) * yearMillis

/** A year of 2101–2128 that begins on the same weekday and is as long: in 28 years without a skipped leap day each occurs. */
const equalYear = (year: number): number => {
  const weekday = Calendar.weekday(Calendar.dayOf(year, 1, 1))
  const leap = Calendar.isLeap(year)
  let equal = horizonYear
  while (Calendar.weekday(Calendar.dayOf(equal, 1, 1)) !== weekday || Calendar.isLeap(equal) !== leap) equal++
  return equal
}

const horizonYear = 2101
