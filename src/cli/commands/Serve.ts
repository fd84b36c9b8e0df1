/**
 * `host-schedule serve`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Flags from "../Flags.ts"

const { setting } = Flags

/**
 * Runs until it is told to stop. Flags come before the environment, which comes before `config.json` of the home.
 *
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "serve",
  {
    json: Flags.json,
    home: Flags.home,
    storage: Flags.storage,
    databaseUrl: Flags.databaseUrl,
    host: setting("host", "HOST_SCHEDULE_HOST", "ADDRESS", "Where to listen; default 127.0.0.1, this machine only"),
    port: setting("port", "HOST_SCHEDULE_PORT", "PORT", "Default 7345; 0 takes any free one"),
    driver: setting(
      "driver",
      "HOST_SCHEDULE_DRIVER",
      "inbox|command|webhook",
      "What Agents do with a message; default inbox"
    ),
    command: setting(
      "command",
      "HOST_SCHEDULE_COMMAND",
      "LINE",
      "What the driver command runs per message, without a shell"
    ),
    timeLimit: setting(
      "time-limit",
      "HOST_SCHEDULE_TIME_LIMIT",
      "TIME",
      "How long one message may take, such as '10 minutes'"
    ),
    legacyLocal: Options.boolean("legacy-local").pipe(
      Options.withDescription("Run the reminders that live Sessions keep in their own logs, too")
    ),
    webhookUrl: setting("webhook-url", "HOST_SCHEDULE_WEBHOOK_URL", "URL", "Where the driver webhook posts messages"),
    cluster: Options.boolean("cluster").pipe(
      Options.withDescription("Be one of several Hosts over one PostgreSQL database")
    ),
    clusterHost: setting(
      "cluster-host",
      "HOST_SCHEDULE_CLUSTER_HOST",
      "ADDRESS",
      "Where the other Hosts reach this one; default 127.0.0.1. Keep it in a private network"
    ),
    clusterPort: setting("cluster-port", "HOST_SCHEDULE_CLUSTER_PORT", "PORT", "Default 7346"),
    clusterLease: setting(
      "cluster-lease",
      "HOST_SCHEDULE_CLUSTER_LEASE",
      "TIME",
      "How long a Host that says nothing keeps its shards, the same on all Hosts; default '5 seconds'"
    ),
    shards: Flags.shards,
    sessions: setting(
      "sessions",
      "HOST_SCHEDULE_SESSIONS",
      "DIR",
      "The directory of Sessions that all Hosts of the cluster see; default sessions/ in the home"
    )
  },
  ({ json, ...flags }) =>
    Effect.gen(function* () {
      const serve = yield* Effect.promise(() => import("../Serving.ts"))
      return yield* serve.run(flags, json)
    })
).pipe(Command.withDescription("Run the Host of a home: deliver its reminders, answer its clients"))
