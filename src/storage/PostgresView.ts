/**
 * Reading all shards of a PostgreSQL database without owning any.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as DomainReads from "./DomainReads.ts"
import * as PostgresConnection from "./PostgresConnection.ts"
import type { PostgresDatabase } from "./PostgresDatabase.ts"
import * as PostgresDialect from "./PostgresDialect.ts"
import * as PostgresSchema from "./PostgresSchema.ts"
import * as PostgresSession from "./PostgresSession.ts"
import * as SqlReads from "./SqlReads.ts"

/**
 * The reads of a domain over all shards: committed rows, each validated when it is read. They fail as `StorageFailure` while the
 * database does not answer, and need no reopening.
 *
 * @since 0.1.0
 * @category models
 */
export type PostgresView = Effect.Effect.Success<ReturnType<typeof make>>

/**
 * A view for the life of the scope. It makes the tables when there are none, with `shards` shards (default `Shard.defaultCount`);
 * another number than the tables have fails with `DomainVersionMismatch`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (database: PostgresDatabase, { shards }: { readonly shards?: number | undefined } = {}) =>
  Effect.gen(function* () {
    const pool = yield* database.pool
    const count = yield* PostgresSchema.ensure(database, shards)
    const dialect = PostgresDialect.make({ count })
    const reads = SqlReads.make({
      dialect,
      rows: PostgresSession.pooled(pool),
      snapshot: (reads) => PostgresConnection.snapshot(pool, dialect, reads)
    })
    return {
      /** How many shards there are. */
      shards: count,
      ...DomainReads.make(database.name, (read) => read(reads))
    }
  })
