import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Redacted, Stream } from "effect"
import { type ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Shard from "../../src/storage/Shard.ts"
import { settle } from "../runtime/World.ts"
import { TestCluster } from "./TestCluster.ts"

const sessions = Array.from({ length: 20 }, (_, i) => SessionId.make(`session-${i}`))
const hourly = { title: "t", prompt: "p", every_seconds: 3_600 }

describe("a cluster", () => {
  it.scoped("gives every shard to exactly one Host, however many there are", () =>
    Effect.gen(function* () {
      const cluster = yield* TestCluster.make
      const hosts = [yield* cluster.start()]
      assert.strictEqual(hosts[0]?.owned().length, 8)
      hosts.push(yield* cluster.start())
      hosts.push(yield* cluster.start())
      const owned = hosts.map((host) => host.owned())
      assert.deepStrictEqual(owned.flat().sort(), [0, 1, 2, 3, 4, 5, 6, 7])
      for (const shards of owned) assert.isAbove(shards.length, 0)
    })
  )

  it.scoped("answers the same on every Host, whoever owns the Session's shard", () =>
    Effect.gen(function* () {
      const cluster = yield* TestCluster.make
      const hosts = [yield* cluster.start(), yield* cluster.start(), yield* cluster.start()]
      const turn = (i: number) => hosts[i % 3]!.service
      const records = yield* Effect.forEach(sessions, (sessionId, i) => turn(i).create(sessionId, hourly))
      const catalogs = yield* Effect.forEach(hosts, ({ service }) => service.catalog())
      assert.strictEqual(catalogs[0]?.length, 20)
      assert.deepStrictEqual(catalogs[1], catalogs[0])
      assert.deepStrictEqual(catalogs[2], catalogs[0])

      for (const [i, sessionId] of sessions.entries()) {
        const expected = records[i]!
        const id = expected.id
        const updated = yield* turn(i + 1).update({ sessionId, id, expected, title: "new" })
        assert.include(updated, { updated: true })
        const stale = yield* turn(i + 2).update({ sessionId, id, expected, title: "newer" })
        assert.include(stale, { updated: false, code: "schedule_conflict" })
        assert.deepStrictEqual(
          (yield* turn(i).list({ sessionId })).map(({ title }) => title),
          ["new"]
        )
        assert.deepStrictEqual(yield* turn(i + 1).delete({ sessionId, id }), { id, deleted: true })
        assert.include(yield* turn(i + 2).delete({ sessionId, id }), { deleted: false, code: "schedule_not_found" })
        const refused = yield* Effect.flip(turn(i).create(sessionId, { title: "", prompt: "p", every_seconds: 60 }))
        assert.strictEqual(refused._tag, "ScheduleInputError")
        assert.strictEqual(
          yield* turn(i)
            .history({ sessionId, id, limit: 1 })
            .pipe(Effect.map(({ id }) => id)),
          id
        )
      }
      cluster.world.depths.set(sessions[0]!, 1)
      for (const { service } of hosts) {
        const refused = yield* Effect.flip(service.create(sessions[0]!, hourly))
        assert.deepInclude(refused, { _tag: "ScheduleInputError", code: "subagent_session" })
      }
    })
  )

  it.scoped("delivers once what becomes due while Hosts come and go, and deletes all inactive tasks at once", () =>
    Effect.gen(function* () {
      const cluster = yield* TestCluster.make
      const first = yield* cluster.start()
      yield* Effect.forEach(sessions, (sessionId, i) =>
        first.service.create(sessionId, { title: "t", prompt: `p${i}`, after_seconds: 1 + i * 2 })
      )
      const second = yield* cluster.start()
      const third = yield* cluster.start()
      yield* first.stop
      yield* cluster.pass(15)
      assert.strictEqual(second.owned().length + third.owned().length, 8)
      yield* second.stop
      yield* cluster.pass(20)
      assert.strictEqual(third.owned().length, 8)
      for (const sessionId of sessions) assert.strictEqual(cluster.world.inbox(sessionId).length, 1, sessionId)
      const catalog = yield* third.service.catalog()
      assert.deepStrictEqual(new Set(catalog.map(({ status }) => status)), new Set(["inactive"]))
      assert.strictEqual(yield* third.service.deleteInactive(), 20)
      assert.deepStrictEqual(yield* third.service.catalog(), [])
    })
  )

  it.scoped("tells every Host of every change", () =>
    Effect.gen(function* () {
      const cluster = yield* TestCluster.make
      const hosts = [yield* cluster.start(), yield* cluster.start(), yield* cluster.start()]
      const seen = yield* Effect.forEach(hosts, ({ service }) =>
        Stream.runHead(service.changes).pipe(Effect.fork, Effect.zipLeft(settle))
      )
      yield* hosts[0]!.service.create(sessions[0]!, hourly)
      yield* cluster.pass(1)
      for (const fiber of seen) assert.isTrue(Option.isSome(yield* Fiber.join(fiber)))
    })
  )
})

/** Two Hosts, a shard that the first one owns, and a Session in it. */
const two = Effect.gen(function* () {
  const cluster = yield* TestCluster.make
  const first = yield* cluster.start()
  const second = yield* cluster.start()
  const index = first.owned()[0]!
  return { cluster, first, second, index, sessionId: sessionOf(index, cluster.count) }
})

describe("a shard that is handed over", () => {
  it.scoped("finishes what was accepted before another Host gets it", () =>
    Effect.gen(function* () {
      const { cluster, first, index, second, sessionId } = yield* two
      const flushed = yield* Deferred.make<void>()
      cluster.world.onFlush = () => Effect.as(Deferred.await(flushed), true)
      yield* first.service.create(sessionId, { title: "t", prompt: "p", after_seconds: 1 })
      yield* cluster.pass(2)
      assert.strictEqual(cluster.world.inbox(sessionId).length, 1)

      yield* first.stop
      yield* cluster.pass(2)
      assert.notInclude(second.owned(), index)
      yield* Deferred.succeed(flushed, undefined)
      yield* cluster.pass(5)
      assert.include(second.owned(), index)
      const [task] = yield* second.service.catalog()
      assert.strictEqual(task?.status, "inactive")
      assert.strictEqual(task?.lastDelivery?.messageId, cluster.world.inbox(sessionId)[0]?.messageId)
      assert.strictEqual(cluster.world.inbox(sessionId).length, 1)
    })
  )

  it.scoped("is waited for by calls, which are answered by its next owner", () =>
    Effect.gen(function* () {
      const { cluster, first, second, sessionId } = yield* two
      yield* first.stop
      const created = yield* Effect.fork(second.service.create(sessionId, hourly))
      yield* cluster.pass(6)
      yield* Fiber.join(created)
      assert.strictEqual((yield* second.service.list({ sessionId })).length, 1)
    })
  )

  it.scoped("is no longer written by a Host that lost its lease without noticing", () =>
    Effect.gen(function* () {
      const { cluster, first, index, second, sessionId } = yield* two
      const stale = first.shards.peek(index)!
      // another owner takes the token, as after a pause of this process that it has not noticed yet
      cluster.medium.tokens[index]!++
      const error = yield* Effect.flip(stale.schedule.create(sessionId, hourly))
      assert.strictEqual(error._tag, "StorageOwnershipLost")
      assert.deepStrictEqual(yield* second.service.catalog(), [])
      yield* settle
      assert.isUndefined(first.shards.peek(index))
      // the lease is still this Host's, so it takes the shard again
      yield* cluster.pass(2)
      assert.isDefined(first.shards.peek(index))
      yield* first.service.create(sessionId, hourly)
    })
  )

  it.scoped("goes to another Host when its owner does not reach the leases any more, and comes back", () =>
    Effect.gen(function* () {
      const cluster = yield* TestCluster.make
      const first = yield* cluster.start()
      const second = yield* cluster.start()
      const lost = first.owned()
      assert.isAbove(lost.length, 0)
      cluster.leases.cut.add(String(first.address))
      yield* cluster.pass(20)
      assert.strictEqual(second.owned().length, 8)
      assert.deepStrictEqual(first.owned(), [])
      cluster.leases.cut.clear()
      yield* cluster.pass(30)
      assert.deepStrictEqual([...first.owned(), ...second.owned()].sort(), [0, 1, 2, 3, 4, 5, 6, 7])
      assert.isAbove(first.owned().length, 0)
    })
  )
})

describe("a call to another Host", () => {
  const pair = Effect.map(two, ({ cluster, first, second, sessionId }) => ({
    cluster,
    caller: second,
    owner: first,
    sessionId
  }))

  it.scoped("is made once when its answer is lost, and says that the outcome is unknown", () =>
    Effect.gen(function* () {
      const { caller, cluster, sessionId } = yield* pair
      cluster.network.fault = () => "lost"
      const error = yield* Effect.flip(caller.service.create(sessionId, hourly))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      yield* cluster.pass(2)
      assert.strictEqual((yield* caller.service.list({ sessionId })).length, 1)
    })
  )

  it.scoped("is given up in time when the owner hangs, and says that the outcome is unknown", () =>
    Effect.gen(function* () {
      const { caller, cluster, sessionId } = yield* pair
      cluster.network.fault = () => "frozen"
      const calls = [
        caller.service.create(sessionId, hourly),
        caller.service.delete({ sessionId, id: "none" as ScheduleId }),
        caller.service.update({ sessionId, id: "none" as ScheduleId, expected: {} })
      ]
      const fibers = yield* Effect.forEach(calls, (call) => Effect.fork(Effect.flip<unknown, unknown, never>(call)))
      yield* cluster.pass(11)
      for (const fiber of fibers) assert.deepInclude(yield* Fiber.join(fiber), { _tag: "OutcomeUnknown" })
    })
  )

  it.scoped("waits for an owner that cannot be reached, and says in time that nothing was written", () =>
    Effect.gen(function* () {
      const { caller, cluster, sessionId } = yield* pair
      cluster.network.fault = () => "refused"
      const patient = yield* Effect.fork(caller.service.create(sessionId, hourly))
      yield* cluster.pass(2)
      cluster.network.fault = () => undefined
      yield* cluster.pass(1)
      yield* Fiber.join(patient)

      cluster.network.fault = () => "refused"
      const call = yield* Effect.fork(Effect.flip(caller.service.create(sessionId, hourly)))
      yield* cluster.pass(11)
      assert.strictEqual((yield* Fiber.join(call))._tag, "OwnerUnavailable")
      assert.strictEqual((yield* caller.service.list({ sessionId })).length, 1)
    })
  )

  it.scoped("that only reaches Hosts that are not the owner says that nothing was written", () =>
    Effect.gen(function* () {
      const { caller, cluster, sessionId } = yield* pair
      cluster.network.fault = () => "misled"
      const call = yield* Effect.fork(Effect.flip(caller.service.create(sessionId, hourly)))
      yield* cluster.pass(11)
      assert.strictEqual((yield* Fiber.join(call))._tag, "OwnerUnavailable")
    })
  )

  it.scoped("from whoever does not know the key of the cluster is refused, and writes nothing", () =>
    Effect.gen(function* () {
      const cluster = yield* TestCluster.make
      const stranger = yield* cluster.start({ key: Redacted.make("guessed") })
      const owner = yield* cluster.start()
      const sessionId = sessionOf(owner.owned()[0]!, cluster.count)
      const call = yield* Effect.fork(Effect.flip(stranger.service.create(sessionId, hourly)))
      yield* cluster.pass(11)
      assert.strictEqual((yield* Fiber.join(call))._tag, "OwnerUnavailable")
      assert.deepStrictEqual(yield* owner.service.catalog(), [])
    })
  )

  it.scoped("ends when the cluster gives a hanging owner up", () =>
    Effect.gen(function* () {
      const { caller, cluster, owner, sessionId } = yield* pair
      cluster.network.fault = (to) => (to === owner.address ? "frozen" : undefined)
      const call = yield* Effect.fork(Effect.flip(caller.service.create(sessionId, hourly)))
      cluster.leases.cut.add(String(owner.address))
      yield* cluster.pass(8)
      assert.strictEqual((yield* Fiber.join(call))._tag, "OutcomeUnknown")
      yield* caller.service.create(sessionId, hourly)
      cluster.leases.cut.clear()
    })
  )

  it.scoped("that dies at the owner takes nobody else with it, and is not run again", () =>
    Effect.gen(function* () {
      const { caller, cluster, owner, sessionId } = yield* pair
      const calls: Array<unknown> = []
      const schedule = owner.shards.peek(Shard.of(sessionId, cluster.count))!.schedule
      Object.assign(schedule, {
        delete: (address: unknown) => {
          calls.push(address)
          return Effect.die(new Error("broken"))
        }
      })
      const error = yield* Effect.flip(caller.service.delete({ sessionId, id: "x" as ScheduleId }))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      yield* cluster.pass(3)
      assert.strictEqual(calls.length, 1)
      yield* caller.service.create(sessionId, hourly)
    })
  )
})

const sessionOf = (index: number, count: number): SessionId => {
  for (let i = 0; ; i++) {
    const id = SessionId.make(`s-${i}`)
    if (Shard.of(id, count) === index) return id
  }
}
