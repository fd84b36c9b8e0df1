/**
 * Editing an active task: complete-record compare-and-set.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Input from "./Input.ts"
import * as Rule from "./Rule.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import { decodeRecord, type ScheduleRecord } from "./ScheduleRecord.ts"
import * as Selector from "./Selector.ts"

/**
 * The decision of an update: what to store, nothing to do, or a conflict.
 *
 * @since 0.1.0
 * @category models
 */
export type UpdateDecision =
  | { readonly updated: true; readonly record: ScheduleRecord }
  | { readonly updated: false; readonly record: ScheduleRecord }
  | { readonly updated: false; readonly code: "schedule_conflict" }

/**
 * Decides `{expected, title?, prompt?, change?}` against the stored record at the save time `now` in epoch milliseconds.
 *
 * `change` is one of `{kind: "at", at}`, `{kind: "every", every_seconds}`, `{kind: "daily", daily}`, `{kind: "weekly", weekly}`,
 * `{kind: "cron", cron}`. A member that is `undefined` counts as absent, and an absent one keeps its value.
 *
 * Told in this order: unknown keys (`invalid_selector`); an `expected` that is no complete record (`invalid_rule`); the
 * conflict; title, prompt (`invalid_prompt`); the shape of `change` (`invalid_selector`), its rule, its target. So a caller
 * with an outdated record hears of the conflict first, since whether a change is valid can depend on the record.
 *
 * @since 0.1.0
 * @category decisions
 */
export const resolveUpdate = (
  current: ScheduleRecord,
  request: unknown,
  now: number
): Either.Either<UpdateDecision, ScheduleInputError> =>
  Either.gen(function* () {
    const input = Input.snapshot(request)
    if (!Input.isFields(input)) {
      return yield* refuse("invalid_selector", "a request must be an object {expected, title?, prompt?, change?}")
    }
    const unknown = Input.unknownKey(input, requestKeys)
    if (unknown !== undefined) {
      return yield* refuse("invalid_selector", `unknown key ${unknown}: allowed are ${requestKeys.join(", ")}`)
    }
    const expected = yield* decodeExpected(input.expected)
    if (!Rule.sameRecord(expected, current)) return { updated: false, code: "schedule_conflict" }

    const title = "title" in input ? yield* Input.title(input.title) : current.title
    const prompt = "prompt" in input ? yield* Input.prompt(input.prompt) : current.prompt
    const rule = "change" in input ? yield* decodeChange(input.change) : undefined

    if (rule === undefined || Rule.isSameTiming(current, rule)) {
      return title === current.title && prompt === current.prompt
        ? { updated: false, record: current }
        : { updated: true, record: Rule.toRecord(current, { ...current, title, prompt }) }
    }
    const scheduledAt = yield* Rule.firstTarget(rule, now)
    return { updated: true, record: Rule.toRecord(rule, { id: current.id, title, prompt, scheduledAt }) }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const requestKeys = ["expected", "title", "prompt", "change"]

const decodeExpected = (value: unknown): Either.Either<ScheduleRecord, ScheduleInputError> =>
  Either.orElse(decodeRecord(value), ({ message }) =>
    refuse("invalid_rule", `expected must be the complete record as it was last read: ${message}`)
  )

const selectorOf: ReadonlyMap<unknown, Selector.SelectorName> = new Map([
  ["at", "at"],
  ["every", "every_seconds"],
  ["daily", "daily"],
  ["weekly", "weekly"],
  ["cron", "cron"]
])

const decodeChange = (change: unknown): Either.Either<Rule.Rule, ScheduleInputError> => {
  const fields = Input.isFields(change) ? change : {}
  const name = selectorOf.get(fields.kind)
  return name !== undefined && name in fields && Object.keys(fields).length === 2
    ? Selector.decode({ name, value: fields[name] })
    : refuse(
        "invalid_selector",
        "change must be one of {kind: at, at}, {kind: every, every_seconds}, {kind: daily, daily}, {kind: weekly, weekly}, {kind: cron, cron}"
      )
}
