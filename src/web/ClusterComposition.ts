/**
 * A Host of a cluster without its server: the shards that are given to it, and what it reads of the others.
 *
 * @since 0.1.0
 */
import type { SocketServerError } from "@effect/platform/SocketServer"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as ClusterHost from "../cluster/ClusterHost.ts"
import * as ClusterKey from "../cluster/ClusterKey.ts"
import type * as ClusterSessions from "../cluster/ClusterSessions.ts"
import * as ClusterSocket from "../cluster/ClusterSocket.ts"
import * as Outstanding from "../cluster/Outstanding.ts"
import * as PostgresChanges from "../cluster/PostgresChanges.ts"
import * as ShardRuntime from "../cluster/ShardRuntime.ts"
import { SessionClient } from "../remote/SessionClient.ts"
import * as SessionHandlers from "../remote/SessionHandlers.ts"
import { ScheduleConfig } from "../runtime/ScheduleConfig.ts"
import { AgentDriver } from "../session/AgentDriver.ts"
import * as InboxDriver from "../session/InboxDriver.ts"
import * as SessionsOnDisk from "../session/SessionsOnDisk.ts"
import * as Summaries from "../session/Summaries.ts"
import * as WorkspaceRegistry from "../session/WorkspaceRegistry.ts"
import * as OwnerLock from "../storage/OwnerLock.ts"
import type { PostgresDatabase } from "../storage/PostgresDatabase.ts"
import * as PostgresDriver from "../storage/PostgresDriver.ts"
import * as PostgresView from "../storage/PostgresView.ts"
import * as ScheduleDomain from "../storage/ScheduleDomain.ts"
import type { ScheduleDriver } from "../storage/ScheduleDriver.ts"
import * as Shard from "../storage/Shard.ts"
import * as Composition from "./Composition.ts"
import type { Home } from "./Home.ts"

/**
 * The Host cannot join the cluster. `message` says what to do.
 *
 * @since 0.1.0
 * @category errors
 */
export class CannotJoin extends Schema.TaggedError<CannotJoin>("host-schedule/web/CannotJoin")("CannotJoin", {
  message: Schema.String
}) {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Pick<ClusterSocket.Options, "host" | "port" | "lease"> {
  /** This Host's own: nobody else uses it. */
  readonly home: Home
  /** The directory of the Sessions' logs, which all Hosts see. */
  readonly sessions: string
  readonly database: PostgresDatabase
  /** How many shards a new database gets; another number than it has is refused. */
  readonly shards?: number | undefined
  readonly driver: Layer.Layer<AgentDriver>
  readonly settings: Layer.Layer<ScheduleConfig, ConfigError>
  readonly legacyLocal?: boolean | undefined
}

/**
 * The same services as a Host that is alone provides, over all shards: reminders and Sessions are changed by the Host that has
 * their shard, and read here.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { database, home, sessions: root } = options
      yield* OwnerLock.acquire(home.dir)
      const { shards: count, ...rows } = yield* PostgresView.make(database, { shards: options.shards })
      const summaries = yield* Effect.acquireRelease(Summaries.make(root, home.workspace), ({ save }) => save)
      const driver = Layer.succeed(AgentDriver, Context.get(yield* Layer.build(options.driver), AgentDriver))
      const settings = Layer.succeed(ScheduleConfig, Context.get(yield* Layer.build(options.settings), ScheduleConfig))

      const shard = (index: number) =>
        Layer.unwrapEffect(
          Effect.sync(() => {
            let token = 0
            const shard = told(PostgresDriver.make({ database, shard: { index, count } }), (known) => {
              token = known
            })
            return Composition.layerServing({
              home: home.dir,
              domain: ScheduleDomain.layer(shard),
              driver,
              settings,
              legacyLocal: options.legacyLocal,
              sessions: () => ({
                home: home.dir,
                root,
                summaries,
                share: { token, owns: (id) => Shard.of(id, count) === index }
              })
            })
          })
        )

      // Sessions as they are on disk; nothing here opens one for writing.
      const reading = SessionsOnDisk.layer({ home: home.dir, root, summaries }).pipe(
        Layer.provide([InboxDriver.layer, WorkspaceRegistry.layer])
      )
      const host = Layer.unwrapEffect(
        Effect.map(SessionReads, (sessions) =>
          ClusterHost.layer({ count, rows, sessions, open: ShardRuntime.open(shard) })
        )
      )
      const joined = Layer.merge(
        ClusterSocket.layer({ ...options, shards: count }),
        Layer.retry(ClusterKey.layer, ClusterSocket.together)
      ).pipe(Layer.provide(Layer.scoped(SqlClient.SqlClient, database.client)), Layer.mapError(cannotJoin(options)))
      return host.pipe(
        Layer.provide(Layer.effect(SessionReads, SessionClient).pipe(Layer.provide(SessionHandlers.layerClient))),
        Layer.provideMerge(reading),
        Layer.provide(joined),
        Layer.provide([Outstanding.layer, PostgresChanges.layer(database), settings])
      )
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** The reading half of the Sessions, under a name of its own beside the whole that the cluster provides. */
class SessionReads extends Context.Tag("host-schedule/web/ClusterComposition/SessionReads")<
  SessionReads,
  ClusterSessions.Reads
>() {}

/** The same driver, which tells the token of each opening. */
const told = (driver: ScheduleDriver, tell: (token: number) => void): ScheduleDriver => ({
  ...driver,
  inspect: Effect.map(driver.inspect, (inspection) => ({
    ...inspection,
    connect: Effect.tap(inspection.connect, ({ token }) =>
      token === undefined ? Effect.dieMessage("a shard has no token") : Effect.sync(() => tell(token))
    )
  }))
})

const cannotJoin =
  ({ database, host, port }: Options) =>
  (error: SocketServerError | SqlError | ClusterSocket.AddressTaken): CannotJoin => {
    if (error._tag === "AddressTaken") return new CannotJoin({ message: error.message })
    const code = Predicate.hasProperty(error.cause, "code") ? String(error.cause.code) : String(error.cause)
    if (error._tag === "SqlError") {
      return new CannotJoin({ message: `cannot join the cluster: ${database.name} does not answer (${code})` })
    }
    return new CannotJoin({
      message:
        code === "EADDRINUSE"
          ? `port ${port} of ${host} is in use; choose another with --cluster-port`
          : `cannot listen on ${host}:${port} (${code}); --cluster-host is this machine's address in the cluster`
    })
  }
