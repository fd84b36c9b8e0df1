/**
 * Reading all shards of a PostgreSQL database without owning any.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PostgresDatabase } from "./PostgresDatabase.ts"
import type { ScheduleDomain } from "./ScheduleDomain.ts"
import { StorageFailure } from "./StorageError.ts"

/**
 * The reads of a domain over all shards: committed rows, each validated when it is read. They fail as `StorageFailure` while the
 * database does not answer, and need no reopening.
 *
 * @since 0.1.0
 * @category models
 */
export type PostgresView = Pick<
  ScheduleDomain["Type"],
  "get" | "activeOf" | "catalog" | "catalogPage" | "historyPage" | "counts"
>

/**
 * A view for the life of the scope. A database without tables is empty.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (_database: PostgresDatabase): Effect.Effect<PostgresView, StorageFailure, Scope.Scope> =>
  new StorageFailure({ message: "PostgreSQL is not supported yet" })
