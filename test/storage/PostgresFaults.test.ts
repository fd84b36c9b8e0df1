import { isDeepStrictEqual } from "node:util"
import { SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Either, Exit, Fiber, Redacted, Schedule, Scope } from "effect"
import Pg from "pg"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import * as PostgresDriver from "../../src/storage/PostgresDriver.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import { StorageUnknownState } from "../../src/storage/StorageError.ts"
import type * as Model from "../contract/Model.ts"
import * as A from "../contract/Names.ts"
import { type Fault, quarantineContract } from "../contract/QuarantineContract.ts"
import { postgresServer } from "../Postgres.ts"
import { tcpProxy } from "../TcpProxy.ts"
import { rowsOf } from "./fixtures.ts"
import { generator, write } from "./programs/writes.ts"

const server = postgresServer()

const medium = Effect.gen(function* () {
  const proxy = yield* tcpProxy(server.port())
  const url = server.url()
  const direct = PostgresDatabase.make({ url: Redacted.make(url) })
  let reported: ReportedFault | undefined
  const driver = PostgresDriver.make({
    database: PostgresDatabase.make({ url: through(proxy.port, url) }),
    decorate: (execute) => (sql, params) =>
      Effect.suspend(() => {
        if (!reported?.statement.test(sql)) return execute(sql, params)
        const { code, happens } = reported
        reported = undefined
        const cause = Object.assign(new Pg.DatabaseError("told by the server", 0, "error"), { code })
        return Effect.zipRight(happens ? execute(sql, params) : Effect.void, new SqlError.SqlError({ cause }))
      })
  })
  const index = "CREATE INDEX tasks_of_shard ON tasks (shard, sequence)"
  return {
    driver,
    proxy,
    direct,
    inject: (fault: PostgresFault) => {
      if ("code" in fault) reported = fault
      else proxy.cutAt(fault.statement, fault.happens ? "after" : "before")
    },
    damage: Effect.as(run(direct, "DROP INDEX tasks_of_shard"), run(direct, index))
  }
})

/** A domain behind the proxy that gives a statement half a second, over tables that are there already. */
const impatient = Effect.gen(function* () {
  const { direct, proxy } = yield* medium
  yield* Effect.scoped(ScheduleDomain.make(PostgresDriver.make({ database: direct })))
  const url = through(proxy.port, server.url(direct.schema))
  const database = PostgresDatabase.make({ url, statementTimeout: "500 millis" })
  return { direct, proxy, domain: yield* ScheduleDomain.make(PostgresDriver.make({ database })) }
})

