/**
 * The flags that say when.
 *
 * Their values go to the domain as they are, so that a command refuses exactly what every other way in refuses, with the same
 * code; only flags that do not go together are refused here.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as CliFailure from "./CliFailure.ts"
import * as Flags from "./Flags.ts"

/**
 * @since 0.1.0
 * @category options
 */
export const options = {
  after: Flags.text("after", "SECONDS", "Once, that many seconds from now"),
  at: Flags.text("at", "INSTANT", "Once, such as 2030-01-01T09:00:00+08:00, or without an offset and with --zone"),
  every: Flags.text("every", "SECONDS", "Every that many seconds, at least 60"),
  daily: Flags.text("daily", "HH:mm:ss", "Every day at a local time; needs --zone"),
  weekly: Flags.text("weekly", "HH:mm:ss", "At a local time on --weekdays; needs --zone"),
  weekdays: Flags.text("weekdays", "1,3", "ISO weekdays, Monday 1 to Sunday 7"),
  cron: Flags.text("cron", "EXPRESSION", "Five fields: minute hour day-of-month month day-of-week; needs --zone"),
  zone: Flags.text("zone", "ZONE", "UTC or an IANA zone such as Asia/Shanghai")
}

/**
 * The flags as they were given.
 *
 * @since 0.1.0
 * @category models
 */
export type Values = { readonly [K in keyof typeof options]: string | undefined }

/**
 * The selectors of a request: none, one, or several for the domain to refuse.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSelectors = (flags: Values): Either.Either<Readonly<Record<string, unknown>>, CliFailure.CliFailure> => {
  const { after, at, cron, daily, every, weekdays, weekly, zone } = flags
  if (weekdays !== undefined && weekly === undefined) {
    return Either.left(CliFailure.refused("invalid_selector", "--weekdays goes with --weekly"))
  }
  if (zone !== undefined && [at, daily, weekly, cron].every((flag) => flag === undefined)) {
    return Either.left(CliFailure.refused("invalid_selector", "--zone goes with --at, --daily, --weekly or --cron"))
  }
  return Either.right({
    ...given("after_seconds", after, Flags.number),
    ...given("at", at, (text) => (zone === undefined ? text : localTime(text, zone))),
    ...given("every_seconds", every, Flags.number),
    ...given("daily", daily, (time) => withZone({ time }, zone)),
    ...given("weekly", weekly, (time) =>
      withZone(weekdays === undefined ? { time } : { time, weekdays: weekdays.split(",").map(Flags.number) }, zone)
    ),
    ...given("cron", cron, (expression) => withZone({ expression }, zone))
  })
}

/**
 * The change of an update, if the flags say when: `{kind, …}` for the selector that was given.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toChange = (flags: Values): Either.Either<Option.Option<unknown>, CliFailure.CliFailure> =>
  Either.flatMap(toSelectors(flags), (selectors) => {
    const [first, second] = Object.keys(selectors)
    if (second !== undefined) {
      return Either.left(CliFailure.refused("invalid_selector", "say when in one way only"))
    }
    if (first === "after_seconds") {
      return Either.left(
        CliFailure.refused("invalid_selector", "--after is for new reminders; move this one with --at")
      )
    }
    return Either.right(
      first === undefined ? Option.none() : Option.some({ kind: first.replace("_seconds", ""), ...selectors })
    )
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const given = (name: string, flag: string | undefined, value: (flag: string) => unknown) =>
  flag === undefined ? {} : { [name]: value(flag) }

const withZone = (rule: object, zone: string | undefined) => (zone === undefined ? rule : { ...rule, time_zone: zone })

const localTime = (text: string, zone: string) => {
  const [date, ...time] = text.split("T")
  return { date, time: time.join("T"), time_zone: zone }
}
