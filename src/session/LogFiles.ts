/**
 * Open log files, a bounded number of them.
 *
 * @since 0.1.0
 */
import type { Disk } from "./Disk.ts"

/**
 * Hands out file descriptors by path and keeps up to `capacity` of them open for their next use, the least recently used
 * going first. More are open only while more are in use.
 *
 * @since 0.1.0
 * @category models
 */
export interface LogFiles {
  readonly disk: Disk["Type"]
  /** Opens the file if need be and keeps it open until `release` or `discard`. Throws what the system throws. */
  readonly acquire: (path: string) => number
  readonly release: (path: string) => void
  /** Closes the file, in use or not, so that the next `acquire` opens it anew. */
  readonly discard: (path: string) => void
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (disk: Disk["Type"], capacity: number): LogFiles => {
  const used = new Map<string, number>()
  // In the order of their last use.
  const unused = new Map<string, number>()

  const close = (file: number) => {
    try {
      disk.close(file)
    } catch {
      // What was acknowledged is on disk already, so that a failing close loses nothing.
    }
  }

  return {
    disk,
    acquire: (path) => {
      const file = unused.get(path) ?? disk.open(path)
      unused.delete(path)
      used.set(path, file)
      return file
    },
    release: (path) => {
      const file = used.get(path)
      if (file === undefined) return
      used.delete(path)
      unused.set(path, file)
      for (const [oldest, oldestFile] of unused) {
        if (used.size + unused.size <= capacity) break
        unused.delete(oldest)
        close(oldestFile)
      }
    },
    discard: (path) => {
      const file = used.get(path) ?? unused.get(path)
      used.delete(path)
      unused.delete(path)
      if (file !== undefined) close(file)
    }
  }
}
