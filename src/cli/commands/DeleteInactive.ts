/**
 * `host-schedule delete-inactive`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { ScheduleClient } from "../../remote/ScheduleClient.ts"
import * as Connection from "../Connection.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"
import * as Text from "../Text.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make("delete-inactive", Flags.connection, ({ json, ...connection }) =>
  Effect.gen(function* () {
    const client = yield* ScheduleClient
    const deleted = yield* client.deleteInactive()
    yield* Output.answer(
      json,
      { deleted },
      (style) => `${style.green("Deleted")} ${Text.counted(deleted, "ended reminder")}`
    )
  }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Delete the ended reminders of all Sessions"))
