/**
 * `host-schedule catalog`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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
  "catalog",
  {
    ...Flags.connection,
    status: Options.choice("status", ["active", "inactive"]).pipe(
      Options.withDescription("Only these (default: all)"),
      Options.optional
    )
  },
  ({ json, status, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* ScheduleClient
      const tasks = (yield* client.catalog()).filter(
        (task) => Option.getOrElse(status, () => task.status) === task.status
      )
      yield* Output.answer(json, tasks, (style, now) => Render.catalog(tasks, style, now))
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("List the reminders of all Sessions, ended ones too"))
