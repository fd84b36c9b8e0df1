/**
 * Who may work on the tables of a PostgreSQL database: an advisory lock of the server, which a connection of its own holds, so that
 * it is gone with its process.
 *
 * @since 0.1.0
 */
import { hostname } from "node:os"
import type * as SqlError from "@effect/sql/SqlError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import Pg from "pg"
import * as PostgresSession from "./PostgresSession.ts"
import * as SqlConnection from "./SqlConnection.ts"
import { DomainAlreadyOpen, type StorageFailure } from "./StorageError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Mode = "exclusive" | "shared"

/**
 * A lock that was taken. Its connection can be lost, and with it the lock.
 *
 * @since 0.1.0
 * @category models
 */
export interface PostgresLock {
  readonly isHeld: () => boolean
  /** Waits until it is lost. */
  readonly lost: Effect.Effect<void>
  /** Takes it anew if it was lost. */
  readonly ensure: Effect.Effect<void, DomainAlreadyOpen | StorageFailure>
}

/**
 * This process, as others are told who has the lock.
 *
 * @since 0.1.0
 * @category constants
 */
export const self = `process ${process.pid} on ${hostname()}`

/**
 * Takes the lock for the life of the scope. Fails with {@link DomainAlreadyOpen}, which names who has it, when that is still so after
 * a second: the server needs a moment to notice that a process is gone.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly name: string
  readonly schema: string
  readonly config: Pg.ClientConfig
  readonly mode: Mode
}): Effect.Effect<PostgresLock, DomainAlreadyOpen | StorageFailure, Scope.Scope> =>
  Effect.gen(function* () {
    let held: Held | undefined
    let formerProcess: number | undefined
    const turn = yield* Effect.makeSemaphore(1)
    const take = Effect.uninterruptibleMask((restore) =>
      Effect.tap(restore(acquire(options, formerProcess)), (taken) => {
        held = taken
        formerProcess = taken.process
        return Effect.void
      })
    ).pipe(Effect.catchTag("SqlError", SqlConnection.failure(`cannot lock ${options.name}`)))
    const current = () => (held?.isLost() === false ? held : undefined)
    yield* Effect.addFinalizer(() => (held === undefined ? Effect.void : held.release))
    yield* take
    // A connection that nobody uses would not be missed for long when the network drops everything.
    yield* Effect.sleep("5 seconds").pipe(
      Effect.zipRight(Effect.suspend(() => current()?.probe ?? Effect.void)),
      Effect.forever,
      // whoever takes the lock may not be
      Effect.interruptible,
      Effect.forkScoped
    )
    return {
      isHeld: () => current() !== undefined,
      lost: Effect.suspend(() => current()?.lost ?? Effect.void),
      ensure: turn.withPermits(1)(Effect.suspend(() => (current() === undefined ? Effect.asVoid(take) : Effect.void)))
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Held {
  /** The server's process that holds it. */
  readonly process: number
  readonly isLost: () => boolean
  readonly lost: Effect.Effect<void>
  readonly probe: Effect.Effect<void>
  readonly release: Effect.Effect<void>
}

/** The first of the two numbers of the lock; the second is made from the name of the schema. */
const space = 0x4853_4348

const patience = "SET lock_timeout = 1000; SET statement_timeout = 0"
const take = {
  exclusive: `SELECT pg_advisory_lock(${space}, hashtext(?))`,
  shared: `SELECT pg_advisory_lock_shared(${space}, hashtext(?))`
}
const whoHasIt = `SELECT a.pid, a.application_name, to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${space} AND l.objid::bigint = hashtext(?)::bigint & 4294967295
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const acquire = (
  { config, mode, name, schema }: Parameters<typeof make>[0],
  formerProcess: number | undefined
): Effect.Effect<Held, DomainAlreadyOpen | SqlError.SqlError> =>
  Effect.gen(function* () {
    const client = new Pg.Client({ ...config, application_name: `host-schedule: ${self}`.slice(0, 63) })
    const lost = yield* Deferred.make<void>()
    let isLost = false
    const lose = () => {
      isLost = true
      Deferred.unsafeDone(lost, Exit.void)
    }
    client.on("error", lose)
    client.on("end", lose)
    const end = Effect.async<void>((resume) => {
      client.end(() => resume(Effect.void))
    }).pipe(soon)
    const run = (sql: string, params?: ReadonlyArray<unknown>) => PostgresSession.query(client, sql, params)
    const locked = Effect.catchIf(
      run(take[mode], [schema]),
      (error) => SqlConnection.code(error) === lockTimeout,
      () =>
        Effect.gen(function* () {
          const holders = yield* run(whoHasIt, [schema])
          // The server may not have noticed yet that this process has lost its former connection.
          if (!holders.some(([pid]) => pid === formerProcess)) return yield* refusal(name, holders)
          yield* run("SELECT pg_terminate_backend(?, 1000)", [formerProcess])
          yield* Effect.catchIf(
            run(take[mode], [schema]),
            (error) => SqlConnection.code(error) === lockTimeout,
            () => refusal(name, holders)
          )
        })
    )
    const process = yield* PostgresSession.connect(client).pipe(
      Effect.zipRight(run(patience)),
      Effect.zipRight(locked),
      Effect.zipRight(run("SELECT pg_backend_pid()")),
      Effect.onError(() => end)
    )
    return {
      process: Number(process[0]?.[0]),
      isLost: () => isLost,
      lost: Deferred.await(lost),
      probe: Effect.catchAll(Effect.asVoid(run("SELECT 1")), () => Effect.zipRight(Effect.sync(lose), end)),
      // Unlocked before it ends, because the server would do that a moment later.
      release: Effect.zipRight(Effect.ignore(soon(run("SELECT pg_advisory_unlock_all()"))), end)
    }
  })

const lockTimeout = "55P03"

/** Goodbyes that a server may never answer. */
const soon = <A, E>(effect: Effect.Effect<A, E>) =>
  effect.pipe(Effect.interruptible, Effect.timeoutOption("1 seconds"), Effect.asVoid)

const refusal = (name: string, holders: ReadonlyArray<ReadonlyArray<unknown>>) => {
  const who = holders.map(
    ([, application, since]) => `${String(application).replace(/^host-schedule: /, "")}, since ${since}`
  )
  return new DomainAlreadyOpen({ message: `${name} is in use by ${who.join("; ") || "another process"}` })
}
