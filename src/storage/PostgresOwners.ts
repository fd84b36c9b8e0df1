/**
 * The table of owners: who has which shard, and the token that fences off those who had it before.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type Pg from "pg"
import type { Fence, Part } from "./PostgresDialect.ts"
import * as PostgresLock from "./PostgresLock.ts"
import * as PostgresSession from "./PostgresSession.ts"
import * as SqlConnection from "./SqlConnection.ts"
import * as SqlRow from "./SqlRow.ts"
import { StorageFailure } from "./StorageError.ts"

/**
 * The row of the table that stands for all shards together. Whoever takes one shard ends the ownership of all, and the other way
 * round.
 *
 * @since 0.1.0
 * @category constants
 */
export const all = -1

/**
 * Takes the rows of a part from whoever had them: waits until a transaction of the former owner has ended, so that none of his is
 * committed from then on, and counts the rows anew.
 *
 * @since 0.1.0
 * @category constructors
 */
export const take = (pool: Pg.Pool, { index }: Part): Effect.Effect<Fence, StorageFailure> =>
  Effect.gen(function* () {
    const { execute, rollback } = yield* PostgresSession.reserve(pool, { patient: true })
    const mine = index ?? all
    const work = Effect.gen(function* () {
      yield* execute("BEGIN; SET LOCAL statement_timeout = 0")
      // The row of all is only touched when somebody had them all: Hosts that take many shards at once would queue up there.
      const taken = yield* execute(
        index === undefined
          ? `UPDATE owners SET token = ${next}, owner = ? RETURNING shard, token`
          : `UPDATE owners SET token = ${next}, owner = CASE WHEN shard = ${index} THEN ? ELSE '' END
             WHERE shard = ${index} OR (shard = ${all} AND owner <> '') RETURNING shard, token`,
        [PostgresLock.self]
      )
      const token = taken.find(([shard]) => shard === mine)?.[1]
      if (token === undefined) return yield* new StorageFailure({ message: `there is no shard ${mine}` })
      // Locked first: others may be removing inactive rows, and will subtract them when they get the lock.
      const which = index === undefined ? "true" : `shard = ${index}`
      yield* execute(`SELECT 1 FROM task_counts WHERE ${which} ORDER BY shard FOR UPDATE`)
      const counted = (where: string) => `(SELECT count(*) FROM tasks t WHERE t.shard = c.shard AND ${where})`
      yield* execute(`UPDATE task_counts c SET tasks = ${counted(SqlRow.isActive)} + ${counted("status = 'inactive'")},
        inactive = ${counted("status = 'inactive'")} WHERE ${which}`)
      yield* execute("COMMIT")
      return { shard: mine, token: Number(token) }
    })
    return yield* Effect.onError(work, () => rollback)
  }).pipe(
    Effect.scoped,
    Effect.uninterruptible,
    Effect.catchTag("SqlError", SqlConnection.failure("cannot take the rows over"))
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Greater than any before, and in the likely case than those of another database, or of this one before it was restored. */
const next = "greatest(token + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)"
