/**
 * The `host-schedule` command and its subcommands.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Catalog from "./commands/Catalog.ts"
import * as Check from "./commands/Check.ts"
import * as Create from "./commands/Create.ts"
import * as Delete from "./commands/Delete.ts"
import * as DeleteInactive from "./commands/DeleteInactive.ts"
import * as Export from "./commands/Export.ts"
import * as History from "./commands/History.ts"
import * as Import from "./commands/Import.ts"
import * as LegacyMigrate from "./commands/LegacyMigrate.ts"
import * as List from "./commands/List.ts"
import * as Mcp from "./commands/Mcp.ts"
import * as Preview from "./commands/Preview.ts"
import * as Sdk from "./commands/Sdk.ts"
import * as Serve from "./commands/Serve.ts"
import * as Sessions from "./commands/Sessions.ts"
import * as Update from "./commands/Update.ts"
import * as Url from "./commands/Url.ts"
import * as Watch from "./commands/Watch.ts"
import type * as Usage from "./Usage.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make("host-schedule").pipe(
  Command.withDescription("Durable reminders for agent Sessions"),
  Command.withSubcommands([
    Serve.command,
    Url.command,
    Create.command,
    List.command,
    Catalog.command,
    Watch.command,
    History.command,
    Update.command,
    Delete.command,
    DeleteInactive.command,
    Preview.command,
    Sessions.command,
    LegacyMigrate.command,
    Mcp.command,
    Sdk.command,
    Check.command,
    Export.command,
    Import.command
  ])
)

/**
 * The names of the subcommands, and of theirs.
 *
 * @since 0.1.0
 * @category getters
 */
export const tree: Usage.Tree = {
  ...Object.fromEntries(Array.from(Command.getSubcommands(command), ([name]) => [name, {}])),
  sessions: Object.fromEntries(Array.from(Command.getSubcommands(Sessions.command), ([name]) => [name, {}]))
}
