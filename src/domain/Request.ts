/**
 * What requests look like, for whoever writes them: schemas with descriptions, from which tools and documents generate
 * theirs. What a request means is decided by `Creation`, `Selector` and `Update`, which refuse with codes; every request
 * that they accept has these shapes.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { maxTitleLength, minEverySeconds } from "./ScheduleRecord.ts"

const described = (description: string) => Schema.String.annotations({ description })
const integer = (bounds: { readonly minimum: number; readonly maximum?: number; readonly description?: string }) =>
  Schema.Number.pipe(
    Schema.filter(
      (n) => Number.isSafeInteger(n) && n >= bounds.minimum && n <= (bounds.maximum ?? Number.MAX_SAFE_INTEGER),
      { jsonSchema: { type: "integer", ...bounds } }
    )
  )

const timeZone = described("UTC or an IANA Area/Location name such as Europe/Paris.")
const time = described("Local time HH:mm:ss, optionally with .S to .SSS.")

/**
 * @since 0.1.0
 * @category schemas
 */
export const Title = Schema.String.annotations({
  description: `A short name for the reminder, at most ${maxTitleLength} characters.`,
  jsonSchema: { maxLength: maxTitleLength }
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const Prompt = described("What to say when the reminder is due.")

/**
 * @since 0.1.0
 * @category schemas
 */
export const AfterSeconds = integer({ minimum: 1, description: "Once, this many seconds from now." })

/**
 * @since 0.1.0
 * @category schemas
 */
export const At = Schema.Union(
  described("YYYY-MM-DDTHH:mm:ss followed by Z or an offset such as +08:00."),
  Schema.Struct({ date: described("Local date YYYY-MM-DD."), time, time_zone: timeZone })
).annotations({ description: "Once, at this instant, which must be in the future." })

/**
 * @since 0.1.0
 * @category schemas
 */
export const EverySeconds = integer({
  minimum: minEverySeconds,
  description:
    "Again and again, at this fixed interval in seconds, counted from now. For a time of day use daily, weekly or cron."
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const Daily = Schema.Struct({ time, time_zone: timeZone }).annotations({
  description: "Every day at a local time."
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const Weekly = Schema.Struct({
  time,
  time_zone: timeZone,
  weekdays: Schema.Array(integer({ minimum: 1, maximum: 7 })).annotations({
    description: "ISO weekdays, 1 Monday to 7 Sunday, none twice.",
    jsonSchema: { minItems: 1 }
  })
}).annotations({ description: "On some days of the week at a local time." })

/**
 * @since 0.1.0
 * @category schemas
 */
export const Cron = Schema.Struct({
  expression: described(
    "Five fields: minute hour day-of-month month day-of-week (0 and 7 are Sunday), each *, numbers, a-b, */n or a-b/n, joined by commas. No names, no macros."
  ),
  time_zone: timeZone
}).annotations({ description: "Whenever the local time matches a cron expression." })
