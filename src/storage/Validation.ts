/**
 * Validating the rows of a medium.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { ScheduleLogError } from "../domain/ScheduleLogError.ts"
import { decodeTask, type ScheduleTask } from "../domain/ScheduleTask.ts"
import type { StoredRow } from "./ScheduleDriver.ts"
import { StorageFailure } from "./StorageError.ts"

/**
 * How a domain opens: `progress` is told after every piece of rows that was validated.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenOptions {
  readonly progress?: (validated: number, total: number) => Effect.Effect<void>
}

/**
 * Rows of a medium called `name`, validated, in the pieces in which they come.
 *
 * @since 0.1.0
 * @category decoding
 */
export const tasks = <E>(
  name: string,
  rows: Stream.Stream<ReadonlyArray<StoredRow>, E>
): Stream.Stream<ReadonlyArray<ScheduleTask>, E | ScheduleLogError> =>
  Stream.mapEffect(rows, (rows) => Either.mapLeft(Either.all(rows.map(decodeRow)), (error) => located(name, error)))

/**
 * Tells `options.progress` after every piece how many rows have come, of `total`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const watched = <A, E>(
  pieces: Stream.Stream<ReadonlyArray<A>, E>,
  total: number,
  { progress }: OpenOptions = {}
): Stream.Stream<ReadonlyArray<A>, E> => {
  if (progress === undefined) return pieces
  let count = 0
  return Stream.tap(pieces, (piece) => {
    count += piece.length
    return progress(count, total)
  })
}

/**
 * A stored row that was validated, with its key and the rules of its medium.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeRow = ({ flaw, key, table, value }: StoredRow): Either.Either<ScheduleTask, ScheduleLogError> =>
  flaw === undefined
    ? decodeTask(value, key)
    : Either.left(new ScheduleLogError({ code: "corrupt_schedule_log", table, key, message: flaw }))

/**
 * What a read of an open domain decoded. Its rows were validated when it opened, so one that does not decode now was changed
 * behind its back, which fails the read.
 *
 * @since 0.1.0
 * @category decoding
 */
export const readable = <A>(medium: string, decoded: Either.Either<A, ScheduleLogError>) =>
  Either.mapLeft(decoded, (error) => {
    const cause = located(medium, error)
    return new StorageFailure({ message: cause.message, cause })
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const located = (medium: string, { code, key, message, table }: ScheduleLogError) =>
  new ScheduleLogError({ code, table, key, message: `${medium}, ${table} ${key}: ${message}` })
