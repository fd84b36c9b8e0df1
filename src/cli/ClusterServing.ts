/**
 * What a Host of a cluster serves, from its configuration.
 *
 * @since 0.1.0
 */
import { resolve } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PostgresDatabase from "../storage/PostgresDatabase.ts"
import * as Backends from "../web/Backends.ts"
import type { Options } from "../web/ClusterComposition.ts"
import { type HostConfig, HostConfigInvalid } from "../web/HostConfig.ts"

/**
 * The port at which Hosts of a cluster talk to each other, unless another is chosen.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultPort = 7346

/**
 * The services of a Host that joins the cluster of a database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (config: HostConfig, parts: Pick<Options, "home" | "driver" | "settings" | "legacyLocal">) =>
  Effect.gen(function* () {
    if (config.storage !== undefined && config.storage !== "postgres") {
      return yield* new HostConfigInvalid({
        message: `a cluster keeps its reminders in PostgreSQL; leave ${config.storage} out, or --cluster`
      })
    }
    const storage = yield* Backends.choose(parts.home, { databaseUrl: config.databaseUrl, storage: "postgres" })
    if (storage.kind !== "postgres") return yield* Effect.dieMessage("a cluster is over PostgreSQL")
    const lease = yield* leaseOf(config.clusterLease)
    // only who needs it pays for loading the cluster
    const ClusterComposition = yield* Effect.promise(() => import("../web/ClusterComposition.ts"))
    const services = ClusterComposition.layer({
      ...parts,
      database: PostgresDatabase.make({ url: storage.url, maxConnections: 20 }),
      sessions: resolve(config.sessions ?? parts.home.sessions),
      host: config.clusterHost ?? "127.0.0.1",
      port: config.clusterPort ?? defaultPort,
      shards: config.shards,
      lease
    })
    return { services: () => services, storage: "postgres" as const }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** The server compares leases by the second. */
const leaseOf = (text: string | undefined): Effect.Effect<Duration.Duration | undefined, HostConfigInvalid> => {
  if (text === undefined) return Effect.succeed(undefined)
  return Option.match(Duration.decodeUnknown(text), {
    onNone: () => invalidLease(text),
    onSome: (lease) => {
      const seconds = Duration.toSeconds(lease)
      return Number.isInteger(seconds) && seconds >= 2 && seconds <= 300 ? Effect.succeed(lease) : invalidLease(text)
    }
  })
}

const invalidLease = (text: string) =>
  new HostConfigInvalid({
    message: `--cluster-lease must be a whole number of seconds from 2 to 300, such as "5 seconds", not ${JSON.stringify(text)}`
  })
