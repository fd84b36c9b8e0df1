/**
 * The sqlite backend: `<directory>/schedule.db`, in WAL mode with `synchronous = FULL`, so that a commit that returned survives
 * the loss of power. Nothing keeps the table in memory.
 *
 * @since 0.1.0
 */
import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as OwnerLock from "./OwnerLock.ts"
import type { DriverConnection, Inspection, ScheduleDriver, StoredRow } from "./ScheduleDriver.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqliteCounts from "./SqliteCounts.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqliteSchema from "./SqliteSchema.ts"
import * as SqlReads from "./SqlReads.ts"
import * as SqlRows from "./SqlRows.ts"
import * as SqlWrites from "./SqlWrites.ts"

/**
 * A driver on the database of a directory, which is created when it is opened for work. `decorate` is for tests that inject
 * faults.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  decorate,
  directory
}: {
  readonly directory: string
  readonly decorate?: Decorate
}): ScheduleDriver => {
  const filename = join(resolve(directory), "schedule.db")
  let owned = false
  return {
    name: filename,
    lock: Effect.zipRight(
      OwnerLock.acquire(resolve(directory)),
      Effect.acquireRelease(
        Effect.sync(() => {
          owned = true
        }),
        () =>
          Effect.sync(() => {
            owned = false
          })
      )
    ),
    inspect: Effect.suspend(() => {
      if (!existsSync(filename)) return Effect.succeed(absent(filename, decorate))
      return Effect.zipRight(owned ? tidyAfterRefusal(filename) : Effect.void, inspectFile(filename, decorate))
    })
  }
}

/**
 * The operations on an open file.
 *
 * @since 0.1.0
 * @category constructors
 */
export const connection = (file: SqliteFile.SqliteFile): DriverConnection => ({
  ...SqlReads.make(file),
  ...SqlWrites.make(file),
  rows: Stream.mapError(SqlRows.whole(file), SqlConnection.failure("cannot read"))
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Decorate = ((execute: SqlConnection.Execute) => SqlConnection.Execute) | undefined

const absent = (filename: string, decorate: Decorate): Inspection => ({
  total: 0,
  rows: Stream.empty,
  abridged: Stream.empty,
  integrity: Effect.succeed([]),
  connect: Effect.map(openForWork(filename, decorate), connection),
  discard: () => Effect.void
})

const openForWork = (filename: string, decorate: Decorate) =>
  Effect.gen(function* () {
    yield* Effect.try({ try: () => create(filename), catch: SqlConnection.failure(`cannot create ${filename}`) })
    yield* SqliteSchema.migrate(filename)
    const file = yield* SqliteFile.open({ filename, decorate })
    yield* Effect.forEach(pragmas, (pragma) => file.run(`PRAGMA ${pragma}`))
    yield* SqliteCounts.start(file)
    return file
  }).pipe(Effect.catchTag("SqlError", SqlConnection.failure(`cannot open ${filename}`)))

// Milliseconds to wait for another program's write, bytes that the log keeps after a large one.
const pragmas = [
  "busy_timeout = 2000",
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  "journal_size_limit = 67108864",
  "wal_autocheckpoint = 16384",
  "cache_size = -65536"
]

/** SQLite would create the file readable by everybody; its log takes the mode of the file. */
const create = (filename: string) => {
  if (!existsSync(filename)) closeSync(openSync(filename, "ax", 0o600))
}

const inspectFile = (filename: string, decorate: Decorate) =>
  Effect.gen(function* () {
    // Closed before the file is opened for work: what is closed last, and may write, leaves no log behind.
    const reading = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    const file = yield* Scope.extend(SqliteFile.open({ filename, readonly: true }), reading)
    // One transaction for all reads: one state of the file, whatever its owner writes meanwhile.
    yield* file.run("BEGIN")
    const tasks = yield* SqliteSchema.verify(file, filename)
    const end = Scope.close(reading, Exit.void)
    const readable = <A>(effect: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.mapError(effect, (cause) => SqliteSchema.unreadable(filename, cause))
    if (Option.isNone(tasks))
      return { ...absent(filename, decorate), connect: Effect.zipRight(end, absent(filename, decorate).connect) }
    return {
      total: tasks.value,
      rows: Stream.mapError(SqlRows.whole(file), (cause) => SqliteSchema.unreadable(filename, cause)),
      abridged: Stream.mapError(SqlRows.abridged(file), (cause) => SqliteSchema.unreadable(filename, cause)),
      integrity: readable(SqliteSchema.integrity(file)),
      connect: Effect.zipRight(end, Effect.map(openForWork(filename, decorate), connection)),
      discard: (rows: ReadonlyArray<StoredRow>) =>
        Effect.zipRight(
          end,
          Effect.scoped(
            Effect.flatMap(openForWork(filename, decorate), (file) =>
              file.transaction((statements) => SqlWrites.discard(statements, rows))
            )
          )
        )
    }
  }).pipe(
    Effect.catchTags({
      SqlError: (cause) => SqliteSchema.unreadable(filename, cause),
      StorageFailure: (cause) => SqliteSchema.unreadable(filename, cause)
    })
  )

/** Reading a closed database makes SQLite create an empty log next to it: the owner removes it from a refused medium. */
const tidyAfterRefusal = (filename: string) => {
  const log = `${filename}-wal`
  const hadLog = existsSync(log)
  return Effect.addFinalizer((exit) =>
    Effect.sync(() => {
      if (Exit.isSuccess(exit) || hadLog || !existsSync(log) || statSync(log).size > 0) return
      rmSync(log)
      rmSync(`${filename}-shm`, { force: true })
    })
  )
}
