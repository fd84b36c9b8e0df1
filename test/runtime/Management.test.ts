import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream, TestClock } from "effect"
import { ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"
import * as World from "./World.ts"

const s1 = SessionId.make("s1")
const s2 = SessionId.make("s2")
const absent = ScheduleId.make("schedule-00000000-0000-4000-8000-00000000dead")
const request = (title: string, selector: object) => ({ title, prompt: `prompt of ${title}`, ...selector })
const hour = request("hour", { after_seconds: 3600 })
const offline = new StorageFailure({ message: "offline" })

describe("ScheduleService management", () => {
  it.scoped("create stores an active task, and list answers a Session's own in creation order", () =>
    Effect.gen(function* () {
      const { service } = yield* (yield* World.make).start()
      const late = yield* service.create(s1, request("late", { after_seconds: 7200 }))
      const soon = yield* service.create(s1, request("soon", { after_seconds: 60 }))
      yield* service.create(s2, hour)
      assert.deepStrictEqual(yield* service.list({ sessionId: s1 }), [late, soon])
      assert.deepStrictEqual(
        (yield* service.catalog()).map(({ record }) => record.title),
        ["soon", "hour", "late"]
      )
      assert.deepStrictEqual((yield* service.catalog())[0], { sessionId: s1, record: soon, status: "active" })
    })
  )

  it.scoped("pages of the catalog put together are the catalog, and wrong limits and cursors are refused", () =>
    Effect.gen(function* () {
      const { service } = yield* (yield* World.make).start()
      for (let i = 0; i < 5; i++) yield* service.create(s1, request(`${i}`, { after_seconds: i < 3 ? 60 : 1 }))
      yield* TestClock.adjust("1 second")
      const catalog = yield* service.catalog()
      for (const status of [undefined, "active", "inactive"] as const) {
        const expected = catalog.filter((task) => status === undefined || task.status === status)
        for (const limit of [1, 2, 3, 5, 1000]) {
          const tasks: Array<unknown> = []
          let after: string | undefined
          do {
            const page = yield* service.catalogPage({ limit, after, status })
            assert.isAtMost(page.tasks.length, limit)
            tasks.push(...page.tasks)
            after = page.nextAfter
          } while (after !== undefined)
          assert.deepStrictEqual(tasks, expected)
        }
      }
      for (const query of [
        { limit: 0 },
        { limit: 1001 },
        { limit: "1" },
        { limit: 1, after: "" },
        { limit: 1, after: 7 }
      ]) {
        assert.deepInclude(yield* Effect.flip(service.catalogPage(query)), { code: "invalid_rule" })
      }
    })
  )

  it.scoped("a refused request is a typed error and stores nothing", () =>
    Effect.gen(function* () {
      const { service } = yield* (yield* World.make).start()
      const error = yield* Effect.flip(service.create(s1, request("x", { every_seconds: 59 })))
      assert.deepInclude(error, { _tag: "ScheduleInputError", code: "frequency_too_high" })
      assert.deepStrictEqual(yield* service.catalog(), [])
    })
  )

  it.scoped("a failed write is the caller's failure, and nothing is stored", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      world.onPut = () => offline
      assert.strictEqual((yield* Effect.flip(service.create(s1, hour)))._tag, "StorageFailure")
      assert.deepStrictEqual(yield* service.list({ sessionId: s1 }), [])
    })
  )

  it.scoped("the time of a creation is when it was called, not when its turn came", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const gate = yield* Deferred.make<void>()
      world.onPut = () => Deferred.await(gate)
      const slow = yield* Effect.fork(service.create(s1, hour))
      yield* World.settle
      const queued = yield* Effect.fork(service.create(s2, request("soon", { after_seconds: 5 })))
      yield* TestClock.adjust("1 minute")
      world.onPut = () => Effect.void
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(slow)
      assert.strictEqual((yield* Fiber.join(queued)).scheduledAt, "1970-01-01T00:00:05.000Z")
      yield* World.settle
      assert.strictEqual(world.inbox(s2).length, 1)
    })
  )

  it.scoped(
    "a caller interrupted while its creation is queued leaves nothing behind; one being written completes",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make
        const { service } = yield* world.start()
        const gate = yield* Deferred.make<void>()
        world.onPut = () => Deferred.await(gate)
        const writing = yield* Effect.fork(service.create(s1, request("writing", { after_seconds: 60 })))
        yield* World.settle
        const queued = yield* Effect.fork(service.create(s1, request("queued", { after_seconds: 60 })))
        yield* World.settle
        yield* Fiber.interrupt(queued)
        yield* Fiber.interruptFork(writing)
        yield* World.settle
        assert.isNull(writing.unsafePoll())
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.await(writing)
        assert.deepStrictEqual(
          (yield* service.list({ sessionId: s1 })).map(({ title }) => title),
          ["writing"]
        )
      })
  )

  it.scoped("a task bound to another Session is answered like a missing one", () =>
    Effect.gen(function* () {
      const { service } = yield* (yield* World.make).start()
      const record = yield* service.create(s1, hour)
      for (const address of [
        { sessionId: s2, id: record.id },
        { sessionId: s1, id: absent }
      ]) {
        const code = "schedule_not_found"
        const { id } = address
        assert.deepStrictEqual(yield* service.history({ ...address, limit: 1 }), { id, code })
        assert.deepStrictEqual(yield* service.update({ ...address, expected: record, title: "new" }), {
          id,
          updated: false,
          code
        })
        assert.deepStrictEqual(yield* service.delete(address), { id, deleted: false, code })
      }
      assert.deepStrictEqual(yield* service.list({ sessionId: s1 }), [record])
    })
  )

  it.scoped("a delegated child's Session is refused new reminders and edits, and served otherwise", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const record = yield* service.create(s1, hour)
      const address = { sessionId: s1, id: record.id }
      world.depths.set(s1, 1)
      assert.deepInclude(yield* Effect.flip(service.create(s1, hour)), { code: "subagent_session" })
      assert.deepInclude(yield* service.update({ ...address, expected: record, title: "new" }), {
        updated: false,
        code: "subagent_session"
      })
      assert.deepStrictEqual(yield* service.list({ sessionId: s1 }), [record])
      assert.deepInclude(yield* service.history({ ...address, limit: 1 }), { id: record.id, records: [] })
      assert.deepStrictEqual(yield* service.delete(address), { id: record.id, deleted: true })
    })
  )

  it.scoped("update answers the committed record, keeps the history, and moves the timer", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const record = yield* service.create(s1, request("each", { every_seconds: 60 }))
      yield* TestClock.adjust("1 minute")
      const [delivered] = yield* service.list({ sessionId: s1 })
      const address = { sessionId: s1, id: record.id }
      const answer = yield* service.update({
        ...address,
        expected: delivered,
        title: "renamed",
        change: { kind: "every", every_seconds: 3600 }
      })
      const renamed: ScheduleRecord = {
        ...(delivered as ScheduleRecord & { kind: "every" }),
        title: "renamed",
        everySeconds: 3600,
        scheduledAt: "1970-01-01T01:01:00.000Z" as ScheduleRecord["scheduledAt"]
      }
      assert.deepStrictEqual(answer, { id: record.id, updated: true, record: renamed })
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(world.inbox(s1).length, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(world.inbox(s1).length, 2)
      const history = yield* service.history({ ...address, limit: 10 })
      assert.deepInclude(history, { earlierRecordsPruned: false, retention: { days: 30, records: 200 } })
      assert.strictEqual("records" in history && history.records.length, 2)
    })
  )

  it.scoped("update refuses a stale record, an ended task and wrong input, each with its code", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const stale = yield* service.create(s1, request("each", { every_seconds: 60 }))
      const once = yield* service.create(s1, request("once", { after_seconds: 1 }))
      yield* TestClock.adjust("1 minute")
      const update = (record: ScheduleRecord, edit: object) =>
        service.update({ sessionId: s1, id: record.id, expected: record, ...edit })
      assert.deepInclude(yield* update(stale, { title: "new" }), { updated: false, code: "schedule_conflict" })
      assert.deepInclude(yield* update(once, { title: "new" }), { updated: false, code: "schedule_ended" })
      const [fresh] = yield* service.list({ sessionId: s1 })
      const refused = yield* update(fresh!, { title: " " })
      assert.deepInclude(refused, { id: stale.id, updated: false, code: "invalid_prompt" })
      assert.isString("message" in refused && refused.message)
    })
  )

  it.scoped("an update that changes nothing writes and announces nothing", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const record = yield* service.create(s1, request("each", { every_seconds: 60 }))
      const changes = yield* collectChanges(service.changes)
      const answer = yield* service.update({
        sessionId: s1,
        id: record.id,
        expected: record,
        change: { kind: "every", every_seconds: 60 }
      })
      yield* World.settle
      assert.deepStrictEqual(answer, { id: record.id, updated: false, record })
      assert.strictEqual(changes.count, 0)
    })
  )

  it.scoped("an update compares and reads the clock when its turn has come", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const record = yield* service.create(s1, request("each", { every_seconds: 3600 }))
      const gate = yield* Deferred.make<void>()
      world.onPut = () => Deferred.await(gate)
      yield* Effect.fork(service.create(s2, hour))
      yield* World.settle
      const change = { kind: "every", every_seconds: 60 }
      const address = { sessionId: s1, id: record.id, expected: record }
      const first = yield* Effect.fork(service.update({ ...address, change }))
      const second = yield* Effect.fork(service.update({ ...address, title: "new" }))
      yield* TestClock.adjust("10 seconds")
      yield* Deferred.succeed(gate, undefined)
      const answer = yield* Fiber.join(first)
      assert.deepNestedInclude(answer, { "record.scheduledAt": "1970-01-01T00:01:10.000Z" })
      assert.deepInclude(yield* Fiber.join(second), { code: "schedule_conflict" })
    })
  )

  it.scoped("delete removes a task with its history, active or inactive", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const active = yield* service.create(s1, hour)
      const ended = yield* service.create(s1, request("once", { after_seconds: 1 }))
      yield* TestClock.adjust("1 second")
      for (const { id } of [active, ended]) {
        assert.deepStrictEqual(yield* service.delete({ sessionId: s1, id }), { id, deleted: true })
        assert.deepInclude(yield* service.history({ sessionId: s1, id, limit: 1 }), { code: "schedule_not_found" })
      }
      assert.deepStrictEqual(yield* service.catalog(), [])
      assert.strictEqual(world.inbox(s1).length, 1)
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(world.inbox(s1).length, 1)
    })
  )

  it.scoped("deleteInactive removes every ended task and no other, and says how many", () =>
    Effect.gen(function* () {
      const { service } = yield* (yield* World.make).start()
      yield* service.create(s1, request("once", { after_seconds: 1 }))
      yield* service.create(s2, request("once", { after_seconds: 1 }))
      const kept = yield* service.create(s2, hour)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* service.deleteInactive(), 2)
      assert.deepStrictEqual(
        (yield* service.catalog()).map(({ record }) => record),
        [kept]
      )
      assert.strictEqual(yield* service.deleteInactive(), 0)
    })
  )

  it.scoped("a rejection of deleteInactive is announced, since rows may be gone", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const changes = yield* collectChanges(service.changes)
      world.onRemoveInactive = () => offline
      assert.strictEqual((yield* Effect.flip(service.deleteInactive()))._tag, "StorageFailure")
      yield* World.settle
      assert.strictEqual(changes.count, 1)
    })
  )

  it.scoped("schedule/changed follows every committed change, and a reader that does not read holds nobody back", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const stuck = yield* Effect.fork(Stream.runForEach(service.changes, () => Effect.never))
      const changes = yield* collectChanges(service.changes)
      const check = <A, E>(name: string, act: Effect.Effect<A, E>) => {
        const before = changes.count
        return act.pipe(
          Effect.tap(World.settle),
          Effect.tap(() => Effect.sync(() => assert.strictEqual(changes.count, before + 1, name)))
        )
      }
      const record = yield* check("create", service.create(s1, request("each", { every_seconds: 60 })))
      const address = { sessionId: s1, id: record.id }
      yield* check("update", service.update({ ...address, expected: record, title: "new" }))
      yield* check("delivery", TestClock.adjust("1 minute"))
      yield* check("delete", service.delete(address))
      yield* check("deleteInactive", service.deleteInactive())
      yield* Fiber.interrupt(stuck)
    })
  )

  it.scoped("history refuses a wrong limit and tells an unknown cursor from a missing task", () =>
    Effect.gen(function* () {
      const { service } = yield* (yield* World.make).start()
      const { id } = yield* service.create(s1, request("each", { every_seconds: 60 }))
      for (let i = 0; i < 5; i++) yield* TestClock.adjust("1 minute")
      const page = (query: object) => service.history({ sessionId: s1, id, limit: 2, ...query })
      for (const limit of [0, 101, 1.5, "2", undefined]) {
        assert.deepInclude(yield* Effect.flip(page({ limit })), { code: "invalid_rule" })
      }
      const first = yield* page({})
      assert.isTrue("records" in first && first.records.length === 2)
      const second = yield* page({ before: "nextBefore" in first ? first.nextBefore : "" })
      assert.deepStrictEqual<unknown>("records" in second && second.records.map(({ scheduledAt }) => scheduledAt), [
        "1970-01-01T00:03:00.000Z",
        "1970-01-01T00:02:00.000Z"
      ])
      assert.deepStrictEqual(yield* page({ before: "unknown" }), { id, code: "delivery_cursor_not_found" })
    })
  )

  it.scoped("none of it activates an Agent", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const { id } = yield* service.create(s1, hour)
      const [expected] = yield* service.list({ sessionId: s1 })
      yield* service.update({ sessionId: s1, id, expected, title: "new" })
      yield* service.catalog()
      yield* service.catalogPage({ limit: 10 })
      yield* service.history({ sessionId: s1, id, limit: 10 })
      yield* service.deleteInactive()
      yield* TestClock.adjust("30 minutes")
      yield* service.delete({ sessionId: s1, id })
      yield* World.settle
      assert.deepStrictEqual(world.activations, [])
    })
  )

  it.scoped("a stopping Host refuses writes", () =>
    Effect.gen(function* () {
      const { service, stop } = yield* (yield* World.make).start()
      const record = yield* service.create(s1, hour)
      yield* stop
      const address = { sessionId: s1, id: record.id }
      for (const refused of [
        service.create(s1, hour),
        service.update({ ...address, expected: record, title: "new" }),
        service.delete(address),
        service.deleteInactive()
      ]) {
        assert.strictEqual((yield* Effect.flip<unknown, { _tag: string }, never>(refused))._tag, "ServiceStopping")
      }
    })
  )
})

const collectChanges = (changes: Stream.Stream<void>) =>
  Effect.gen(function* () {
    const seen = { count: 0 }
    yield* Effect.forkScoped(Stream.runForEach(changes, () => Effect.sync(() => seen.count++)))
    yield* World.settle
    return seen
  })
