/**
 * `host-schedule mcp`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flags from "../Flags.ts"

/**
 * Serves one agent program until its input ends.
 *
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "mcp",
  { home: Flags.home, storage: Flags.storage, databaseUrl: Flags.databaseUrl, session: Flags.session },
  ({ session, ...connection }) =>
    Effect.gen(function* () {
      const serving = yield* Effect.promise(() => import("../McpServing.ts"))
      return yield* serving.run(session, connection)
    })
).pipe(Command.withDescription("Give an agent program the reminder tools of a Session: MCP on stdin and stdout"))
