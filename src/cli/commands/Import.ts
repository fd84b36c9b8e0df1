/**
 * `host-schedule import`
 *
 * @since 0.1.0
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Flags from "../Flags.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "import",
  {
    ...Flags.connection,
    shards: Flags.shards,
    merge: Options.boolean("merge").pipe(
      Options.withDescription("Into a store that has reminders; those with the same id stay as they are")
    ),
    file: Args.text({ name: "FILE" }).pipe(
      Args.withDescription("A document that `export` wrote (default: stdin)"),
      Args.optional
    )
  },
  (flags) =>
    Effect.gen(function* () {
      const files = yield* Effect.promise(() => import("../StoreFiles.ts"))
      return yield* files.importFrom(flags)
    })
).pipe(Command.withDescription("Read a JSON document of reminders into the store, all or nothing; no Host may run"))
