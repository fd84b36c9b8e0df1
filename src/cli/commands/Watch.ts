/**
 * `host-schedule watch`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as CliFailure from "../CliFailure.ts"
import * as Flags from "../Flags.ts"

/**
 * Runs until a signal.
 *
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "watch",
  {
    ...Flags.connection,
    count: Options.integer("count").pipe(
      Options.withPseudoName("N"),
      Options.withDescription("How many reminders, 1 to 1000 (default 20)"),
      Options.withDefault(20)
    )
  },
  (options) =>
    Effect.gen(function* () {
      if (options.count < 1 || options.count > 1000) {
        return yield* CliFailure.refused("usage", `--count must be a number from 1 to 1000, not ${options.count}`)
      }
      const watching = yield* Effect.promise(() => import("../Watching.ts"))
      yield* watching.run(options)
    })
).pipe(Command.withDescription("Show what is due next, live, until Ctrl-C"))
