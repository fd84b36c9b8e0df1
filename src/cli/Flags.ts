/**
 * The flags that several commands share.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import { join } from "node:path"
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import { AnyScheduleId, AnySessionId } from "../remote/ScheduleRpcs.ts"

/**
 * @since 0.1.0
 * @category options
 */
export const json = Options.boolean("json").pipe(
  Options.withDescription("Answer with one line of JSON; errors are one line {code, message} on stderr")
)

/**
 * `--home DIR`, else `HOST_SCHEDULE_HOME`, else `~/.host-schedule`.
 *
 * @since 0.1.0
 * @category options
 */
export const home = Options.text("home").pipe(
  Options.withPseudoName("DIR"),
  Options.withDescription("The Host's home directory (HOST_SCHEDULE_HOME; default ~/.host-schedule)"),
  Options.withFallbackConfig(Config.nonEmptyString("HOST_SCHEDULE_HOME")),
  Options.withDefault(join(homedir(), ".host-schedule"))
)

/**
 * Any text: an id that no Session can have is answered like that of a missing one.
 *
 * @since 0.1.0
 * @category options
 */
export const session = Options.text("session").pipe(
  Options.withPseudoName("ID"),
  Options.withDescription("The Session whose reminders are meant"),
  Options.map((text) => AnySessionId.make(text))
)

/**
 * @since 0.1.0
 * @category args
 */
export const task = Args.text({ name: "TASK" }).pipe(
  Args.withDescription("The id of a reminder, such as `list` shows it"),
  Args.map((text) => AnyScheduleId.make(text))
)

/**
 * Which storage backend holds the reminders, when both or none are in the home.
 *
 * @since 0.1.0
 * @category options
 */
export const storage = Options.choice("storage", ["sqlite", "json", "postgres"]).pipe(
  Options.withDescription(
    "Where reminders are kept (HOST_SCHEDULE_STORAGE; default: postgres with --database-url, else what is in the home, else sqlite)"
  ),
  Options.withFallbackConfig(Config.literal("sqlite", "json", "postgres")("HOST_SCHEDULE_STORAGE")),
  Options.optional
)

/**
 * The PostgreSQL database that holds the reminders. Others on this machine can see it here, password included, but not in the
 * environment or in `config.json`.
 *
 * @since 0.1.0
 * @category options
 */
export const databaseUrl = Options.text("database-url").pipe(
  Options.withPseudoName("URL"),
  Options.withDescription("postgres://user:password@host:port/database (HOST_SCHEDULE_DATABASE_URL)"),
  Options.withFallbackConfig(Config.nonEmptyString("HOST_SCHEDULE_DATABASE_URL")),
  Options.optional,
  Options.map(Option.getOrUndefined)
)

/**
 * Another text, which may be left out.
 *
 * @since 0.1.0
 * @category options
 */
export const text = (name: string, pseudoName: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(pseudoName),
    Options.withDescription(description),
    Options.optional,
    Options.map(Option.getOrUndefined)
  )

/**
 * A text that the environment may say, too.
 *
 * @since 0.1.0
 * @category options
 */
export const setting = (name: string, variable: string, pseudoName: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(pseudoName),
    Options.withDescription(`${description} (${variable})`),
    Options.withFallbackConfig(Config.string(variable)),
    Options.optional,
    Options.map(Option.getOrUndefined)
  )

/**
 * @since 0.1.0
 * @category options
 */
export const shards = setting(
  "shards",
  "HOST_SCHEDULE_SHARDS",
  "N",
  "How many parts a new database is divided into, among which Hosts are spread; default 32"
)

/**
 * What every command that talks to a Host takes.
 *
 * @since 0.1.0
 * @category options
 */
export const connection = { json, home, storage, databaseUrl }

/**
 * A decimal number; whatever else was written stays text, for the domain to refuse.
 *
 * @since 0.1.0
 * @category conversions
 */
export const number = (text: string): unknown => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text)
