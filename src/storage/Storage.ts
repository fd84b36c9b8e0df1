/**
 * The choice of a backend: which kind, and where.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as JsonDriver from "./JsonDriver.ts"
import * as MemoryDriver from "./MemoryDriver.ts"
import * as OwnerLock from "./OwnerLock.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"
import * as PostgresDriver from "./PostgresDriver.ts"
import * as ScheduleDomain from "./ScheduleDomain.ts"
import type { ScheduleDriver } from "./ScheduleDriver.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import type { OpenError } from "./StorageError.ts"

/**
 * Where a `schedule` domain is stored: in `schedule.db` (sqlite) or `schedule.json` (json) of a directory, which is made with
 * mode 0700 when it is absent and has one owner at a time; in a PostgreSQL database, whose owner owns a directory too, for what else
 * a Host keeps; or in memory, new and empty each time, for tests.
 *
 * @since 0.1.0
 * @category models
 */
export type Storage =
  | { readonly kind: "sqlite"; readonly directory: string }
  | { readonly kind: "json"; readonly directory: string }
  | {
      readonly kind: "postgres"
      readonly directory: string
      /** See `PostgresDatabase.Options`. */
      readonly url: Redacted.Redacted
      /** See `PostgresDriver.Options`. */
      readonly shards?: number | undefined
    }
  | { readonly kind: "memory" }

/**
 * @since 0.1.0
 * @category constructors
 */
export const driver = (storage: Storage): ScheduleDriver => {
  switch (storage.kind) {
    case "sqlite":
      return SqliteDriver.make(storage)
    case "json":
      return JsonDriver.make(storage)
    case "postgres": {
      const driver = PostgresDriver.make({ database: PostgresDatabase.make(storage), shards: storage.shards })
      return { ...driver, lock: Effect.zipRight(OwnerLock.acquire(storage.directory), driver.lock) }
    }
    case "memory":
      return MemoryDriver.make()
  }
}

/**
 * The domain of a storage, validated and open; it closes with the layer. `options.progress` is told how many of how many rows
 * have been validated.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  storage: Storage,
  options?: ScheduleDomain.OpenOptions
): Layer.Layer<ScheduleDomain.ScheduleDomain, OpenError> =>
  Layer.suspend(() => ScheduleDomain.layer(driver(storage), options))
