/**
 * Files that are whole and on disk when a write returns.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { StorageFailure, StorageUnknownState } from "./StorageError.ts"

/**
 * Writes a new file, readable by its owner only. Fails, and leaves no file of its own, when there is one or it cannot be written.
 *
 * @since 0.1.0
 * @category operations
 */
export const create = (path: string, text: string): Effect.Effect<void, StorageFailure, FileSystem.FileSystem> =>
  Effect.mapError(
    Effect.zipRight(write(path, text, "wx"), syncDirectory(path)),
    (cause) => new StorageFailure({ message: `cannot write ${path}: ${cause.message}`, cause })
  )

/**
 * Replaces a file in one step: it has the old content until the rename, and the new one for certain when its directory is on
 * disk too. Between the two nobody can know, so a failure there is a {@link StorageUnknownState}; before, nothing has changed.
 *
 * @since 0.1.0
 * @category operations
 */
export const replace = (
  path: string,
  text: string
): Effect.Effect<void, StorageFailure | StorageUnknownState, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const temporary = `${path}.tmp`
    yield* write(temporary, text, "w").pipe(
      Effect.tapError(() => Effect.ignore(fs.remove(temporary, { force: true }))),
      Effect.mapError((cause) => new StorageFailure({ message: `cannot write ${temporary}: ${cause.message}`, cause }))
    )
    yield* Effect.mapError(
      Effect.zipRight(fs.rename(temporary, path), syncDirectory(path)),
      (cause) =>
        new StorageUnknownState({ message: `${path} may or may not have been replaced: ${cause.message}`, cause })
    )
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const write = (path: string, text: string, flag: "w" | "wx") =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.scoped(
      Effect.flatMap(fs.open(path, { flag, mode: 0o600 }), (file) =>
        Effect.zipRight(file.writeAll(new TextEncoder().encode(text)), file.sync)
      )
    )
  )

const syncDirectory = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.scoped(Effect.flatMap(fs.open(dirname(path), { flag: "r" }), (directory) => directory.sync))
  )
