/**
 * Rows that share a write without sharing its failure.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"

/**
 * Writes rows in one durable write. Should it fail and have changed nothing, it is tried again in halves, down to the rows
 * that fail on their own. Answers those with their failures; after an unknown state nothing is tried again.
 *
 * @since 0.1.0
 * @category constructors
 */
export const attempt = <Row>(
  write: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StorageError>,
  rows: ReadonlyArray<Row>
): Effect.Effect<ReadonlyMap<Row, StorageError>> =>
  rows.length === 0
    ? Effect.succeed(new Map())
    : Effect.matchEffect(write(rows), {
        onSuccess: () => Effect.succeed(new Map<Row, StorageError>()),
        onFailure: (error) => {
          if (rows.length === 1 || error._tag !== "StorageFailure") {
            return Effect.succeed(new Map(rows.map((row) => [row, error])))
          }
          const half = rows.length >> 1
          return Effect.zipWith(
            attempt(write, rows.slice(0, half)),
            attempt(write, rows.slice(half)),
            (left, right) => new Map([...left, ...right])
          )
        }
      })
