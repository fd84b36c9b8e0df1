/**
 * Which storage a home has.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Storage } from "../storage/Storage.ts"
import { type Home, HomeUnusable, unusable } from "./Home.ts"
import type { Storage as Kind } from "./HostConfig.ts"

/**
 * The backend that was asked for, else the one whose file is in the home, else sqlite. With both files there, it has to be
 * asked for.
 *
 * @since 0.1.0
 * @category getters
 */
export const choose = (
  home: Home,
  wanted: Kind | undefined
): Effect.Effect<Exclude<Storage, { readonly kind: "memory" }>, HomeUnusable, FileSystem> =>
  Effect.gen(function* () {
    if (wanted !== undefined) return { kind: wanted, directory: home.dir }
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
