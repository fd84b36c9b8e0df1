/**
 * `host-schedule url`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Connection from "../Connection.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make("url", { json: Flags.json, home: Flags.home }, ({ home, json }) =>
  Effect.gen(function* () {
    const url = yield* Connection.signInUrl(home)
    yield* Output.answer(json, { url }, () => url)
  })
).pipe(Command.withDescription("Print a link that signs a browser in to the running Host; it works once"))
