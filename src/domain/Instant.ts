/**
 * Instants: epoch milliseconds inside, canonical UTC text outside.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

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
export const format = (millis: number): Instant => new Date(millis).toISOString() as Instant

/**
 * The epoch milliseconds of a canonical text; `NaN` when the text is not canonical or names no real calendar instant.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (text: string): number => {
  if (!canonical.test(text)) return Number.NaN
  const millis = Date.parse(text)
  return isInRange(millis) && new Date(millis).toISOString() === text ? millis : Number.NaN
}

/**
 * The epoch milliseconds of an instant that has been validated already.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toMillis = (instant: Instant): number => Date.parse(instant)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const canonical = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
