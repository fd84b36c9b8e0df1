/**
 * The json backend: one readable document, `<directory>/schedule.json`, that every write replaces whole. All rows are in memory.
 *
 * @since 0.1.0
 */
import { dirname, join, resolve } from "node:path"
import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import * as JsonDocument from "./JsonDocument.ts"
import * as MemoryDriver from "./MemoryDriver.ts"
import * as OwnerLock from "./OwnerLock.ts"
import type { ScheduleDriver, StoredRow, WriteError } from "./ScheduleDriver.ts"
import { DomainMalformed, type OpenError, StorageFailure, StorageUnknownState } from "./StorageError.ts"
import { type Change, TaskTable } from "./TaskTable.ts"

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
  return {
    name: filename,
    lock: OwnerLock.acquire(resolve(directory)),
    inspect: Effect.map(Effect.provide(read(filename), fileSystem), (rows) => ({
      total: rows.length,
      rows: Stream.succeed(rows),
      connect: Effect.sync(() => {
        // validated above
        const table = new TaskTable(rows.map(({ value }) => value as ScheduleTask))
        return MemoryDriver.connection(table, (change) => Effect.provide(replace(filename, table, change), fileSystem))
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

/** Replaces the document in one step: until the rename it is the old one, and after the directory is on disk the new one. */
const replace = (
  filename: string,
  table: TaskTable,
  change: Change
): Effect.Effect<void, WriteError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const temporary = `${filename}.tmp`
    const text = [...JsonDocument.render(table.rowsAfter(change))].join("")
    yield* writeDurably(fs, temporary, new TextEncoder().encode(text)).pipe(
      Effect.tapError(() => Effect.ignore(fs.remove(temporary, { force: true }))),
      Effect.mapError((cause) => new StorageFailure({ message: `cannot write ${temporary}: ${cause.message}`, cause }))
    )
    yield* fs.rename(temporary, filename).pipe(
      Effect.zipRight(Effect.scoped(Effect.flatMap(fs.open(dirname(filename), { flag: "r" }), (file) => file.sync))),
      Effect.mapError(
        (cause) =>
          new StorageUnknownState({ message: `${filename} may or may not have been replaced: ${cause.message}`, cause })
      )
    )
  })

const writeDurably = (fs: FileSystem.FileSystem, path: string, bytes: Uint8Array) =>
  Effect.scoped(
    Effect.flatMap(fs.open(path, { flag: "w", mode: 0o600 }), (file) =>
      Effect.zipRight(file.writeAll(bytes), file.sync)
    )
  )
