/**
 * The choice of a backend: which kind, and in which directory.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import * as JsonDriver from "./JsonDriver.ts"
import * as MemoryDriver from "./MemoryDriver.ts"
import * as ScheduleDomain from "./ScheduleDomain.ts"
import type { ScheduleDriver } from "./ScheduleDriver.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import type { OpenError } from "./StorageError.ts"

/**
 * Where a `schedule` domain is stored: in `schedule.db` (sqlite) or `schedule.json` (json) of a directory, which is made with
 * mode 0700 when it is absent and has one owner at a time; or in memory, new and empty each time, for tests.
 *
 * @since 0.1.0
 * @category models
 */
export type Storage =
  | { readonly kind: "sqlite"; readonly directory: string }
  | { readonly kind: "json"; readonly directory: string }
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
