/**
 * `host-schedule update`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ScheduleClient } from "../../remote/ScheduleClient.ts"
import * as CliFailure from "../CliFailure.ts"
import * as Connection from "../Connection.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"
import * as Render from "../Render.ts"
import * as SelectorFlags from "../SelectorFlags.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "update",
  {
    ...Flags.connection,
    session: Flags.session,
    title: Flags.text("title", "TEXT", "Another name"),
    prompt: Flags.text("prompt", "TEXT", "Another instruction"),
    when: SelectorFlags.options,
    task: Flags.task
  },
  ({ json, prompt, session, task, title, when, ...connection }) =>
    Effect.gen(function* () {
      const change = yield* SelectorFlags.toChange(when)
      if (title === undefined && prompt === undefined && Option.isNone(change)) {
        return yield* CliFailure.refused(
          "usage",
          "say what to change: --title, --prompt, or one of the flags that say when"
        )
      }
      const client = yield* ScheduleClient
      const current = (yield* client.list({ sessionId: session })).find(({ id }) => id === task)
      const answer = yield* client.update({
        sessionId: session,
        id: task,
        // of a task that is not active, the answer says so before it looks at this
        expected: current ?? {},
        ...(title === undefined ? {} : { title }),
        ...(prompt === undefined ? {} : { prompt }),
        ...(Option.isNone(change) ? {} : { change: change.value })
      })
      if ("message" in answer) return yield* CliFailure.refused(answer.code, answer.message)
      if ("code" in answer) return yield* CliFailure.miss(answer.code, task)
      yield* Output.answer(json, answer, (style, now) =>
        Render.record(answer.updated ? "Updated" : "Nothing to change in", answer.record, style, now)
      )
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Change the name, instruction or timing of an active reminder"))
