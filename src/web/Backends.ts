/**
 * The embedded storage backends of a home.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as JsonDriver from "../storage/JsonDriver.ts"
import * as ScheduleDomain from "../storage/ScheduleDomain.ts"
import * as SqliteDriver from "../storage/SqliteDriver.ts"
import type { OpenError } from "../storage/StorageError.ts"
import { type Home, HomeUnusable, unusable } from "./Home.ts"
import type { Storage } from "./HostConfig.ts"

/**
 * The `schedule` domain of a home.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (home: Home, storage: Storage): Layer.Layer<ScheduleDomain.ScheduleDomain, OpenError> =>
  ScheduleDomain.layer(driver(home, storage))

/**
 * The driver of a home's backend.
 *
 * @since 0.1.0
 * @category constructors
 */
export const driver = (home: Home, storage: Storage) =>
  (storage === "json" ? JsonDriver : SqliteDriver).make({ directory: home.dir })

/**
 * The backend that was asked for, else the one whose file is in the home, else sqlite. With both files there, it has to be
 * asked for.
 *
 * @since 0.1.0
 * @category getters
 */
export const choose = (home: Home, wanted: Storage | undefined): Effect.Effect<Storage, HomeUnusable, FileSystem> =>
  Effect.gen(function* () {
    if (wanted !== undefined) return wanted
    const fs = yield* FileSystem
    const [sqlite, json] = yield* Effect.all([fs.exists(home.sqlite), fs.exists(home.json)]).pipe(
      Effect.mapError((error) => unusable(home.dir, error))
    )
    if (sqlite && json) {
      return yield* new HomeUnusable({
        message: `${home.dir} has both schedule.db and schedule.json; say which one holds the reminders with --storage`
      })
    }
    return json ? "json" : "sqlite"
  })
