/**
 * Flags that take a whole number.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as CliFailure from "./CliFailure.ts"

/**
 * The number that a flag was given, from `low` to `high`; undefined when it was left out.
 *
 * @since 0.1.0
 * @category conversions
 */
export const within = (
  flag: string,
  text: string | undefined,
  [low, high]: readonly [low: number, high: number]
): Effect.Effect<number | undefined, CliFailure.CliFailure> => {
  if (text === undefined) return Effect.succeed(undefined)
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return number >= low && number <= high
    ? Effect.succeed(number)
    : CliFailure.refused("usage", `--${flag} must be a number from ${low} to ${high}, not ${JSON.stringify(text)}`)
}
