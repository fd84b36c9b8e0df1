/**
 * The proleptic Gregorian calendar in integers: days are counted from 1970-01-01.
 *
 * Defined from the year 0 on, one year more than any local date of an instant can need.
 *
 * @since 0.1.0
 */

/**
 * Milliseconds of a day.
 *
 * @since 0.1.0
 * @category constants
 */
export const dayMillis = 86_400_000

/**
 * The day number of a date whose day may also be past the end of its month. `month` is 1–12.
 *
 * @since 0.1.0
 * @category conversions
 */
export const dayOf = (year: number, month: number, day: number): number => {
  // Years that begin in March put the leap day last; 400 of them are added to stay above zero.
  const y = (month <= 2 ? year - 1 : year) + 400
  const m = month <= 2 ? month + 9 : month - 3
  return 365 * y + (y >> 2) - ((y / 100) | 0) + ((y / 400) | 0) + (((153 * m + 2) / 5) | 0) + day - 865_566
}

/**
 * A day number's date, packed into one integer so that asking allocates nothing: {@link yearOf}, {@link monthOf} and
 * {@link dayOfMonth} unpack it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const dateOf = (day: number): number => {
  const z = day + 865_565
  const era = (z / 146_097) | 0
  const dayOfEra = z - era * 146_097
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0))
  const m = ((5 * dayOfYear + 2) / 153) | 0
  const date = dayOfYear - (((153 * m + 2) / 5) | 0) + 1
  const year = yearOfEra + (era - 1) * 400
  return m < 10 ? (year << 9) | ((m + 3) << 5) | date : ((year + 1) << 9) | ((m - 9) << 5) | date
}

/**
 * @since 0.1.0
 * @category getters
 */
export const yearOf = (date: number): number => date >> 9

/**
 * The month, 1–12, of a packed date.
 *
 * @since 0.1.0
 * @category getters
 */
export const monthOf = (date: number): number => (date >> 5) & 15

/**
 * The day of the month, from 1, of a packed date.
 *
 * @since 0.1.0
 * @category getters
 */
export const dayOfMonth = (date: number): number => date & 31

/**
 * The weekday of a day number, Sunday 0 to Saturday 6.
 *
 * @since 0.1.0
 * @category getters
 */
export const weekday = (day: number): number => (day + 719_541) % 7

/**
 * @since 0.1.0
 * @category predicates
 */
export const isLeap = (year: number): boolean => (year & 3) === 0 && (year % 100 !== 0 || year % 400 === 0)

/**
 * How many days a month has. `month` is 1–12.
 *
 * @since 0.1.0
 * @category getters
 */
export const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1)
