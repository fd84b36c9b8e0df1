/**
 * Looking at a storage without opening it for work, and moving aside the rows that keep it from opening.
 *
 * @since 0.1.0
 */
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Instant from "../domain/Instant.ts"
import type { ScheduleLogError } from "../domain/ScheduleLogError.ts"
import * as DurableFile from "./DurableFile.ts"
import * as JsonDocument from "./JsonDocument.ts"
import type { Inspection, StoredRow, WriteError } from "./ScheduleDriver.ts"
import * as Storage from "./Storage.ts"
import { DomainMalformed, type OpenError } from "./StorageError.ts"
import * as Validation from "./Validation.ts"

/**
 * What was found: how many rows, and everything that keeps the storage from opening or would make it answer wrongly. The
 * problem of a row is a `ScheduleLogError` with its table, its key and the rule that failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  readonly rows: number
  readonly problems: ReadonlyArray<OpenError>
}

/**
 * What a repair moved: the rows' problems, and the file that has the rows now; there is no file when there was nothing to move.
 *
 * @since 0.1.0
 * @category models
 */
export interface Repaired {
  readonly moved: ReadonlyArray<ScheduleLogError>
  readonly file: string | undefined
}

/**
 * Validates every row of a storage, and what lies beneath the rows. It writes nothing and needs no lock.
 *
 * @since 0.1.0
 * @category operations
 */
export const check = (storage: Storage.Storage, options?: Validation.OpenOptions): Effect.Effect<Report> => {
  const { inspect, name } = Storage.driver(storage)
  let rows = 0
  const problems: Array<OpenError> = []
  return Effect.gen(function* () {
    const inspection = yield* inspect
    yield* badRows(inspection.abridged, inspection.total, options, (piece, bad) => {
      rows += piece
      for (const [, problem] of bad) problems.push(problem)
    })
    for (const problem of yield* inspection.integrity) {
      problems.push(new DomainMalformed({ message: `${name}: ${problem}` }))
    }
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) => Effect.sync(() => problems.push(error))),
    Effect.map(() => ({ rows, problems }))
  )
}

/**
 * Moves the bad rows of a storage into a new file in its directory, `schedule.rejected-<time>.json`, and leaves the others. The file has
 * the layout of an export, so that it can be imported, merging, once the rows in it are mended by hand. It is on disk before
 * anything is removed. Fails like opening when the medium itself is damaged, which moving rows does not mend.
 *
 * @since 0.1.0
 * @category operations
 */
export const repair = (
  storage: Exclude<Storage.Storage, { readonly kind: "memory" }>,
  options?: Validation.OpenOptions
): Effect.Effect<Repaired, OpenError | WriteError> =>
  Effect.gen(function* () {
    const { inspect, lock, name } = Storage.driver(storage)
    yield* lock
    const inspection = yield* inspect
    const bad: Array<readonly [StoredRow, ScheduleLogError]> = []
    yield* badRows(inspection.rows, inspection.total, options, (_, found) => bad.push(...found))
    if (bad.length === 0) return { moved: [], file: undefined }
    // A row that an index has lost could not be removed.
    const [damage] = yield* inspection.integrity
    if (damage !== undefined) return yield* new DomainMalformed({ message: `${name} is damaged: ${damage}` })
    const now = Instant.format(yield* Clock.currentTimeMillis)
    const file = join(storage.directory, `schedule.rejected-${now.replaceAll(":", "-")}.json`)
    const text = JsonDocument.render(bad.map(([{ key, value }]) => [key, value]))
    yield* DurableFile.create(file, text)
    yield* inspection.discard(bad.map(([row]) => row))
    return { moved: bad.map(([, problem]) => problem), file }
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Goes through all rows, and tells after each piece how many there were in it, and the bad ones with their problems. */
const badRows = (
  rows: Inspection["rows"],
  total: number,
  options: Validation.OpenOptions | undefined,
  tell: (rows: number, bad: ReadonlyArray<readonly [StoredRow, ScheduleLogError]>) => void
) =>
  Stream.runForEach(Validation.watched(rows, total, options), (rows) =>
    Effect.sync(() => {
      const bad = rows.flatMap((row) => {
        const decoded = Validation.decodeRow(row)
        return Either.isLeft(decoded) ? [[row, decoded.left] as const] : []
      })
      tell(rows.length, bad)
    })
  )
