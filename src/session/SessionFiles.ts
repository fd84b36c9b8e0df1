/**
 * Where the logs of Sessions are, and how a new one comes to be.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type { Disk } from "./Disk.ts"
import * as LogLine from "./LogLine.ts"
import { SessionExists, SessionIoError } from "./SessionError.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import type { SessionHeader, SessionId } from "./SessionHeader.ts"
import { segment } from "./SessionPath.ts"

/**
 * The log file of a Session under the directory of all Sessions.
 *
 * @since 0.1.0
 * @category getters
 */
export const logPath = (root: string, id: SessionId): string => logPathOf(root, segment(id))

/**
 * The log file in a Session's directory.
 *
 * @since 0.1.0
 * @category getters
 */
export const logPathOf = (root: string, directory: string): string => join(root, directory, "session.jsonl")

/**
 * The names of the Sessions' directories; none when there is no root yet.
 *
 * @since 0.1.0
 * @category getters
 */
export const directories = (root: string): Effect.Effect<ReadonlyArray<string>, SessionIoError> =>
  io(root, async () => {
    const entries = await fs.readdir(root, { withFileTypes: true }).catch((error) => {
      if (hasCode(error, "ENOENT")) return []
      throw error
    })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  })

/**
 * The length of a log in bytes, and which file it is; `undefined` when there is none, as when its creation was cut short.
 *
 * @since 0.1.0
 * @category getters
 */
export const stat = (path: string): Effect.Effect<LogStat | undefined, SessionIoError> =>
  io(path, () =>
    fs.stat(path).then(
      ({ ino, size }) => ({ size, file: ino }),
      (error) => {
        if (hasCode(error, "ENOENT")) return undefined
        throw error
      }
    )
  )

/**
 * @since 0.1.0
 * @category models
 */
export interface LogStat {
  readonly size: number
  /** Another number is another file: the log was replaced. */
  readonly file: number
}

/**
 * Writes a new log with its first events. It appears under its name whole or not at all, and is durable when this returns.
 * Of two calls for one Session at once, in whatever processes, one makes it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const create = (
  disk: Disk["Type"],
  root: string,
  header: SessionHeader,
  seed: ReadonlyArray<SessionEvent>
): Effect.Effect<void, SessionExists | SessionIoError> => {
  const path = logPath(root, header.id)
  const draft = `${path}.${randomUUID()}.new`
  return Effect.gen(function* () {
    if ((yield* stat(path)) !== undefined) return yield* new SessionExists({ sessionId: header.id })
    const exists = yield* io(path, async () => {
      const made = await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if (made !== undefined) {
        if (made !== dirname(path)) await synced((done) => disk.syncDirectory(dirname(made), done))
        await synced((done) => disk.syncDirectory(root, done))
      }
      await writeWhole(disk, draft, Buffer.from([header, ...seed].map(LogLine.encode).join("")))
      if (!(await publish(draft, path))) return true
      // A log that the caller is told does not exist must not be there after all.
      await synced((done) => disk.syncDirectory(dirname(path), done)).catch(async (error) => {
        await fs.rm(path, { force: true })
        throw error
      })
      return false
    })
    if (exists) return yield* new SessionExists({ sessionId: header.id })
  }).pipe(Effect.uninterruptible)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const io = <A>(path: string, work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new SessionIoError({ path, cause }) })

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code

const synced = (sync: (done: (error: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => sync((error) => (error === null ? resolve() : reject(error))))

/** Gives a draft its name unless there is such a file; a rename would replace it. */
const publish = async (draft: string, path: string): Promise<boolean> => {
  try {
    await fs.link(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    // a file system without links
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].some((code) => hasCode(error, code))) throw error
    await fs.rename(draft, path)
    return true
  } finally {
    await fs.rm(draft, { force: true })
  }
}

const writeWhole = async (disk: Disk["Type"], path: string, bytes: Buffer): Promise<void> => {
  const file = await fs.open(path, "w", 0o600)
  try {
    for (let written = 0; written < bytes.length; ) {
      written += disk.write(file.fd, bytes.subarray(written), written)
    }
    await synced((done) => disk.sync(file.fd, done))
  } finally {
    await file.close()
  }
}
