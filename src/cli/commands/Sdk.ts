/**
 * `host-schedule sdk`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flags from "../Flags.ts"

/**
 * Serves one client until its input ends.
 *
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "sdk",
  { home: Flags.home, storage: Flags.storage, databaseUrl: Flags.databaseUrl },
  (options) =>
    Effect.gen(function* () {
      const serving = yield* Effect.promise(() => import("../SdkServing.ts"))
      return yield* serving.run(options)
    })
).pipe(Command.withDescription("Be the Host behind a program of yours: JSON-RPC on stdin and stdout"))
