/**
 * The json backend: one readable document, `<directory>/schedule.json`, that every write replaces whole. All rows are in memory.
 *
 * @since 0.1.0
 */
import { join, resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import * as DurableFile from "./DurableFile.ts"
import * as JsonDocument from "./JsonDocument.ts"
import * as MemoryDriver from "./MemoryDriver.ts"
import * as OwnerLock from "./OwnerLock.ts"
import type { ScheduleDriver, StoredRow } from "./ScheduleDriver.ts"
import { DomainMalformed, type OpenError } from "./StorageError.ts"
import { TaskTable } from "./TaskTable.ts"

/**
 * A driver on the document of a directory, which is created with the first write. `fileSystem` is for tests that inject faults.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  directory,
  fileSystem = NodeFileSystem.layer
}: {
  readonly directory: string
  readonly fileSystem?: Layer.Layer<FileSystem.FileSystem>
}): ScheduleDriver => {
  const filename = join(resolve(directory), "schedule.json")
  const persist = (rows: Iterable<readonly [key: string, value: unknown]>) =>
    Effect.uninterruptible(Effect.provide(DurableFile.replace(filename, JsonDocument.render(rows)), fileSystem))
  return {
    name: filename,
    lock: OwnerLock.acquire(resolve(directory)),
    inspect: Effect.map(Effect.provide(read(filename), fileSystem), (rows) => ({
      total: rows.length,
      rows: Stream.succeed(rows),
      abridged: Stream.succeed(rows),
      integrity: Effect.succeed([]),
      discard: (discarded) => {
        const kept = rows.filter((row) => !discarded.includes(row))
        return persist(kept.map(({ key, value }) => [key, value] as const))
      },
      connect: Effect.sync(() => {
        // validated above
        const table = new TaskTable(rows.map(({ value }) => value as ScheduleTask))
        return MemoryDriver.connection(table, (change) => persist(table.rowsAfter(change)))
      })
    }))
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const read = (filename: string): Effect.Effect<ReadonlyArray<StoredRow>, OpenError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.readFile(filename)),
    Effect.mapError((cause) => new DomainMalformed({ message: `${filename} cannot be read: ${cause.message}`, cause })),
    Effect.flatMap((bytes) => JsonDocument.decode(filename, bytes)),
    Effect.catchIf(
      (error) => error._tag === "DomainMalformed" && isNotFound(error.cause),
      () => Effect.succeed([])
    )
  )

const isNotFound = (cause: unknown): boolean => Object(cause).reason === "NotFound"
