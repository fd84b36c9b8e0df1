/**
 * `host-schedule history`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { ScheduleClient } from "../../remote/ScheduleClient.ts"
import * as CliFailure from "../CliFailure.ts"
import * as Connection from "../Connection.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"
import * as Render from "../Render.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "history",
  {
    ...Flags.connection,
    session: Flags.session,
    limit: Flags.text("limit", "N", "How many, 1 to 100 (default 20)"),
    before: Flags.text("before", "MESSAGE", "Only deliveries older than that of this message"),
    task: Flags.task
  },
  ({ before, json, limit, session, task, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* ScheduleClient
      const page = yield* client.history({
        sessionId: session,
        id: task,
        limit: limit === undefined ? 20 : Flags.number(limit),
        before
      })
      if ("code" in page) return yield* CliFailure.miss(page.code, task)
      yield* Output.answer(json, page, (style, now) => Render.deliveries(page, style, now))
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Show the saved deliveries of a reminder, newest first"))
