/**
 * From a creation request to a record.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { ScheduleId } from "./Identifiers.ts"
import * as Input from "./Input.ts"
import * as Rule from "./Rule.ts"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import type { ScheduleRecord } from "./ScheduleRecord.ts"
import * as Selector from "./Selector.ts"

/**
 * The record of a creation request `{title, prompt, <one selector>}`, with its first target. A member that is `undefined`
 * counts as absent. The first failure is told, in this order: keys and number of selectors (`invalid_selector`), title, prompt
 * (`invalid_prompt`), the selector's own value, then its target against `now`, which is the time of the request in epoch
 * milliseconds.
 *
 * @since 0.1.0
 * @category constructors
 */
export const createRecord = (
  request: unknown,
  { id, now }: { readonly id: ScheduleId; readonly now: number }
): Either.Either<ScheduleRecord, ScheduleInputError> =>
  Either.gen(function* () {
    const input = Input.snapshot(request)
    if (!Input.isFields(input)) {
      return yield* refuse("invalid_selector", "a request must be an object {title, prompt, <one selector>}")
    }
    const selector = yield* Selector.choose(input, ["title", "prompt"])
    const title = yield* Input.title(input.title)
    const prompt = yield* Input.prompt(input.prompt)
    const rule = yield* Selector.decode(selector)
    const scheduledAt = yield* Rule.firstTarget(rule, now)
    return Rule.toRecord(rule, { id, title, prompt, scheduledAt })
  })
