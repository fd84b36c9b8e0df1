/**
 * `host-schedule export`
 *
 * @since 0.1.0
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flags from "../Flags.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "export",
  {
    ...Flags.connection,
    file: Args.text({ name: "FILE" }).pipe(
      Args.withDescription("Where to write; it must not be there yet (default: stdout)"),
      Args.optional
    )
  },
  (flags) =>
    Effect.gen(function* () {
      const files = yield* Effect.promise(() => import("../StoreFiles.ts"))
      return yield* files.exportTo(flags)
    })
).pipe(Command.withDescription("Write all reminders as one JSON document, while a Host runs or not"))
