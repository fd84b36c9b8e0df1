/**
 * Five-field Vixie cron expressions: `minute hour day-of-month month day-of-week`.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as CronField from "./CronField.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"

/**
 * An expression taken apart. Sunday is 0.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cron {
  readonly minute: CronField.CronField
  readonly hour: CronField.CronField
  readonly dayOfMonth: CronField.CronField
  readonly month: CronField.CronField
  readonly dayOfWeek: CronField.CronField
}

/**
 * The five fields in the order of the text.
 *
 * @since 0.1.0
 * @category constants
 */
export const ranges = {
  minute: CronField.range("minute", 0, 59),
  hour: CronField.range("hour", 0, 23),
  dayOfMonth: CronField.range("day-of-month", 1, 31),
  month: CronField.range("month", 1, 12),
  dayOfWeek: CronField.range("day-of-week", 0, 6, 7)
} satisfies Record<keyof Cron, CronField.FieldRange>

/**
 * Takes an expression apart; fails with `invalid_rule` naming the field.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (expression: string): Either.Either<Cron, ScheduleInputError> => {
  const cron = read(expression)
  return typeof cron === "string" ? refuse("invalid_rule", cron) : Either.right(cron)
}

/**
 * The canonical text of an expression taken apart.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = (cron: Cron): string =>
  `${CronField.format(cron.minute, ranges.minute)} ${CronField.format(cron.hour, ranges.hour)} ${CronField.format(
    cron.dayOfMonth,
    ranges.dayOfMonth
  )} ${CronField.format(cron.month, ranges.month)} ${CronField.format(cron.dayOfWeek, ranges.dayOfWeek)}`

/**
 * The canonical text of an expression; fails with `invalid_rule` naming the field.
 *
 * @since 0.1.0
 * @category conversions
 */
export const canonicalize = (expression: string): Either.Either<string, ScheduleInputError> =>
  Either.map(parse(expression), format)

/**
 * Whether an expression is valid and already in canonical text.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isCanonical = (expression: string): boolean => {
  const cron = read(expression)
  return typeof cron !== "string" && format(cron) === expression
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const read = (expression: string): Cron | string => {
  const texts = expression.trim().split(/\s+/)
  if (texts.length !== 5) {
    return "cron expression must have five fields: minute hour day-of-month month day-of-week"
  }
  const minute = CronField.parse(texts[0]!, ranges.minute)
  if (typeof minute === "string") return minute
  const hour = CronField.parse(texts[1]!, ranges.hour)
  if (typeof hour === "string") return hour
  const dayOfMonth = CronField.parse(texts[2]!, ranges.dayOfMonth)
  if (typeof dayOfMonth === "string") return dayOfMonth
  const month = CronField.parse(texts[3]!, ranges.month)
  if (typeof month === "string") return month
  const dayOfWeek = CronField.parse(texts[4]!, ranges.dayOfWeek)
  return typeof dayOfWeek === "string" ? dayOfWeek : { minute, hour, dayOfMonth, month, dayOfWeek }
}