const through = (port: number, url: string) => Redacted.make(url.replace(/:\d+\//, `:${port}/`))

const run = (database: PostgresDatabase.PostgresDatabase, sql: string) =>
  Effect.scoped(Effect.flatMap(database.pool, (pool) => Effect.promise(() => pool.query(sql))))

interface LostConnection extends Fault {
  readonly statement: RegExp
}
interface ReportedFault extends LostConnection {
  readonly code: string
}
type PostgresFault = LostConnection | ReportedFault

const changes = /^(INSERT|UPDATE|DELETE)/
const faults: ReadonlyArray<PostgresFault> = [
  lost("BEGIN", /BEGIN/, false, false),
  lost("the change", /(INSERT INTO|UPDATE|DELETE FROM) tasks/, false, false),
  lost("the change, after it was done", /(INSERT INTO|UPDATE|DELETE FROM) tasks/, true, false),
  lost("COMMIT", /COMMIT/, false, true),
  lost("COMMIT, after it was done", /COMMIT/, true, true),
  // one new row is a statement that commits by itself
  { ...lost("a row", /WITH fence|batch_/, false, true), rows: 1 },
  { ...lost("a row, after it was done", /WITH fence|batch_/, true, true), rows: 1 },
  reported("53100", changes, false, false),
  reported("55P03", /^BEGIN/, false, false),
  reported("40P01", /^COMMIT/, false, false),
  reported("57014", /^COMMIT/, false, false),
  reported("58030", /^COMMIT/, false, true),
  reported("57P01", /^COMMIT/, true, true),
  reported("40003", /^COMMIT/, true, true)
]

function lost(at: string, statement: RegExp, happens: boolean, isUnknown: boolean): LostConnection {
  return { name: `a connection lost at ${at},`, statement, happens: happens && isUnknown, isUnknown, rows: 2 }
}

function reported(code: string, statement: RegExp, happens: boolean, isUnknown: boolean): ReportedFault {
  return {
    name: `${code} at ${statement.source}${happens ? ", after it was done," : ""}`,
    code,
    statement,
    happens,
    isUnknown,
    rows: 2
  }
}

quarantineContract("postgres", medium, faults)

describe("a PostgreSQL server", () => {
  it.scopedLive("that falls silent in COMMIT leaves the outcome unknown when the time is up", () =>
    Effect.gen(function* () {
      const { domain, proxy } = yield* impatient
      proxy.cutAt(/COMMIT/, "silently")
      const error = yield* Effect.flip(domain.put([A.oneShot(1), A.oneShot(2)]))
      assert.strictEqual(error._tag, "StorageUnknownState")
      // the transaction that hangs in the server is in the way until it is given up
      yield* Effect.retry(domain.reopen, { times: 100, schedule: Schedule.spaced("100 millis") })
      assert.deepStrictEqual(yield* rowsOf(domain), [])
      yield* domain.put([A.oneShot(1)])
    })
  )

  it.scopedLive("that has not noticed that an owner's connection is gone gives the lock to the same owner again", () =>
    Effect.gen(function* () {
      const { direct, domain, proxy } = yield* impatient
      yield* domain.put([A.oneShot(1)])
      // the probe of the lock's connection
      proxy.cutAt(/SELECT 1\0/, "silently")
      yield* domain.quarantined
      const other = yield* Effect.flip(Effect.scoped(ScheduleDomain.make(PostgresDriver.make({ database: direct }))))
      assert.strictEqual(other._tag, "DomainAlreadyOpen")
      yield* domain.reopen
      yield* domain.put([A.oneShot(2)])
      assert.deepStrictEqual(yield* rowsOf(domain), [A.oneShot(1), A.oneShot(2)])
    })
  )

  it.scopedLive("that stops and starts again quarantines, and reopening finds everything", () =>
    Effect.gen(function* () {
      const { driver } = yield* medium
      const domain = yield* ScheduleDomain.make(driver)
      yield* domain.put([A.oneShot(1)])
      yield* Effect.promise(() => server.stop())
      yield* domain.quarantined
      assert.strictEqual((yield* Effect.flip(domain.put([A.oneShot(2)])))._tag, "StorageQuarantined")
      assert.strictEqual((yield* Effect.flip(domain.reopen))._tag, "StorageFailure")
      assert.strictEqual((yield* Effect.flip(domain.counts))._tag, "StorageQuarantined")
      yield* Effect.promise(() => server.start())
      yield* domain.reopen
      yield* domain.put([A.oneShot(2)])
      assert.deepStrictEqual(yield* rowsOf(domain), [A.oneShot(1), A.oneShot(2)])
    })
  )

  it.scopedLive(
    "that crashes again and again in the middle of writes loses none that was acknowledged, and halves none",
    () =>
      Effect.gen(function* () {
        const { driver } = yield* medium
        const domain = yield* ScheduleDomain.make(driver)
        const seed = (yield* Clock.currentTimeMillis) % 100_000
        const draw = generator(seed)
        let rows: Model.Rows = []
        let next = 0
        for (let crash = 0; crash < 10; crash++) {
          const crashing = yield* Effect.fork(
            Effect.zipRight(
              Effect.sleep(20 + (draw() % 150)),
              Effect.promise(() => server.crash())
            )
          )
          let failure: unknown
          while (true) {
            const { domain: run, model } = write(seed, next)
            const outcome = yield* Effect.either(run(domain, rows))
            if (Either.isLeft(outcome)) {
              failure = outcome.left
              break
            }
            rows = model(rows)
            next++
          }
          yield* Fiber.join(crashing)
          yield* Effect.promise(() => server.start())
          yield* Effect.retry(domain.reopen, { times: 50, schedule: Schedule.spaced("100 millis") })
          const found = yield* rowsOf(domain)
          if (isDeepStrictEqual(found, rows)) continue
          const where = `seed ${seed}, crash ${crash}, write ${next}`
          assert.instanceOf(failure, StorageUnknownState, where)
          rows = write(seed, next++).model(rows)
          assert.deepStrictEqual(found, rows, where)
        }
        assert.isAbove(next, 20)
      })
  )

  it.scopedLive("cannot be opened by another Host until the owner has gone", () =>
    Effect.gen(function* () {
      const { driver, direct } = yield* medium
      const scope = yield* Scope.make()
      const domain = yield* Scope.extend(ScheduleDomain.make(driver), scope)
      const other = ScheduleDomain.make(PostgresDriver.make({ database: direct }))
      assert.strictEqual((yield* Effect.flip(other))._tag, "DomainAlreadyOpen")
      yield* domain.put([A.oneShot(1)])
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* rowsOf(yield* other), [A.oneShot(1)])
    })
  )

  it.scopedLive("lets another Host in when the owner's lock is lost, and the owner writes nothing then", () =>
    Effect.gen(function* () {
      const { driver, direct, proxy } = yield* medium
      const domain = yield* ScheduleDomain.make(driver)
      yield* domain.put([A.oneShot(1)])
      proxy.serve(false)
      yield* domain.quarantined
      const other = yield* Effect.retry(ScheduleDomain.make(PostgresDriver.make({ database: direct })), { times: 10 })
      yield* other.put([A.oneShot(2)])
      proxy.serve(true)
      const refusal = yield* Effect.flip(domain.reopen)
      assert.strictEqual(refusal._tag, "DomainAlreadyOpen")
      assert.strictEqual((yield* Effect.flip(domain.put([A.oneShot(3)])))._tag, "StorageQuarantined")
      assert.deepStrictEqual(yield* rowsOf(other), [A.oneShot(1), A.oneShot(2)])
    })
  )
})
