/**
 * `host-schedule delete`
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

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "delete",
  { ...Flags.connection, session: Flags.session, task: Flags.task },
  ({ json, session, task, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* ScheduleClient
      const answer = yield* client.delete({ sessionId: session, id: task })
      if ("code" in answer) return yield* CliFailure.miss(answer.code, task)
      yield* Output.answer(json, answer, (style) => `${style.green("Deleted")} ${task}`)
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Delete a reminder with its saved deliveries"))
