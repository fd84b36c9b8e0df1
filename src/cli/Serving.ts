/**
 * Running a Host until it is told to stop.
 *
 * @since 0.1.0
 */
import { join } from "node:path"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Shard from "../storage/Shard.ts"
import * as Storage from "../storage/Storage.ts"
import * as Backends from "../web/Backends.ts"
import * as Composition from "../web/Composition.ts"
import * as Drivers from "../web/Drivers.ts"
import * as Home from "../web/Home.ts"
import * as HostConfig from "../web/HostConfig.ts"
import { Login } from "../web/Login.ts"
import * as WebHost from "../web/WebHost.ts"
import * as WebServer from "../web/WebServer.ts"
import * as CliFailure from "./CliFailure.ts"
import * as ClusterServing from "./ClusterServing.ts"
import * as NumberFlag from "./NumberFlag.ts"
import * as Output from "./Output.ts"
import * as Progress from "./Progress.ts"
import * as Words from "./Words.ts"

/**
 * What the flags and the environment said.
 *
 * @since 0.1.0
 * @category models
 */
export interface Flags extends Backends.Flags {
  readonly home: string
  readonly host: string | undefined
  readonly port: string | undefined
  readonly driver: string | undefined
  readonly command: string | undefined
  readonly timeLimit: string | undefined
  readonly webhookUrl: string | undefined
  readonly legacyLocal: boolean
  readonly cluster: boolean
  readonly clusterHost: string | undefined
  readonly clusterPort: string | undefined
  readonly clusterLease: string | undefined
  readonly shards: string | undefined
  readonly sessions: string | undefined
}

/**
 * Starts a Host, prints one line with the URL that signs a browser in, and runs until the first signal; then it finishes
 * what was accepted and returns.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = (flags: Flags, json: boolean) =>
  Effect.gen(function* () {
    const home = yield* Home.open(flags.home)
    const config = yield* merged(flags, yield* HostConfig.load(home))
    const parts = {
      home,
      driver: yield* Drivers.layer(config),
      settings: HostConfig.layerSettings(config),
      legacyLocal: flags.legacyLocal
    }
    const { services, storage } = yield* config.cluster === true
      ? ClusterServing.make(config, parts)
      : Effect.map(Backends.choose(home, config), (storage) => ({
          storage: storage.kind,
          services: (progress: Progress.Tell) =>
            Composition.layerServing({
              ...parts,
              home: home.dir,
              heals: storage.kind === "postgres",
              domain: Storage.layer(storage, { progress })
            })
        }))
    const { host = "127.0.0.1", port = 7345 } = config
    const version = yield* Output.Version
    const layer = (progress: Progress.Tell) =>
      WebHost.layer({
        home,
        host,
        port,
        version,
        // the build puts the page beside the program
        page: join(import.meta.dirname, "../page"),
        services: services(progress)
      })
    const serving = Effect.gen(function* () {
      const context = yield* Progress.during("Validating", (progress) => Layer.build(layer(progress)))
      const url = yield* Effect.provide(WebServer.url(host), context)
      const code = yield* Context.get(context, Login).issue
      const signIn = `${url}/login?code=${code}`
      yield* Output.answer(
        json,
        { url, signIn, pid: process.pid, home: home.dir, storage },
        (style) => `${style.green("Ready:")} ${signIn}`
      )
      return yield* Effect.never
    })
    const signal = yield* Output.Signal
    yield* Effect.raceFirst(Effect.scoped(serving), signal)
  }).pipe(Output.withLogs(LogLevel.Info))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const merged = (flags: Flags, config: HostConfig.HostConfig) =>
  Effect.gen(function* () {
    const secret = yield* Effect.option(Config.nonEmptyString("HOST_SCHEDULE_WEBHOOK_SECRET"))
    const command = flags.command === undefined ? undefined : yield* Words.split(flags.command)
    const port = yield* NumberFlag.within("port", flags.port, [0, 65_535])
    const clusterPort = yield* NumberFlag.within("cluster-port", flags.clusterPort, [1, 65_535])
    const shards = yield* NumberFlag.within("shards", flags.shards, [1, Shard.maxCount])
    const driver = flags.driver === undefined ? undefined : yield* driverOf(flags.driver)
    return {
      ...config,
      ...defined({
        ...Backends.wanted(flags, config),
        host: flags.host,
        port,
        // a command or a URL says what is meant
        driver: driver ?? (command !== undefined ? "command" : flags.webhookUrl !== undefined ? "webhook" : undefined),
        driverCommand: command,
        driverTimeLimit: flags.timeLimit,
        webhookUrl: flags.webhookUrl,
        webhookSecret: Option.getOrUndefined(secret),
        cluster: flags.cluster || undefined,
        clusterHost: flags.clusterHost,
        clusterPort,
        clusterLease: flags.clusterLease,
        shards,
        sessions: flags.sessions
      })
    }
  })

const defined = (fields: Partial<HostConfig.HostConfig>): HostConfig.HostConfig =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const driverOf = (text: string): Effect.Effect<"inbox" | "command" | "webhook", CliFailure.CliFailure> =>
  text === "inbox" || text === "command" || text === "webhook"
    ? Effect.succeed(text)
    : CliFailure.refused("usage", `--driver must be inbox, command or webhook, not ${JSON.stringify(text)}`)
