/**
 * `host-schedule list`
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

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "list",
  { ...Flags.connection, session: Flags.session },
  ({ json, session, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* ScheduleClient
      const records = yield* client.list({ sessionId: session })
      yield* Output.views(json, records, (style, now) => Render.records(records, style, now))
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("List the active reminders of a Session"))
