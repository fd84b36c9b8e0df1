/**
 * What a time zone adds to UTC, asked of `Intl`: exact, and a thousand times slower than a table of the answers.
 *
 * @since 0.1.0
 */
import * as Calendar from "./Calendar.ts"

/**
 * The offset of a known zone at an instant, in milliseconds.
 *
 * @since 0.1.0
 * @category queries
 */
export const at = (timeZone: string, instant: number): number => {
  const fields = numbers.exec(clockOf(timeZone).format(instant))!
  const seconds = Math.floor(instant / 1000)
  const day = Math.floor(seconds / 86_400)
  const local = (Number(fields[2]) * 60 + Number(fields[3])) * 60 + Number(fields[4])
  // Local dates are at most one day apart. At a month's end the next one is the 1st, and before the 1st comes one above 27.
  const apart = Number(fields[1]) - Calendar.dayOfMonth(Calendar.dateOf(day))
  const days = apart === 0 ? 0 : apart === 1 || apart < -1 ? 1 : -1
  return (local - (seconds - day * 86_400) + days * 86_400) * 1000
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const numbers = /(\d+)\D+(\d+)\D+(\d+)\D+(\d+)/

// A formatter weighs as much as a full table, and a zone is asked in long runs: only the last one is kept.
let last: { readonly timeZone: string; readonly clock: Intl.DateTimeFormat } | undefined

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  if (last === undefined || last.timeZone !== timeZone) {
    const clock = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    })
    last = { timeZone, clock }
  }
  return last.clock
}
