/**
 * The few file operations that a Session's log is written with, so that tests can make them fail.
 *
 * @since 0.1.0
 */
import * as fs from "node:fs"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
 * All but the syncs run at once, because they end in the system's cache; they throw what the system throws.
 *
 * @since 0.1.0
 * @category services
 */
export class Disk extends Context.Tag("host-schedule/session/Disk")<
  Disk,
  {
    /** Opens a file that is there for writing. */
    readonly open: (path: string) => number
    /** Writes at a position; answers how many bytes were taken, which may be fewer. */
    readonly write: (file: number, bytes: Uint8Array, position: number) => number
    readonly truncate: (file: number, size: number) => void
    /** Calls back once everything written to the file, and its size, survives a power failure. */
    readonly sync: (file: number, done: (error: Error | null) => void) => void
    readonly close: (file: number) => void
    /** Calls back once the names in a directory survive a power failure. */
    readonly syncDirectory: (path: string, done: (error: Error | null) => void) => void
  }
>() {}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Disk> = Layer.succeed(Disk, {
  open: (path) => fs.openSync(path, fs.constants.O_WRONLY),
  write: (file, bytes, position) => fs.writeSync(file, bytes, 0, bytes.length, position),
  truncate: (file, size) => fs.ftruncateSync(file, size),
  sync: (file, done) => fs.fdatasync(file, done),
  close: (file) => fs.closeSync(file),
  syncDirectory: (path, done) => {
    // Windows keeps directories durable by itself and cannot open them.
    if (process.platform === "win32") return done(null)
    fs.open(path, "r", (failed, directory) => {
      if (failed) return done(failed)
      fs.fsync(directory, (error) => fs.close(directory, () => done(error)))
    })
  }
})
