/**
 * What `host-schedule` and `host-schedule --help` say: every command in a line.
 *
 * @since 0.1.0
 */
import type * as Text from "./Text.ts"

/**
 * @since 0.1.0
 * @category rendering
 */
export const render = (version: string, style: Text.Style): string =>
  [
    `${style.bold("host-schedule")} ${version}: durable reminders for agent Sessions`,
    ...groups.flatMap(([title, commands]) => [
      "",
      style.bold(title),
      ...commands.map(([usage, description]) => `  ${usage.padEnd(width)}  ${style.dim(description)}`)
    ]),
    "",
    `${style.bold("host-schedule COMMAND --help")} tells the flags of a command; every answer comes as JSON with ${style.bold("--json")}.`,
    `The home directory is ${style.bold("--home")}, else HOST_SCHEDULE_HOME, else ~/.host-schedule.`,
    `${style.bold("host-schedule --completions bash")} (or sh, zsh, fish) writes a completion script.`
  ].join("\n")

/**
 * Whether the arguments ask for the overview.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isAsked = (args: ReadonlyArray<string>): boolean =>
  args.length === 0 || (args.length === 1 && (args[0] === "--help" || args[0] === "-h" || args[0] === "help"))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const groups: ReadonlyArray<readonly [string, ReadonlyArray<readonly [usage: string, description: string]>]> = [
  [
    "Host",
    [
      ["serve", "run the Host: deliver reminders, answer clients"],
      ["url", "print a link that signs a browser in"],
      ["mcp --session ID", "give an agent program the reminder tools of a Session"],
      ["sdk", "serve one program over stdio, which delivers the reminders itself"]
    ]
  ],
  [
    "Reminders",
    [
      ["create --session ID --title T --prompt P …", "create a reminder"],
      ["list --session ID", "the active reminders of a Session"],
      ["catalog [--status active|inactive]", "the reminders of all Sessions"],
      ["watch [--count N]", "what is due next, live"],
      ["history --session ID TASK", "the saved deliveries of a reminder"],
      ["update --session ID TASK …", "change name, instruction or timing"],
      ["delete --session ID TASK", "delete a reminder with its deliveries"],
      ["delete-inactive", "delete all that have ended"],
      ["preview …", "the next occurrences of a rule"]
    ]
  ],
  [
    "When (one of)",
    [
      ["--after SECONDS", "once, from now"],
      ["--at INSTANT", "once, such as 2030-01-01T09:00:00+08:00"],
      ["--every SECONDS", "again and again, at least 60"],
      ["--daily HH:mm:ss --zone ZONE", "every day at a local time"],
      ["--weekly HH:mm:ss --weekdays 1,3 --zone ZONE", "on ISO weekdays, Monday 1 to Sunday 7"],
      ["--cron EXPRESSION --zone ZONE", "five fields, such as '*/15 9-17 * * 1-5'"]
    ]
  ],
  [
    "Sessions",
    [
      ["sessions", "list Sessions"],
      ["sessions new [--title T]", "create one and print its id"],
      ["sessions show ID", "show one with its log"],
      ["sessions archive ID [--stop]", "archive one; also rename, unarchive"],
      ["legacy-migrate --session ID", "recreate the reminders of its own log at the Host"]
    ]
  ],
  [
    "Store",
    [
      ["check [--repair]", "validate every row; move bad ones aside"],
      ["export [FILE]", "write all reminders as one JSON document"],
      ["import [FILE] [--merge]", "read such a document"]
    ]
  ]
]

const width = Math.max(...groups.flatMap(([, commands]) => commands.map(([usage]) => usage.length)))
