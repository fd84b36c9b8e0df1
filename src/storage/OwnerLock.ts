/**
 * One owner of a home directory at a time: the file `host.lock`.
 *
 * The file is a small SQLite database, and owning it is a lock of the operating system on it. So a dead owner's lock is gone
 * with its process: there is no stale lock to judge by a process id, which another program may have by now, and no
 * moment in which two that judge it alike both take it over. The file names its owner and stays when the owner leaves.
 *
 * @since 0.1.0
 */
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Instant from "../domain/Instant.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqliteFile from "./SqliteFile.ts"
import { DomainAlreadyOpen, type StorageFailure } from "./StorageError.ts"

/**
 * Owns a directory for the life of the scope, creating it with mode 0700 when it is absent. Fails at once with
 * {@link DomainAlreadyOpen}, which names the owner, while another process or another scope of this one owns it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const acquire = (directory: string): Effect.Effect<void, DomainAlreadyOpen | StorageFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const filename = join(directory, "host.lock")
    yield* Effect.try({
      try: () => create(directory, filename),
      catch: SqlConnection.failure(`cannot create ${filename}`)
    })
    // Only a rollback journal lets others read the owner's name while the lock is held.
    const file = yield* SqliteFile.open({ filename })
    const take = Effect.catchIf(
      file.run("BEGIN IMMEDIATE"),
      (error) => SqlConnection.code(error) === "SQLITE_BUSY",
      () => Effect.flatMap(readOwner(file), (owner) => refusal(directory, owner))
    )
    yield* file.run("PRAGMA busy_timeout = 0")
    yield* take
    // Naming the owner takes a commit, and that lets go of the lock for a moment. Of those that take it in such moments, the
    // last to name itself finds nobody in its way, and the others find somebody.
    yield* sign(file)
    yield* take
  }).pipe(Effect.catchTag("SqlError", SqlConnection.failure(`cannot lock ${directory}`)))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const create = (directory: string, filename: string): void => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Never open a file that is there: closing it again would drop this process's lock on it.
  if (existsSync(filename)) return
  try {
    closeSync(openSync(filename, "ax", 0o600))
  } catch (cause) {
    if (!existsSync(filename)) throw cause
  }
}

/** Writes down this process as the owner; it waits for those who are reading who that is. */
const sign = (file: SqliteFile.SqliteFile) => {
  const startedAt = Instant.format(Math.floor(performance.timeOrigin))
  return Effect.all(
    [
      file.run("CREATE TABLE IF NOT EXISTS owner (pid INTEGER, started_at TEXT, host TEXT)"),
      file.run("DELETE FROM owner"),
      file.run("INSERT INTO owner VALUES (?, ?, ?)", [process.pid, startedAt, hostname()]),
      file.run("PRAGMA busy_timeout = 5000"),
      file.run("COMMIT"),
      file.run("PRAGMA busy_timeout = 0")
    ],
    { discard: true }
  )
}

const readOwner = (file: SqliteFile.SqliteFile) =>
  file.rows("SELECT pid, started_at, host FROM owner").pipe(
    Effect.map(([owner]) => owner),
    // a process that has not signed yet
    Effect.orElseSucceed(() => undefined)
  )

const refusal = (directory: string, owner: ReadonlyArray<unknown> | undefined) => {
  const [pid, startedAt, host] = owner ?? []
  const who = owner === undefined ? "another process" : `process ${pid} on ${host}, started ${startedAt}`
  return new DomainAlreadyOpen({ message: `${directory} is in use by ${who}` })
}
