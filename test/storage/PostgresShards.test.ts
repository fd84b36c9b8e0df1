import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Redacted, Scope } from "effect"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import * as PostgresDriver from "../../src/storage/PostgresDriver.ts"
import * as PostgresView from "../../src/storage/PostgresView.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as Shard from "../../src/storage/Shard.ts"
import * as A from "../contract/Arbitraries.ts"
import * as Model from "../contract/Model.ts"
import { postgresServer } from "../Postgres.ts"
import { rowsOf } from "./fixtures.ts"

const server = postgresServer()
const count = 3
const newDatabase = () => PostgresDatabase.make({ url: Redacted.make(server.url()) })
const shard = (database: PostgresDatabase.PostgresDatabase, index: number) =>
  ScheduleDomain.make(PostgresDriver.make({ database, shard: { index, count } }))

describe("shards of a PostgreSQL database", () => {
  it.scoped.prop(
    "have the rows of their Sessions and no others, and a view of all has every row",
    [A.array(A.tasks({ ids: A.nat({ max: 1000 }).map(A.id) }), { maxLength: 20 })],
    ([tasks]) =>
      Effect.gen(function* () {
        const database = newDatabase()
        const rows = Model.put([], tasks)
        const of = (index: number) => rows.filter(({ sessionId }) => Shard.of(sessionId, count) === index)
        const shards = yield* Effect.forEach([0, 1, 2], (index) => shard(database, index))
        for (const [index, domain] of shards.entries()) if (of(index).length > 0) yield* domain.put(of(index))
        for (const [index, domain] of shards.entries()) {
          assert.deepStrictEqual(yield* rowsOf(domain), of(index))
          assert.deepStrictEqual(yield* domain.catalog, Model.catalog(of(index)))
          assert.deepStrictEqual(yield* domain.counts, Model.counts(of(index)))
          for (const until of [A.instant(5), A.instant(100)]) {
            assert.deepStrictEqual(
              (yield* domain.dueSessions(until)).toSorted(),
              [...Model.dueSessions(of(index), until)].toSorted()
            )
          }
          assert.deepStrictEqual(
            Option.getOrUndefined(yield* domain.earliestTarget(Option.none())),
            Model.earliestTarget(of(index), undefined)
          )
        }
        const view = yield* PostgresView.make(database)
        assert.strictEqual(view.shards, count)
        assert.deepStrictEqual(yield* view.catalog, Model.catalog(rows))
        assert.deepStrictEqual(yield* view.counts, Model.counts(rows))
        for (const status of [undefined, "active", "inactive"] as const) {
          assert.deepStrictEqual(
            yield* view.catalogPage({ limit: 4, status }),
            Model.catalog(rows, { limit: 4, after: undefined, status })
          )
        }
        for (const { record, sessionId } of rows) {
          assert.deepStrictEqual(Option.getOrUndefined(yield* view.get(record.id)), Model.get(rows, record.id))
          assert.deepStrictEqual(yield* view.activeOf(sessionId), Model.activeOf(rows, sessionId))
          assert.deepStrictEqual(
            yield* view.historyPage(record.id, { limit: 2 }),
            Model.historyPage(rows, record.id, { limit: 2 })
          )
        }
        const before = (yield* view.counts).inactive
        assert.strictEqual(yield* shards[0]!.removeInactive, before)
        assert.deepStrictEqual(yield* view.counts, { ...Model.counts(rows), inactive: 0 })
        assert.deepStrictEqual(yield* shards[2]!.counts, { ...Model.counts(of(2)), inactive: 0 })
      }),
    { fastCheck: { numRuns: 10 } }
  )

  it.scoped("belong to who opened them last; the former owner writes nothing, until it opens them again", () =>
    Effect.gen(function* () {
      const database = newDatabase()
      const session = A.session(0)
      const index = Shard.of(session, count)
      const first = yield* shard(database, index)
      yield* first.put([A.oneShot(1)])
      const second = yield* shard(newHost(database), index)
      for (const write of [
        first.put([A.oneShot(2)]),
        first.put([A.oneShot(2), A.oneShot(3)]),
        first.replaceRecord({ ...A.oneShot(1).record, title: "Changed" }),
        first.remove(A.id(1)),
        first.removeActiveOf(session),
        first.removeInactive
      ]) {
        assert.strictEqual((yield* Effect.flip(write))._tag, "StorageOwnershipLost")
        assert.strictEqual((yield* Effect.flip(first.counts))._tag, "StorageQuarantined")
        yield* first.quarantined
        assert.deepStrictEqual(yield* rowsOf(second), [A.oneShot(1)])
        yield* first.reopen
        yield* Effect.flip(second.put([A.oneShot(9)]))
        yield* second.reopen
      }
      yield* second.put([A.oneShot(2)])
      assert.deepStrictEqual(yield* rowsOf(second), [A.oneShot(1), A.oneShot(2)])
    })
  )

  it.scoped("cannot be opened while a Host has the whole database, nor the other way round", () =>
    Effect.gen(function* () {
      const database = newDatabase()
      const scope = yield* Scope.make()
      yield* Scope.extend(ScheduleDomain.make(PostgresDriver.make({ database })), scope)
      for (const open of [shard(database, 1), ScheduleDomain.make(PostgresDriver.make({ database }))]) {
        const error = yield* Effect.flip(open)
        assert.strictEqual(error._tag, "DomainAlreadyOpen")
        assert.include(error.message, `${database.name} is in use by process ${process.pid} on `)
      }
      yield* Scope.close(scope, Exit.void)
      // 32 shards are what a database has that was made for one Host
      const error = yield* Effect.flip(Effect.scoped(shard(database, 1)))
      assert.strictEqual(error._tag, "DomainVersionMismatch")
      assert.include(error.message, "has 32 shards, and 3 were asked for")
      const sharing = yield* Scope.make()
      const driver = PostgresDriver.make({ database, shard: { index: 31, count: 32 } })
      yield* Scope.extend(ScheduleDomain.make(driver), sharing)
      const whole = ScheduleDomain.make(PostgresDriver.make({ database }))
      assert.strictEqual((yield* Effect.flip(whole))._tag, "DomainAlreadyOpen")
      yield* Scope.close(sharing, Exit.void)
      yield* whole
    })
  )

  it.scoped("fence off a Host that had the whole database and lost its lock", () =>
    Effect.gen(function* () {
      const database = newDatabase()
      const whole = yield* ScheduleDomain.make(PostgresDriver.make({ database }))
      yield* whole.put([A.oneShot(1)])
      yield* Effect.fork(whole.quarantined)
      const pool = yield* database.pool
      yield* Effect.promise(() => pool.query(killLocks))
      yield* whole.quarantined
      const tokens = Effect.promise(() =>
        pool.query("SELECT token FROM owners WHERE shard IN (-1, 5, 6) ORDER BY shard")
      )
      const tokensNow = Effect.map(tokens, ({ rows }) => rows.map(({ token }) => Number(token)))
      const take = (index: number) =>
        Effect.scoped(
          ScheduleDomain.make(PostgresDriver.make({ database: newHost(database), shard: { index, count: 32 } }))
        )
      const [all = 0, five = 0, six = 0] = yield* tokensNow
      yield* take(5)
      const [allThen = 0, fiveThen = 0, sixThen = 0] = yield* tokensNow
      assert.isTrue(allThen > all && fiveThen > five && sixThen === six)
      yield* take(6)
      assert.deepStrictEqual((yield* tokensNow).slice(0, 2), [allThen, fiveThen])
      assert.include((yield* Effect.flip(take(32))).message, "there is no shard 32")
      assert.strictEqual((yield* Effect.flip(whole.put([A.oneShot(2)])))._tag, "StorageQuarantined")
      yield* whole.reopen
      assert.deepStrictEqual(yield* rowsOf(whole), [A.oneShot(1)])
    })
  )
})

const killLocks =
  "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"

/** The same database through connections of its own, as another Host has it. */
const newHost = ({ schema }: PostgresDatabase.PostgresDatabase) =>
  PostgresDatabase.make({ url: Redacted.make(server.url(schema)) })
