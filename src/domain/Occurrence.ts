/**
 * The occurrences of wall-clock rules: the engine behind daily, weekly and cron.
 *
 * @since 0.1.0
 */

/** The wall-clock part of a record, all fields already validated and canonical. */
export type WallClockRule =
  | { readonly kind: "daily"; readonly time: string; readonly timeZone: string }
  | {
      readonly kind: "weekly"
      readonly time: string
      readonly timeZone: string
      readonly weekdays: ReadonlyArray<number>
    }
  | { readonly kind: "cron"; readonly expression: string; readonly timeZone: string }

/** The first occurrence strictly after an instant, in epoch milliseconds; NaN when the calendar holds none. */
export const next = (_rule: WallClockRule, _after: number): number => {
  throw new Error("not built yet")
}

/** The latest occurrence at or before an instant, in epoch milliseconds; NaN when the calendar holds none. */
export const latest = (_rule: WallClockRule, _at: number): number => {
  throw new Error("not built yet")
}
