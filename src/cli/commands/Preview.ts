/**
 * `host-schedule preview`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as PreviewRequest from "../../remote/PreviewRequest.ts"
import * as CliFailure from "../CliFailure.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"
import * as PreviewLines from "../PreviewLines.ts"
import * as Render from "../Render.ts"
import * as SelectorFlags from "../SelectorFlags.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "preview",
  {
    json: Flags.json,
    jsonl: Options.boolean("jsonl").pipe(
      Options.withDescription("Answer requests {<one selector>, from?, count?} on stdin, one per line")
    ),
    when: SelectorFlags.options,
    from: Flags.text("from", "INSTANT", "Occurrences after this instant (default: now)"),
    count: Flags.text("count", "N", `How many, 1 to 100 (default ${PreviewRequest.defaultCount})`)
  },
  ({ count, from, json, jsonl, when }) =>
    Effect.gen(function* () {
      const selectors = yield* SelectorFlags.toSelectors(when)
      if (jsonl) {
        if (Object.keys(selectors).length > 0 || from !== undefined || count !== undefined) {
          return yield* CliFailure.refused("usage", "with --jsonl, each line of stdin says what to preview")
        }
        return yield* PreviewLines.answerStdin
      }
      const request = { ...selectors, from, count: count === undefined ? undefined : Flags.number(count) }
      const occurrences = yield* PreviewRequest.answer(request, yield* Clock.currentTimeMillis)
      yield* Output.answer(json, { occurrences }, (style, now) => Render.occurrences(occurrences, style, now))
    })
).pipe(Command.withDescription("Show the next occurrences of a rule; needs no Host"))
