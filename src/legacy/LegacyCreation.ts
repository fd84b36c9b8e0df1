/**
 * New reminders of the Session-local system.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Input from "../domain/Input.ts"
import * as Rule from "../domain/Rule.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import * as Selector from "../domain/Selector.ts"
import { type LegacyId, type LegacyRecord, minEverySeconds } from "./LegacyRecord.ts"

/**
 * What is asked for, apart from the time of asking.
 *
 * @since 0.1.0
 * @category models
 */
export interface LegacyRequest {
  readonly prompt: string
  readonly rule: LegacyRule
}

/**
 * @since 0.1.0
 * @category models
 */
export type LegacyRule = Extract<Rule.Rule, { readonly kind: LegacyRecord["kind"] }>

/**
 * A request `{prompt, <one of after_seconds, at, every_seconds>}` from untrusted data. Whatever follows from its shape alone
 * is refused here.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeRequest = (request: unknown): Either.Either<LegacyRequest, ScheduleInputError> =>
  Either.gen(function* () {
    const input = Input.snapshot(request)
    if (!Input.isFields(input)) {
      return yield* refuse("invalid_selector", "a request must be an object {prompt, <one selector>}")
    }
    const unknown = Input.unknownKey(input, ["prompt", ...names])
    if (unknown !== undefined) {
      return yield* refuse("invalid_selector", `unknown key ${unknown}: allowed are prompt, ${names.join(", ")}`)
    }
    const given = names.filter((name) => name in input)
    const [name] = given
    if (name === undefined || given.length > 1) {
      return yield* refuse(
        "invalid_selector",
        `exactly one of ${names.join(", ")} is wanted: ${given.length} were given`
      )
    }
    const prompt = yield* Input.prompt(input.prompt)
    const rule = yield* Selector.decode({ name, value: input[name] })
    if (rule.kind === "every" && rule.everySeconds < minEverySeconds) {
      return yield* refuse("frequency_too_high", `every_seconds must be at least ${minEverySeconds}`)
    }
    return rule.kind === "after" || rule.kind === "at" || rule.kind === "every"
      ? { prompt, rule }
      : yield* refuse("invalid_selector", `exactly one of ${names.join(", ")} is wanted`)
  })

/**
 * The record of a request that is accepted at `now` (epoch milliseconds): fails with `not_future` or `time_out_of_range`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const createLegacyRecord = (
  { prompt, rule }: LegacyRequest,
  { id, now }: { readonly id: LegacyId; readonly now: number }
): Either.Either<LegacyRecord, ScheduleInputError> =>
  Either.map(Rule.firstTarget(rule, now), (scheduledAt): LegacyRecord => {
    switch (rule.kind) {
      case "after":
        return { id, kind: rule.kind, prompt, afterSeconds: rule.afterSeconds, scheduledAt }
      case "at":
        return { id, kind: rule.kind, prompt, scheduledAt }
      case "every":
        return { id, kind: rule.kind, prompt, everySeconds: rule.everySeconds, scheduledAt }
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const names = ["after_seconds", "at", "every_seconds"] as const
