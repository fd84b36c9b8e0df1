/**
 * The reads of a `schedule` domain that need no owner, with their rows decoded.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { HistoryQuery } from "../domain/History.ts"
import type { ScheduleId, SessionId } from "../domain/Identifiers.ts"
import { decodeSummary, type TaskSummary } from "../domain/ScheduleTask.ts"
import type { CatalogQuery, DriverConnection } from "./ScheduleDriver.ts"
import type { StorageFailure } from "./StorageError.ts"
import * as Validation from "./Validation.ts"

/**
 * What the reads are made from.
 *
 * @since 0.1.0
 * @category models
 */
export type Connection = Pick<DriverConnection, "get" | "activeOf" | "catalogPage" | "historyPage" | "counts">

/**
 * Reads of the medium `name`, each with a connection that `using` provides.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <E>(
  name: string,
  using: <A>(read: (connection: Connection) => Effect.Effect<A, StorageFailure>) => Effect.Effect<A, StorageFailure | E>
) => {
  const catalogPage = (query: CatalogQuery) =>
    using((connection) => Effect.flatMap(connection.catalogPage(query), summaries(name)))
  return {
    get: (id: ScheduleId) =>
      using((connection) =>
        Effect.flatMap(
          connection.get(id),
          Effect.transposeMapOption((row) => Validation.readable(name, decodeSummary(row)))
        )
      ),
    activeOf: (sessionId: SessionId) =>
      using((connection) => Effect.flatMap(connection.activeOf(sessionId), summaries(name))),
    catalog: catalogPage({ limit: Number.MAX_SAFE_INTEGER }),
    catalogPage,
    historyPage: (id: ScheduleId, query: HistoryQuery) => using((connection) => connection.historyPage(id, query)),
    counts: using((connection) => connection.counts)
  }
}

/**
 * Rows as summaries of tasks.
 *
 * @since 0.1.0
 * @category decoding
 */
export const summaries =
  (name: string) =>
  (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<TaskSummary>, StorageFailure> =>
    Validation.readable(name, Either.all(rows.map(decodeSummary)))
