/**
 * When a task is due: what a selector says and a record keeps, without the texts.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Instant from "./Instant.ts"
import * as Occurrence from "./Occurrence.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"
import * as TimeZone from "./TimeZone.ts"

/**
 * The fields that a kind of record adds to the common ones, all validated and canonical.
 *
 * @since 0.1.0
 * @category models
 */
export type RuleFields =
  | { readonly kind: "after"; readonly afterSeconds: number }
  | { readonly kind: "at" }
  | { readonly kind: "every"; readonly everySeconds: number }
  | Occurrence.WallClockRule

/**
 * A rule that has not been given its first target yet. `at` is in epoch milliseconds and in range.
 *
 * @since 0.1.0
 * @category models
 */
export type Rule = Exclude<RuleFields, { readonly kind: "at" }> | { readonly kind: "at"; readonly at: number }

/**
 * What every record has beside its rule.
 *
 * @since 0.1.0
 * @category models
 */
export type CommonFields = Pick<ScheduleRecord, "id" | "title" | "prompt" | "scheduledAt">

/**
 * A record in its fixed key order: `id, kind, title, prompt`, the kind's own fields, `scheduledAt`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const toRecord = (rule: RuleFields, { id, prompt, scheduledAt, title }: CommonFields): ScheduleRecord => {
  switch (rule.kind) {
    case "after":
      return { id, kind: rule.kind, title, prompt, afterSeconds: rule.afterSeconds, scheduledAt }
    case "at":
      return { id, kind: rule.kind, title, prompt, scheduledAt }
    case "every":
      return { id, kind: rule.kind, title, prompt, everySeconds: rule.everySeconds, scheduledAt }
    case "daily": {
      const { time, timeZone } = rule
      return { id, kind: rule.kind, title, prompt, time, timeZone, scheduledAt }
    }
    case "weekly": {
      const { time, timeZone, weekdays } = rule
      return { id, kind: rule.kind, title, prompt, time, timeZone, weekdays, scheduledAt }
    }
    case "cron": {
      const { expression, timeZone } = rule
      return { id, kind: rule.kind, title, prompt, expression, timeZone, scheduledAt }
    }
  }
}

/**
 * Whether two records are equal in every field.
 *
 * @since 0.1.0
 * @category predicates
 */
export const sameRecord = (self: ScheduleRecord, that: ScheduleRecord): boolean => text(self) === text(that)

/**
 * Whether a rule asks for what a record already does: the same instant for a one-shot, however it is spelled; the same
 * interval; the same local time, weekdays or expression in the same zone, by whichever of its names.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSameTiming = (record: ScheduleRecord, rule: Rule): boolean => {
  switch (rule.kind) {
    case "after":
      return false
    case "at":
      return (record.kind === "after" || record.kind === "at") && Instant.toMillis(record.scheduledAt) === rule.at
    case "every":
      return record.kind === "every" && record.everySeconds === rule.everySeconds
    case "daily":
      return record.kind === "daily" && record.time === rule.time && sameZone(record, rule)
    case "weekly":
      return (
        record.kind === "weekly" &&
        record.time === rule.time &&
        record.weekdays.join() === rule.weekdays.join() &&
        sameZone(record, rule)
      )
    case "cron":
      return record.kind === "cron" && record.expression === rule.expression && sameZone(record, rule)
  }
}

/**
 * The first target of a rule that is accepted at `now` (epoch milliseconds), strictly after it: fails with `not_future` or
 * `time_out_of_range`.
 *
 * @since 0.1.0
 * @category getters
 */
export const firstTarget = (rule: Rule, now: number): Either.Either<Instant.Instant, ScheduleInputError> => {
  switch (rule.kind) {
    case "after":
      return target(now + rule.afterSeconds * 1000)
    case "at":
      return rule.at > now ? target(rule.at) : refuse("not_future", "at must be later than now")
    case "every":
      return target(now + rule.everySeconds * 1000)
    default:
      return target(Occurrence.next(rule, now))
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const text = (record: ScheduleRecord): string => JSON.stringify(toRecord(record, record))

const sameZone = (self: { readonly timeZone: string }, that: { readonly timeZone: string }): boolean =>
  TimeZone.canonicalName(self.timeZone) === TimeZone.canonicalName(that.timeZone)

const target = (millis: number): Either.Either<Instant.Instant, ScheduleInputError> =>
  Instant.isInRange(millis)
    ? Either.right(Instant.format(millis))
    : refuse("time_out_of_range", "the rule has no occurrence between now and the end of the year 9999 (UTC)")
