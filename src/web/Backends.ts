/**
 * Which storage a home has.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as PostgresDatabase from "../storage/PostgresDatabase.ts"
import type { Storage } from "../storage/Storage.ts"
import { type Home, HomeUnusable, unusable } from "./Home.ts"
import { type HostConfig, HostConfigInvalid, type Storage as Kind } from "./HostConfig.ts"

/**
 * What flags and environment say.
 *
 * @since 0.1.0
 * @category models
 */
export interface Flags {
  readonly storage: Option.Option<Kind>
  readonly databaseUrl: string | undefined
}

type Wanted = Pick<HostConfig, "storage" | "databaseUrl" | "shards">

/**
 * What flags and environment say, else the configuration. Naming a database says that it is meant.
 *
 * @since 0.1.0
 * @category getters
 */
export const wanted = ({ databaseUrl, storage }: Flags, config: Wanted): Wanted => ({
  storage: Option.getOrElse(storage, () => (databaseUrl === undefined ? config.storage : "postgres")),
  databaseUrl: databaseUrl ?? config.databaseUrl,
  shards: config.shards
})

/**
 * The backend that was asked for, else a database if one was named, else the one whose file is in the home, else sqlite. With both
 * files there, it has to be asked for.
 *
 * @since 0.1.0
 * @category getters
 */
export const choose = (
  home: Home,
  { databaseUrl, shards, storage }: Wanted
): Effect.Effect<Exclude<Storage, { readonly kind: "memory" }>, HomeUnusable | HostConfigInvalid, FileSystem> =>
  Effect.gen(function* () {
    const kind = storage ?? (databaseUrl === undefined ? undefined : "postgres")
    if (kind === "postgres") return { kind, directory: home.dir, url: yield* urlOf(databaseUrl), shards }
    if (kind !== undefined) return { kind, directory: home.dir }
    const fs = yield* FileSystem
    const [sqlite, json] = yield* Effect.all([fs.exists(home.sqlite), fs.exists(home.json)]).pipe(
      Effect.mapError((error) => unusable(home.dir, error))
    )
    if (sqlite && json) {
      return yield* new HomeUnusable({
        message: `${home.dir} has both schedule.db and schedule.json; say which one holds the reminders with --storage`
      })
    }
    return { kind: json ? "json" : "sqlite", directory: home.dir }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** What was written is not told again: it may have a password in it. */
const urlOf = (text: string | undefined) =>
  text !== undefined && PostgresDatabase.isUrl(text)
    ? Effect.succeed(Redacted.make(text))
    : new HostConfigInvalid({
        message: `${text === undefined ? "postgres needs a database URL" : "that is no database URL"}; write --database-url postgres://user:password@host:port/database`
      })
