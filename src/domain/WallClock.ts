/**
 * Local times of day, and the one place that turns a local date and time in a zone into an instant.
 *
 * @since 0.1.0
 */

/** Milliseconds since local midnight of a canonical `HH:mm:ss.SSS`; NaN when it is not canonical. */
export const parseTime = (_text: string): number => {
  throw new Error("not built yet")
}

/** The instant of a local date and time of day in a zone: the earlier one in an overlap, NaN in a gap. */
export const toInstant = (
  _year: number,
  _month: number,
  _day: number,
  _timeMillis: number,
  _timeZone: string
): number => {
  throw new Error("not built yet")
}
