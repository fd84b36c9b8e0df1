/**
 * Instants: epoch milliseconds inside, canonical UTC text outside.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Calendar from "./Calendar.ts"

/**
 * A UTC instant as `YYYY-MM-DDTHH:mm:ss.SSSZ`, in the years 0001–9999. Comparing two as strings compares them in time.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Instant = Schema.String.pipe(
  Schema.filter(
    (text) => Number.isInteger(parse(text)) || "must be a canonical instant YYYY-MM-DDTHH:mm:ss.SSSZ that exists"
  ),
  Schema.brand("Instant")
)

/**
 * @since 0.1.0
 * @category models
 */
export type Instant = typeof Instant.Type

/**
 * 0001-01-01T00:00:00.000Z in epoch milliseconds: the first instant that exists here.
 *
 * @since 0.1.0
 * @category constants
 */
export const min = -62_135_596_800_000

/**
 * 9999-12-31T23:59:59.999Z in epoch milliseconds: the last instant that exists here.
 *
 * @since 0.1.0
 * @category constants
 */
export const max = 253_402_300_799_999

/**
 * Whether epoch milliseconds are an instant: an integer within the years 0001–9999.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isInRange = (millis: number): boolean => Number.isInteger(millis) && millis >= min && millis <= max

/**
 * The canonical text of epoch milliseconds, which must be in range.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = (millis: number): Instant => {
  const day = Math.floor(millis / Calendar.dayMillis)
  // Instants that are formatted together mostly share a date, and formatting it costs most.
  if (day !== lastDay) {
    lastDate = new Date(day * Calendar.dayMillis).toISOString().slice(0, 11)
    lastDay = day
  }
  const time = millis - day * Calendar.dayMillis
  const seconds = Math.floor(time / 1000)
  const minutes = Math.floor(seconds / 60)
  const [h, m, s] = [twoDigits[Math.floor(minutes / 60)], twoDigits[minutes % 60], twoDigits[seconds % 60]]
  return `${lastDate}${h}:${m}:${s}.${String(time % 1000).padStart(3, "0")}Z` as Instant
}

/**
 * The epoch milliseconds of a canonical text; `NaN` when the text is not canonical or names no real calendar instant.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (text: string): number => {
  if (text.length !== 24 || !hasPunctuation(text)) return Number.NaN
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  const exists =
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= Calendar.daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  return exists
    ? Calendar.dayOf(year, month, day) * Calendar.dayMillis +
        ((hour * 60 + minute) * 60 + second) * 1000 +
        digits(text, 20, 23)
    : Number.NaN
}

/**
 * The epoch milliseconds of an instant that has been validated already.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toMillis = (instant: Instant): number => parse(instant)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"))
let lastDay = Number.NaN
let lastDate = ""

const hasPunctuation = (text: string): boolean =>
  text.charCodeAt(4) === 45 &&
  text.charCodeAt(7) === 45 &&
  text.charCodeAt(10) === 84 &&
  text.charCodeAt(13) === 58 &&
  text.charCodeAt(16) === 58 &&
  text.charCodeAt(19) === 46 &&
  text.charCodeAt(23) === 90

/** The number that ASCII digits spell; NaN with any other character. */
const digits = (text: string, from: number, to: number): number => {
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}
