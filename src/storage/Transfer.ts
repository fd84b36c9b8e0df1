/**
 * Moving all rows of a storage as one document, in the layout of the json backend, from any backend into any other.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import * as JsonDocument from "./JsonDocument.ts"
import type { WriteError } from "./ScheduleDriver.ts"
import * as Storage from "./Storage.ts"
import { DomainNotEmpty, type OpenError, type StorageFailure } from "./StorageError.ts"
import * as Validation from "./Validation.ts"

/**
 * What an import did: how many rows it added, and how many it kept because their ids were there already.
 *
 * @since 0.1.0
 * @category models
 */
export interface Imported {
  readonly added: number
  readonly kept: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ImportOptions {
  /** Whether rows may be there already; they stay as they are, and of the document only the others are added. Default false. */
  readonly merge?: boolean
  /** Told how many rows of the document have been read. */
  readonly progress?: (rows: number) => Effect.Effect<void>
}

/**
 * The document of a storage, piece by piece, in creation order. It shows one state of it even while a Host writes, and needs no
 * lock. Every row is validated; at a bad one the text ends, too early to be read as a document.
 *
 * @since 0.1.0
 * @category conversions
 */
export const exportDocument = (
  storage: Storage.Storage,
  options?: Validation.OpenOptions
): Stream.Stream<string, OpenError> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const { inspect, name } = Storage.driver(storage)
      const { rows, total } = yield* inspect
      return JsonDocument.encode(Validation.watched(Validation.tasks(name, rows), total, options))
    })
  )

/**
 * Adds the rows of a document to a storage, all in one durable write or none. The document comes in pieces of any size and is
 * named `name` in messages. Fails with {@link DomainNotEmpty} when there are rows and `merge` is not set, and like opening when
 * the document or the storage is malformed or has a bad row.
 *
 * @since 0.1.0
 * @category conversions
 */
export const importDocument = <E>(
  storage: Storage.Storage,
  document: { readonly name: string; readonly bytes: Stream.Stream<Uint8Array, E> },
  { merge = false, progress }: ImportOptions = {}
): Effect.Effect<Imported, E | OpenError | WriteError | DomainNotEmpty> =>
  Effect.scoped(
    Effect.gen(function* () {
      const driver = Storage.driver(storage)
      yield* driver.lock
      const inspection = yield* driver.inspect
      if (inspection.total > 0 && !merge) {
        return yield* new DomainNotEmpty({ message: `${driver.name} has ${inspection.total} tasks already` })
      }
      yield* Stream.runDrain(Validation.tasks(driver.name, inspection.abridged))
      const connection = yield* inspection.connect

      let read = 0
      let added = 0
      const news = (tasks: ReadonlyArray<ScheduleTask>): Effect.Effect<ReadonlyArray<ScheduleTask>, StorageFailure> =>
        merge
          ? Effect.filter(tasks, ({ record }) => Effect.map(connection.get(record.id), Option.isNone))
          : Effect.succeed(tasks)
      const rows = Validation.tasks(document.name, JsonDocument.rows(document.name, document.bytes)).pipe(
        Stream.tap((tasks) => {
          read += tasks.length
          return progress?.(read) ?? Effect.void
        }),
        Stream.mapEffect(news),
        Stream.tap((tasks) =>
          Effect.sync(() => {
            added += tasks.length
          })
        )
      )
      yield* connection.load(rows)
      return { added, kept: read - added }
    })
  )
