/**
 * `host-schedule create`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { ScheduleClient } from "../../remote/ScheduleClient.ts"
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
  "create",
  {
    ...Flags.connection,
    session: Flags.session,
    title: Flags.text("title", "TEXT", "The reminder's name, at most 120 characters"),
    prompt: Flags.text("prompt", "TEXT", "What the Session is told when it is due"),
    when: SelectorFlags.options
  },
  ({ json, prompt, session, title, when, ...connection }) =>
    Effect.gen(function* () {
      const selectors = yield* SelectorFlags.toSelectors(when)
      const client = yield* ScheduleClient
      const record = yield* client.create(session, { title, prompt, ...selectors })
      yield* Output.view(json, record, (style, now) => Render.record("Created", record, style, now))
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Create a reminder in a Session: exactly one of the flags that say when"))
