/**
 * `host-schedule check`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Flags from "../Flags.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "check",
  {
    ...Flags.connection,
    repair: Options.boolean("repair").pipe(
      Options.withDescription("Move bad rows aside, into a file next to the store that is named; none is deleted")
    )
  },
  (flags) =>
    Effect.gen(function* () {
      const files = yield* Effect.promise(() => import("../StoreFiles.ts"))
      return yield* files.check(flags)
    })
).pipe(Command.withDescription("Validate the store without opening it for work, and print each problem"))
