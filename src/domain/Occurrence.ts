/**
 * The occurrences of wall-clock rules: the engine behind daily, weekly and cron.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Calendar from "./Calendar.ts"
import * as Cron from "./Cron.ts"
import * as Instant from "./Instant.ts"
import * as LocalPattern from "./LocalPattern.ts"
import * as WallClock from "./WallClock.ts"
import * as ZoneTable from "./ZoneTable.ts"

/**
 * The wall-clock part of a record, all fields already validated and canonical.
 *
 * @since 0.1.0
 * @category models
 */
export type WallClockRule =
  | { readonly kind: "daily"; readonly time: string; readonly timeZone: string }
  | {
      readonly kind: "weekly"
      readonly time: string
      readonly timeZone: string
      readonly weekdays: ReadonlyArray<number>
    }
  | { readonly kind: "cron"; readonly expression: string; readonly timeZone: string }

/**
 * The first occurrence strictly after an instant, in epoch milliseconds; NaN when the calendar holds none.
 *
 * @since 0.1.0
 * @category queries
 */
export const next = (rule: WallClockRule, after: number): number => compile(rule).next(after)

/**
 * The latest occurrence at or before an instant, in epoch milliseconds; NaN when the calendar holds none.
 *
 * @since 0.1.0
 * @category queries
 */
export const latest = (rule: WallClockRule, at: number): number => compile(rule).latest(at)

/**
 * The first occurrence strictly after `after` whose local date is later than that of `delivered`; NaN when the calendar
 * holds none.
 *
 * It differs from {@link next} only when `delivered` is no occurrence of the rule, because the zone's data changed after it
 * was committed and the rule now names another time of that date, or when it is later than `after`.
 *
 * @since 0.1.0
 * @category queries
 */
export const nextOnLaterDate = (rule: WallClockRule, after: number, delivered: number): number =>
  compile(rule).nextOnLaterDate(after, delivered)

/**
 * A rule made ready for many questions. The latest ones compiled are kept, so that asking by rule costs little more.
 *
 * @since 0.1.0
 * @category constructors
 */
export const compile = (rule: WallClockRule): Occurrences => {
  const zone = ZoneTable.get(rule.timeZone)
  if (zone === undefined) throw new Error(`not a known time zone: ${rule.timeZone}`)
  const key =
    rule.kind === "daily" ? rule.time : rule.kind === "weekly" ? `${rule.time} ${rule.weekdays}` : rule.expression
  const known = compiled.get(zone)?.get(key)
  if (known !== undefined) return known
  if (compiledCount++ >= maxCompiled) {
    compiled = new Map()
    compiledCount = 1
  }
  const occurrences = new Occurrences(zone, patternOf(rule))
  compiled.set(zone, (compiled.get(zone) ?? new Map<string, Occurrences>()).set(key, occurrences))
  return occurrences
}

/**
 * The questions of this module for one rule.
 *
 * @since 0.1.0
 * @category models
 */
export class Occurrences {
  private readonly zone: ZoneTable.ZoneTable
  private readonly pattern: LocalPattern.LocalPattern

  constructor(zone: ZoneTable.ZoneTable, pattern: LocalPattern.LocalPattern) {
    this.zone = zone
    this.pattern = pattern
  }

  /** See {@link next}. */
  next(after: number): number {
    if (!(after < Instant.max)) return Number.NaN
    const instant = after < Instant.min ? Instant.min - 1 : Math.floor(after)
    return this.from(instant, Number.NEGATIVE_INFINITY)
  }

  /** See {@link nextOnLaterDate}. */
  nextOnLaterDate(after: number, delivered: number): number {
    if (!(after < Instant.max)) return Number.NaN
    const instant = after < Instant.min ? Instant.min - 1 : Math.floor(after)
    const local = delivered + this.zone.offset(this.zone.at(delivered))
    return this.from(instant, (Math.floor(local / Calendar.dayMillis) + 1) * Calendar.dayMillis)
  }

  /** See {@link latest}. */
  latest(at: number): number {
    if (!(at >= Instant.min)) return Number.NaN
    const zone = this.zone
    const instant = Math.min(Math.floor(at), Instant.max)
    let segment = zone.at(instant)
    // In the second pass of a repeated hour, all of it has occurred in the first.
    const local = Math.max(instant + zone.offset(segment), zone.firstLocal(segment) - 1)
    let found = this.pattern.last(local)
    while (found < zone.firstLocal(segment)) {
      segment = zone.around(found)
      if (found < zone.firstLocal(segment)) {
        const before = zone.endLocalBefore(segment) - 1
        const isNever = before > ZoneTable.horizon && local - before > allKindsMillis
        found = this.pattern.last(isNever ? ZoneTable.horizon : before)
      }
    }
    const occurrence = found - zone.offset(segment)
    return occurrence >= Instant.min ? occurrence : Number.NaN
  }

  private from(after: number, earliest: number): number {
    const zone = this.zone
    let segment = zone.at(after)
    const local = after + zone.offset(segment) + 1
    let found = this.pattern.first(Math.max(local, zone.firstLocal(segment), earliest))
    const end = Math.max(local, ZoneTable.horizon) + allKindsMillis
    while (!(found < zone.endLocal(segment))) {
      if (!(found <= end)) return Number.NaN
      segment = zone.around(found)
      if (found < zone.firstLocal(segment)) found = this.pattern.first(zone.firstLocal(segment))
    }
    const occurrence = found - zone.offset(segment)
    return occurrence <= Instant.max ? occurrence : Number.NaN
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// Compiling again costs a few microseconds, so a full memory is simply begun anew.
let compiled = new Map<ZoneTable.ZoneTable, Map<string, Occurrences>>()
let compiledCount = 0
const maxCompiled = 4096

// Beyond the horizon only the kind of a year matters, and each of the fourteen kinds comes within 40 years: what all of those
// years skip never occurs.
const allKindsMillis = 41 * 366 * Calendar.dayMillis

const patternOf = (rule: WallClockRule): LocalPattern.LocalPattern => {
  switch (rule.kind) {
    case "daily":
      return LocalPattern.atTime(WallClock.parseTime(rule.time), 0x7f)
    case "weekly":
      return LocalPattern.atTime(
        WallClock.parseTime(rule.time),
        rule.weekdays.reduce((bits, weekday) => bits | (1 << (weekday % 7)), 0)
      )
    case "cron":
      return LocalPattern.fromCron(Either.getOrThrow(Cron.parse(rule.expression)))
  }
}
