/**
 * Local times of day, and the one place that turns a local date and time in a zone into an instant.
 *
 * @since 0.1.0
 */
import * as Calendar from "./Calendar.ts"
import * as Instant from "./Instant.ts"
import * as ZoneTable from "./ZoneTable.ts"

/**
 * Milliseconds since local midnight of a canonical `HH:mm:ss.SSS`; NaN when it is not canonical.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseTime = (text: string): number =>
  canonical.test(text)
    ? ((Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))) * 60 + Number(text.slice(6, 8))) * 1000 +
      Number(text.slice(9))
    : Number.NaN

/**
 * The canonical `HH:mm:ss.SSS` of a time as people write it, `HH:mm:ss` with up to three fraction digits; undefined for
 * anything else, such as `24:00:00`, a second 60 or digits that are not ASCII.
 *
 * @since 0.1.0
 * @category conversions
 */
export const normalizeTime = (text: string): string | undefined =>
  input.test(text) ? `${text.slice(0, 8)}.${text.slice(9).padEnd(3, "0")}` : undefined

/**
 * The instant of a local date and time of day in a zone: the earlier one when the clock shows it twice. NaN when it never
 * shows it, when there is no such date or zone, and outside the UTC years 0001–9999.
 *
 * `month` is 1–12, `timeMillis` counts from local midnight.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toInstant = (year: number, month: number, day: number, timeMillis: number, timeZone: string): number => {
  const zone = ZoneTable.get(timeZone)
  if (zone === undefined || !isDate(year, month, day) || !(timeMillis >= 0 && timeMillis < Calendar.dayMillis)) {
    return Number.NaN
  }
  const local = Calendar.dayOf(year, month, day) * Calendar.dayMillis + timeMillis
  const segment = zone.around(local)
  const instant = local - zone.offset(segment)
  return local >= zone.firstLocal(segment) && Instant.isInRange(instant) ? instant : Number.NaN
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const canonical = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/
const input = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?$/

// A local date may lie one day outside the years of its instant.
const isDate = (year: number, month: number, day: number): boolean =>
  Number.isInteger(year) &&
  year >= 0 &&
  year <= 10_000 &&
  Number.isInteger(month) &&
  month >= 1 &&
  month <= 12 &&
  Number.isInteger(day) &&
  day >= 1 &&
  day <= Calendar.daysIn(year, month)
