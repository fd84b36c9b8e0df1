/**
 * Taking a Session's log over from another process that may still be writing to it.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import { readdirSync } from "node:fs"
import * as fs from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type { Disk } from "./Disk.ts"
import { SessionIoError } from "./SessionError.ts"

/**
 * What one process holds of logs that several write to in turn. Whoever writes has a token, which is greater than those of all
 * who wrote before; a process that was paused, or cut off, does not know that there is a greater one.
 *
 * A claim announces its token beside the log (`claim.<token>`), removes the drafts of everyone before, copies the log, and
 * renames the copy over it. So:
 * 1. what a former owner was told is on disk is in the copy: after each sync he looks for a greater claim, and what was
 *    synced before there was one was in the log before it was copied;
 * 2. what he writes later goes to the file that was replaced, and nobody reads it: he looks for a greater claim after opening
 *    a file too, before he writes to it;
 * 3. he replaces no log by an old copy: he looked for a greater claim after he had made his draft, so whoever claims later
 *    removes the draft, and it cannot be renamed any more.
 *
 * @since 0.1.0
 * @category models
 */
export interface LogClaim {
  /** The disk, on which files open and syncs succeed only while nobody has claimed the log since. */
  readonly disk: Disk["Type"]
  /** Takes a log over before it is read; once is enough. An absent log stays absent. */
  readonly take: (path: string) => Effect.Effect<void, SessionIoError>
}

/**
 * Tokens are positive integers below 2⁵³.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (disk: Disk["Type"], token: number): LogClaim => {
  const taken = new Set<string>()
  const opened = new Map<number, string>()
  const isPast = (names: ReadonlyArray<string>) => names.some((name) => (tokenOf("claim", name) ?? 0) > token)

  return {
    disk: {
      ...disk,
      open: (path) => {
        const file = disk.open(path)
        if (isPast(readdirSync(dirname(path)))) {
          disk.close(file)
          throw new TakenOver()
        }
        opened.set(file, dirname(path))
        return file
      },
      sync: (file, done) =>
        disk.sync(file, (error) => {
          const directory = opened.get(file)
          if (error !== null || directory === undefined) return done(error)
          fs.readdir(directory).then(
            (names) => done(isPast(names) ? new TakenOver() : null),
            (error) => done(error)
          )
        }),
      close: (file) => {
        opened.delete(file)
        disk.close(file)
      }
    },
    take: (path) =>
      taken.has(path)
        ? Effect.void
        : Effect.uninterruptible(
            Effect.tryPromise({
              try: () => claim(disk, path, token, isPast),
              catch: (cause) => new SessionIoError({ path, cause })
            })
          ).pipe(Effect.zipRight(Effect.sync(() => taken.add(path))))
  }
}

/**
 * Another process has claimed the log with a greater token.
 *
 * @since 0.1.0
 * @category errors
 */
export class TakenOver extends Error {
  override readonly message = "another Host has taken the Session over"
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const claim = async (
  disk: Disk["Type"],
  path: string,
  token: number,
  isPast: (names: ReadonlyArray<string>) => boolean
): Promise<void> => {
  const directory = dirname(path)
  if (await isMissing(path)) return
  const draft = join(directory, `draft.${token}.${randomUUID()}`)
  const copy = await fs.open(draft, "wx", 0o600)
  try {
    await (await fs.open(join(directory, `claim.${token}`), "a", 0o600)).close()
    const names = await fs.readdir(directory)
    if (isPast(names)) throw new TakenOver()
    for (const name of names) {
      const other = tokenOf("draft", name)
      if (other !== undefined && other <= token && join(directory, name) !== draft) await remove(join(directory, name))
    }
    await copyTo(disk, path, copy.fd)
    await fs.rename(draft, path).catch((error) => {
      throw hasCode(error, "ENOENT") ? new TakenOver() : error
    })
    await synced((done) => disk.syncDirectory(directory, done))
    for (const name of names) {
      if ((tokenOf("claim", name) ?? token) < token) await remove(join(directory, name))
    }
  } catch (error) {
    await remove(draft)
    if (error instanceof TakenOver) await remove(join(directory, `claim.${token}`))
    throw error
  } finally {
    await copy.close()
  }
}

const copyTo = async (disk: Disk["Type"], path: string, target: number): Promise<void> => {
  const source = await fs.open(path, "r")
  try {
    const buffer = Buffer.allocUnsafe(chunkSize)
    for (let position = 0; ; ) {
      const { bytesRead } = await source.read(buffer, 0, chunkSize, position)
      if (bytesRead === 0) break
      for (let written = 0; written < bytesRead; ) {
        written += disk.write(target, buffer.subarray(written, bytesRead), position + written)
      }
      position += bytesRead
    }
    await synced((done) => disk.sync(target, done))
  } finally {
    await source.close()
  }
}

const chunkSize = 256 * 1024

const synced = (sync: (done: (error: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => sync((error) => (error === null ? resolve() : reject(error))))

const tokenOf = (kind: "claim" | "draft", name: string): number | undefined => {
  const [first, token] = name.split(".")
  return first === kind && token !== undefined && /^\d+$/.test(token) ? Number(token) : undefined
}

const remove = (path: string) => fs.rm(path, { force: true })

const isMissing = (path: string) =>
  fs.stat(path).then(
    () => false,
    (error) => {
      if (hasCode(error, "ENOENT")) return true
      throw error
    }
  )

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code
