/**
 * A preview as it is asked for over a wire or on a command line.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Input from "../domain/Input.ts"
import * as Instant from "../domain/Instant.ts"
import * as Preview from "../domain/Preview.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import * as Selector from "../domain/Selector.ts"

/**
 * How many occurrences a request without `count` gets.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultCount = 5

/**
 * The next occurrences of `{<one selector>, from?, count?}`: `from` is an instant with `Z` or an offset, default `now` (epoch
 * milliseconds); `count` is 1 to 100, default {@link defaultCount}.
 *
 * @since 0.1.0
 * @category queries
 */
export const answer = (
  request: unknown,
  now: number
): Either.Either<ReadonlyArray<Instant.Instant>, ScheduleInputError> => {
  const input = Input.snapshot(request)
  if (!Input.isFields(input)) {
    return refuse("invalid_selector", "a preview is an object {<one selector>, from?, count?}")
  }
  const { count = defaultCount, from, ...selector } = input
  return Either.flatMap(instantOf(from, now), (from) => Preview.preview(selector, from, count))
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const instantOf = (from: unknown, now: number): Either.Either<number, ScheduleInputError> => {
  if (from === undefined) return Either.right(now)
  if (typeof from === "number" && Instant.isInRange(from)) return Either.right(from)
  const rule =
    typeof from === "string" ? Either.getOrUndefined(Selector.decode({ name: "at", value: from })) : undefined
  return rule?.kind === "at"
    ? Either.right(rule.at)
    : refuse("invalid_rule", "from must be an instant YYYY-MM-DDTHH:mm:ss, followed by Z or ±HH:MM")
}
