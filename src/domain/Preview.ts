/**
 * What a rule will do next, for people to see before they save it.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Input from "./Input.ts"
import * as Instant from "./Instant.ts"
import * as Occurrence from "./Occurrence.ts"
import * as Rule from "./Rule.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import { decodeRecord } from "./ScheduleRecord.ts"
import * as Selector from "./Selector.ts"

/**
 * The most occurrences of one answer.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxCount = 100

/**
 * What is needed of a record: its rule and its committed next target. A wall-clock rule also stands without one.
 *
 * @since 0.1.0
 * @category models
 */
export type Subject =
  | { readonly kind: "after" | "at"; readonly scheduledAt: Instant.Instant }
  | { readonly kind: "every"; readonly everySeconds: number; readonly scheduledAt: Instant.Instant }
  | (Occurrence.WallClockRule & { readonly scheduledAt?: Instant.Instant })

/**
 * The next `count` occurrences, at most {@link maxCount}, strictly after `from` (epoch milliseconds); fewer when there are no
 * more. They begin with the committed target when that is still ahead, as deliveries will.
 *
 * @since 0.1.0
 * @category queries
 */
export const occurrences = (subject: Subject, from: number, count: number): ReadonlyArray<Instant.Instant> => {
  const found: Array<Instant.Instant> = []
  let at = firstAfter(subject, from)
  while (found.length < Math.min(count, maxCount) && Instant.isInRange(at)) {
    found.push(Instant.format(at))
    at = following(subject, at)
  }
  return found
}

/**
 * The next occurrences of a record after `from`, or of a selector, such as
 * `{"daily": {"time": "09:00:00", "time_zone": "Asia/Shanghai"}}`, were it accepted at `from`: then the first is the target that
 * creation would commit, and what creation refuses fails here alike. A record that does not decode is an `invalid_rule`, as is
 * a `count` that is not an integer from 1 to {@link maxCount}.
 *
 * @since 0.1.0
 * @category queries
 */
export const preview = (
  selectorOrRecord: unknown,
  from: number,
  count: unknown
): Either.Either<ReadonlyArray<Instant.Instant>, ScheduleInputError> =>
  Either.gen(function* () {
    const input = Input.snapshot(selectorOrRecord)
    if (!Input.isFields(input)) {
      return yield* refuse("invalid_selector", `a preview needs an object with one of ${Selector.names.join(", ")}`)
    }
    const subject = "kind" in input ? yield* recordOf(input) : yield* Selector.decode(yield* Selector.choose(input, []))
    if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > maxCount) {
      return yield* refuse("invalid_rule", `count must be a whole number from 1 to ${maxCount}`)
    }
    return "scheduledAt" in subject
      ? occurrences(subject, from, count)
      : occurrences({ ...subject, scheduledAt: yield* Rule.firstTarget(subject, from) }, from, count)
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const recordOf = (input: Input.Fields) =>
  Either.orElse(decodeRecord(input), ({ message }) => refuse("invalid_rule", message))

const firstAfter = (subject: Subject, from: number): number => {
  const target = subject.scheduledAt === undefined ? Number.NaN : Instant.toMillis(subject.scheduledAt)
  if (target > from) return target
  switch (subject.kind) {
    case "after":
    case "at":
      return Number.NaN
    case "every": {
      const interval = subject.everySeconds * 1000
      return target + (Math.floor((from - target) / interval) + 1) * interval
    }
    default:
      return Occurrence.next(subject, from)
  }
}

const following = (subject: Subject, at: number): number => {
  switch (subject.kind) {
    case "after":
    case "at":
      return Number.NaN
    case "every":
      return at + subject.everySeconds * 1000
    case "cron":
      return Occurrence.next(subject, at)
    default:
      return Occurrence.nextOnLaterDate(subject, at, at)
  }
}
