/**
 * Announcements of changes through the database, which all Hosts share.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type Pg from "pg"
import type { PostgresDatabase } from "../storage/PostgresDatabase.ts"
import { ChangeBus } from "./ChangeBus.ts"

/**
 * Notifications are sent outside the transactions that they tell of: within them they would make commits wait for each other. A
 * connection that is lost is taken up again, and its reader told, who reads what he may have missed.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (database: PostgresDatabase): Layer.Layer<ChangeBus> =>
  Layer.scoped(
    ChangeBus,
    Effect.map(database.pool, (pool) => {
      const self = `${database.schema} ${randomUUID()}`
      return ChangeBus.of({
        announce: run(() => pool.query("SELECT pg_notify($1, $2)", [channel, self])).pipe(
          Effect.catchAll((cause) => Effect.logDebug("A change could not be announced.", cause)),
          Effect.asVoid
        ),
        others: listen(pool, (payload) => payload.startsWith(`${database.schema} `) && payload !== self).pipe(
          Stream.tapErrorCause((cause) => Effect.logDebug("The connection for announcements was lost.", cause)),
          Stream.retry(Schedule.spaced("1 seconds")),
          Stream.catchAll(() => Stream.empty)
        )
      })
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const channel = "host_schedule_changed"

const run = <A>(query: () => Promise<A>) => Effect.tryPromise(query)

/**
 * One element when it hears, because what was said before was missed, then one for each announcement. Fails when the connection is
 * lost, which a query now and then finds out.
 */
const listen = (pool: Pg.Pool, isOthers: (payload: string) => boolean): Stream.Stream<void, Cause.UnknownException> =>
  Stream.asyncScoped<void, Cause.UnknownException>(
    (emit) =>
      Effect.gen(function* () {
        const client = yield* Effect.acquireRelease(
          run(() => pool.connect()),
          (client) => Effect.sync(() => client.release(true))
        )
        client.on("notification", ({ payload = "" }) => {
          if (isOthers(payload)) void emit.single(undefined)
        })
        client.on("error", (error) => void emit.fail(new Cause.UnknownException(error)))
        client.on("end", () => void emit.fail(new Cause.UnknownException("the connection ended")))
        yield* run(() => client.query(`LISTEN ${channel}`))
        void emit.single(undefined)
        yield* run(() => client.query("SELECT 1")).pipe(
          Effect.delay("5 seconds"),
          Effect.forever,
          Effect.catchAll((error) => Effect.promise(() => emit.fail(error))),
          Effect.forkScoped
        )
      }),
    { bufferSize: 1, strategy: "sliding" }
  )
