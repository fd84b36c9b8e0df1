import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, TestClock } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import { AgentUnavailable } from "../../src/runtime/AgentResolver.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"
import * as World from "./World.ts"

const s1 = SessionId.make("s1")
const s2 = SessionId.make("s2")
const request = (title: string, selector: object) => ({ title, prompt: `prompt of ${title}`, ...selector })
const oneShot = (title: string, seconds: number) => request(title, { after_seconds: seconds })
const every = (title: string, seconds: number) => request(title, { every_seconds: seconds })
const offline = new StorageFailure({ message: "offline" })
const unavailable = new AgentUnavailable({ message: "broken" })

describe("delivery", () => {
  it.scoped("a due one-shot becomes one message, a receipt with the prompt that was sent, and an inactive task", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const { id } = yield* service.create(s1, { title: "T", prompt: 'say "hi"\n', after_seconds: 2 })
      yield* TestClock.adjust("1999 millis")
      assert.deepStrictEqual(world.inbox(s1), [])
      yield* TestClock.adjust("1 millis")
      const [message, ...others] = world.inbox(s1)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(
        message?.text,
        [
          "[SCHEDULE REMINDER]",
          "This is a scheduled message from the user",
          `schedule_id_json: "${id}"`,
          "occurrence_at: 1970-01-01T00:00:02.000Z",
          'reminder_prompt_json: "say \\"hi\\""'
        ].join("\n")
      )
      assert.deepStrictEqual(message?.keys, [`${id}@1970-01-01T00:00:02.000Z`])
      const receipt = {
        scheduledAt: Instant.format(2_000),
        deliveredAt: Instant.format(2_000),
        messageId: message?.messageId
      }
      assert.deepInclude<unknown>((yield* service.catalog())[0], { status: "inactive", lastDelivery: receipt })
      assert.deepStrictEqual<unknown>(yield* service.history({ sessionId: s1, id, limit: 5 }), {
        id,
        records: [{ ...receipt, prompt: 'say "hi"' }],
        earlierRecordsUnavailable: false,
        earlierRecordsPruned: false,
        retention: { days: 30, records: 200 }
      })
    })
  )

  it.scoped("all due recurring tasks of a Session share one message, by target and then by creation", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const b = yield* service.create(s1, every("b", 120))
      const a = yield* service.create(s1, every("a", 120))
      const first = yield* service.create(s1, request("first", { at: "1970-01-01T00:01:30Z" }))
      world.onResolve = () => unavailable
      yield* TestClock.adjust("119 seconds")
      world.onResolve = () => Effect.void
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(world.texts(s1).map(headline), [
        `[SCHEDULE REMINDER] ${first.id}`,
        `[SCHEDULE REMINDER BATCH] ${b.id} ${a.id}`
      ])
      const catalog = yield* service.catalog()
      const shared = catalog.filter(({ record }) => record.kind === "every").map((task) => task.lastDelivery?.messageId)
      assert.deepStrictEqual(shared, [world.inbox(s1)[1]?.messageId, world.inbox(s1)[1]?.messageId])
    })
  )

  it.scoped("after downtime each recurring task delivers its latest missed occurrence only", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const down = yield* world.start()
      const { id } = yield* down.service.create(s1, every("each", 60))
      const once = yield* down.service.create(s1, oneShot("once", 90))
      yield* down.stop
      yield* TestClock.adjust("330 seconds")
      const { service } = yield* world.start()
      assert.deepStrictEqual(world.texts(s1).map(headline), [
        `[SCHEDULE REMINDER] ${once.id}`,
        `[SCHEDULE REMINDER BATCH] ${id}`
      ])
      assert.deepStrictEqual(world.inbox(s1)[1]?.keys, [`${id}@1970-01-01T00:05:00.000Z`])
      assert.deepStrictEqual<unknown>(
        (yield* service.list({ sessionId: s1 })).map(({ scheduledAt }) => scheduledAt),
        ["1970-01-01T00:06:00.000Z"]
      )
      assert.strictEqual(world.activations.length, 1)
    })
  )

  it.scoped("a recurring task whose calendar ends becomes inactive with its receipt", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      yield* TestClock.setTime(Instant.max - 90_000)
      const { service } = yield* world.start()
      yield* service.create(s1, every("each", 60))
      yield* TestClock.adjust("60 seconds")
      const [task] = yield* service.catalog()
      assert.deepInclude(task, { status: "inactive" })
      assert.strictEqual(task?.lastDelivery?.scheduledAt, task?.record.scheduledAt)
    })
  )

  it.scoped("a task that was deleted or moved while its Agent was being resolved is left alone", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const gate = yield* Deferred.make<void>()
      world.onResolve = () => Deferred.await(gate)
      const deleted = yield* service.create(s1, oneShot("deleted", 1))
      const moved = yield* service.create(s1, oneShot("moved", 1))
      const reworded = yield* service.create(s1, oneShot("reworded", 1))
      yield* TestClock.adjust("1 second")
      yield* service.delete({ sessionId: s1, id: deleted.id })
      const edit = { sessionId: s1, id: moved.id, expected: moved, change: { kind: "at", at: "1970-01-02T00:00:00Z" } }
      assert.deepInclude(yield* service.update(edit), { updated: true })
      yield* service.update({ sessionId: s1, id: reworded.id, expected: reworded, prompt: "new words" })
      yield* Deferred.succeed(gate, undefined)
      yield* World.settle
      assert.deepStrictEqual(world.texts(s1).map(headline), [`[SCHEDULE REMINDER] ${reworded.id}`])
      assert.include(world.texts(s1)[0], "new words")
    })
  )

  it.scoped("a clock that went back during activation delays the delivery until the target is reached again", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start({ maxSleep: Duration.hours(1) })
      const gate = yield* Deferred.make<void>()
      world.onResolve = () => Deferred.await(gate)
      yield* service.create(s1, oneShot("once", 3600))
      yield* TestClock.adjust("1 hour")
      yield* TestClock.setTime(0)
      yield* Deferred.succeed(gate, undefined)
      yield* TestClock.adjust("59 minutes")
      assert.deepStrictEqual(world.inbox(s1), [])
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(world.inbox(s1).length, 1)
    })
  )

  for (const [how, onResolve] of [
    ["fails", () => unavailable],
    ["throws", () => Effect.die("bug")],
    ["throws before it returns", () => throwing()],
    ["never answers", () => Effect.never],
    ["never answers and cannot be interrupted", () => Effect.uninterruptible(Effect.never)]
  ] as const) {
    it.scoped(`a resolver that ${how} delays only its own Session`, () =>
      Effect.gen(function* () {
        const world = yield* World.make
        const { service } = yield* world.start()
        world.onResolve = (sessionId) => (sessionId === s1 ? onResolve() : Effect.void)
        const { id } = yield* service.create(s1, oneShot("stuck", 1))
        yield* service.create(s2, oneShot("fine", 1))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(world.inbox(s2).length, 1)
        yield* service.create(s2, oneShot("later", 1))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(world.inbox(s2).length, 2)
        yield* TestClock.adjust("90 seconds")
        assert.deepStrictEqual(world.inbox(s1), [])
        const warning = world.logs.find((line) => line.startsWith("WARN") && line.includes(id))
        assert.include(warning, "sessionId=s1")
        world.onResolve = () => Effect.void
        yield* service.create(s2, oneShot("wake", 3600))
        yield* World.settle
        assert.strictEqual(world.inbox(s1).length, 1)
      })
    )
  }

  for (const [how, onFlush] of [
    ["is not acknowledged", () => Effect.succeed(false)],
    ["fails", () => unavailable],
    ["throws", () => Effect.die("bug")],
    ["never answers", () => Effect.never],
    ["never answers and cannot be interrupted", () => Effect.uninterruptible(Effect.never)]
  ] as const) {
    it.scoped(`a flush that ${how} publishes nothing, keeps the task and frees the FIFO`, () =>
      Effect.gen(function* () {
        const world = yield* World.make
        const { service } = yield* world.start()
        world.onFlush = () => onFlush()
        const { id } = yield* service.create(s1, oneShot("once", 1))
        yield* TestClock.adjust("1 second")
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(world.commits, 0)
        assert.deepStrictEqual(
          (yield* service.catalog()).map(({ lastDelivery, status }) => ({ lastDelivery, status })),
          [{ lastDelivery: undefined, status: "active" }]
        )
        assert.isTrue(world.logs.some((line) => line.startsWith("WARN") && line.includes(id)))
        world.onFlush = () => Effect.succeed(true)
        yield* service.create(s2, oneShot("wake", 3600))
        yield* World.settle
        assert.deepInclude((yield* service.catalog())[0], { status: "inactive" })
        assert.strictEqual(world.inbox(s1).length, 1, "the message that the Session holds is not sent again")
      })
    )
  }

  it.scoped("an Agent that refuses a message keeps what came before it and stops there", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      world.onFollowup = (_, text) => (text.includes("second") ? unavailable : Effect.void)
      for (const title of ["first", "second", "third"]) yield* service.create(s1, oneShot(title, 1))
      yield* TestClock.adjust("1 second")
      const status = Effect.map(service.catalog(), (tasks) =>
        Object.fromEntries(tasks.map(({ record, status }) => [record.title, status]))
      )
      assert.deepStrictEqual(yield* status, { first: "inactive", second: "active", third: "active" })
      assert.strictEqual(world.inbox(s1).length, 1)
      world.onFollowup = () => Effect.void
      yield* service.create(s2, oneShot("wake", 3600))
      yield* World.settle
      assert.deepInclude(yield* status, { first: "inactive", second: "inactive", third: "inactive" })
      assert.deepStrictEqual(
        world.texts(s1).map((text) => text.split("of ")[1]),
        ['first"', 'second"', 'third"']
      )
    })
  )

  it.scoped("what failed stays out of the timer until another target wakes the drive", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      yield* service.create(s2, oneShot("another", 7200))
      world.onResolve = (sessionId) => (sessionId === s1 ? unavailable : Effect.void)
      yield* service.create(s1, oneShot("once", 1))
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(world.activations, [s1])
      world.onResolve = () => Effect.void
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(world.inbox(s1).length, 1)
    })
  )

  it.scoped("without a handler tasks stay and management works; a handler that registers gets what is overdue", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { resolver, service } = yield* world.start({ handler: false })
      yield* service.create(s1, oneShot("once", 1))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* service.list({ sessionId: s1 })).length, 1)
      assert.isTrue(world.logs.some((line) => line.includes("no handler")))
      yield* resolver.registerController(world.handler)
      yield* World.settle
      assert.strictEqual(world.inbox(s1).length, 1)
    })
  )

  it.scoped("a composition's handler comes before the Session controller's, until it goes", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { resolver, service } = yield* world.start()
      const own: Array<SessionId> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* resolver.register((sessionId) =>
            Effect.zipRight(
              Effect.sync(() => own.push(sessionId)),
              world.handler(sessionId)
            )
          )
          yield* service.create(s1, oneShot("once", 1))
          yield* TestClock.adjust("1 second")
          assert.deepStrictEqual(own, [s1])
        })
      )
      yield* service.create(s1, oneShot("once", 1))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(own, [s1])
      assert.strictEqual(world.inbox(s1).length, 2)
    })
  )

  it.scoped("if one member's write fails, the others commit and stay in the timer", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const bad = yield* service.create(s1, every("bad", 60))
      const good = yield* service.create(s1, every("good", 60))
      world.onCommit = (ids) => (ids.includes(bad.id) ? offline : Effect.void)
      yield* TestClock.adjust("1 minute")
      const targets = Effect.map(service.catalog(), (tasks) =>
        Object.fromEntries(tasks.map(({ record }) => [record.title, record.scheduledAt.slice(14, 19)]))
      )
      assert.deepStrictEqual(yield* targets, { bad: "01:00", good: "02:00" })
      assert.isTrue(world.logs.some((line) => line.includes(`taskIds=${bad.id} `)))
      world.onCommit = () => Effect.void
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* targets, { bad: "03:00", good: "03:00" })
      assert.deepInclude(world.inbox(s1)[1], { keys: [bad, good].map(({ id }) => `${id}@1970-01-01T00:02:00.000Z`) })
    })
  )

  it.scoped("a message left over from a delivery without receipt is recorded, not sent again", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const crashed = yield* world.start()
      const record = yield* crashed.service.create(s1, every("each", 60))
      const once = yield* crashed.service.create(s1, oneShot("once", 60))
      world.onCommit = () => Effect.die("killed")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(world.inbox(s1).length, 2)
      yield* crashed.stop
      world.onCommit = () => Effect.void
      yield* TestClock.adjust("10 seconds")
      const { service } = yield* world.start()
      assert.strictEqual(world.inbox(s1).length, 2)
      const [ofOnce, ofEach] = world.inbox(s1)
      for (const [id, message] of [
        [record.id, ofEach],
        [once.id, ofOnce]
      ] as const) {
        const history = yield* service.history({ sessionId: s1, id, limit: 5 })
        assert.deepStrictEqual<unknown>("records" in history && history.records.map(({ messageId }) => messageId), [
          message?.messageId
        ])
      }
    })
  )

  it.scoped("of a batch that was partly recorded only the new members are sent", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const crashed = yield* world.start()
      const old = yield* crashed.service.create(s1, every("old", 120))
      world.onCommit = () => offline
      yield* TestClock.adjust("2 minutes")
      world.onCommit = () => Effect.void
      const fresh = yield* crashed.service.create(s1, every("fresh", 60))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        world.inbox(s1).map(({ keys }) => keys),
        [[`${old.id}@1970-01-01T00:02:00.000Z`], [`${fresh.id}@1970-01-01T00:03:00.000Z`]]
      )
    })
  )

  it.scoped("an Agent that cannot tell what it holds gets the message again", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      world.knowsKeys = false
      const { service } = yield* world.start()
      yield* service.create(s1, oneShot("once", 1))
      world.onCommit = () => offline
      yield* TestClock.adjust("1 second")
      world.onCommit = () => Effect.void
      yield* service.create(s2, oneShot("wake", 3600))
      yield* World.settle
      assert.strictEqual(world.inbox(s1).length, 2)
      assert.strictEqual((yield* service.catalog())[0]?.lastDelivery?.messageId, world.inbox(s1)[1]?.messageId)
    })
  )

  it.scoped("an occurrence that comes again because the clock went back is sent again", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start({ maxSleep: Duration.hours(1) })
      const request_ = { daily: { time: "09:00:00", time_zone: "UTC" } }
      const record = yield* service.create(s1, request("daily", request_))
      yield* TestClock.setTime(9 * 3_600_000)
      yield* World.settle
      assert.strictEqual(world.inbox(s1).length, 1)
      yield* TestClock.setTime(8 * 3_600_000)
      const [expected] = yield* service.list({ sessionId: s1 })
      const address = { sessionId: s1, id: record.id }
      yield* service.update({ ...address, expected, change: { kind: "every", every_seconds: 3600 } })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(world.inbox(s1).length, 2)
      const history = yield* service.history({ ...address, limit: 5 })
      assert.strictEqual("records" in history && history.records.length, 2)
    })
  )

  it.scoped(
    "an occurrence that comes again after others is sent again, since its message has its receipt already",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make
        const { service } = yield* world.start()
        const { id } = yield* service.create(s1, every("each", 60))
        const retimed = (everySeconds: number) =>
          Effect.flatMap(service.list({ sessionId: s1 }), ([expected]) =>
            service.update({ sessionId: s1, id, expected, change: { kind: "every", every_seconds: everySeconds } })
          )
        yield* TestClock.adjust("3 minutes")
        yield* TestClock.setTime(0)
        yield* retimed(61)
        yield* retimed(60)
        yield* TestClock.adjust("1 minute")
        yield* TestClock.adjust("1 minute")
        const history = yield* service.history({ sessionId: s1, id, limit: 10 })
        const minutes = "records" in history && history.records.map(({ scheduledAt }) => scheduledAt.slice(14, 19))
        assert.deepStrictEqual(minutes, ["02:00", "01:00", "03:00", "02:00", "01:00"])
        assert.strictEqual(world.inbox(s1).length, 5)
      })
  )

  it.scoped("what becomes due while its Session is being delivered to follows right after", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      yield* service.create(s1, oneShot("first", 1))
      yield* service.create(s1, oneShot("second", 2))
      const gate = yield* Deferred.make<boolean>()
      world.onFlush = () => Deferred.await(gate)
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(world.inbox(s1).length, 1)
      yield* Deferred.succeed(gate, true)
      yield* World.settle
      assert.strictEqual(world.inbox(s1).length, 2)
    })
  )

  it.scoped(
    "a Session with many one-shots lets others in between, and ends with one message for its recurring tasks",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make
        const { service } = yield* world.start()
        yield* service.create(s1, request("a", { every_seconds: 60 }))
        yield* service.create(s1, request("b", { every_seconds: 60 }))
        yield* Effect.forEach(Array.from({ length: 600 }), () => service.create(s1, oneShot("once", 60)))
        yield* service.create(s2, oneShot("once", 60))
        const order: Array<SessionId> = []
        world.onFlush = (sessionId) => {
          order.push(sessionId)
          return Effect.succeed(true)
        }
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual(world.inbox(s1).length, 601)
        assert.match(world.texts(s1)[600] ?? "", /^\[SCHEDULE REMINDER BATCH\]/)
        assert.include(order.slice(0, -1), s2)
        const oneShots = (yield* service.catalog()).filter(({ record }) => record.kind === "after")
        assert.isTrue(oneShots.every(({ status }) => status === "inactive"))
      })
  )

  it.scoped("no more Sessions are delivered to at once than deliveryConcurrency says", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start({ deliveryConcurrency: 2 })
      let running = 0
      let most = 0
      world.onResolve = () =>
        Effect.acquireUseRelease(
          Effect.sync(() => (most = Math.max(most, ++running))),
          () => Effect.sleep("200 millis"),
          () => Effect.sync(() => running--)
        )
      for (let i = 0; i < 5; i++) yield* service.create(SessionId.make(`session-${i}`), oneShot("once", 1))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(world.inboxes.size, 5)
      assert.strictEqual(most, 2)
    })
  )

  it.scoped("Sessions that hang give their places to others, however many there are", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start({ deliveryConcurrency: 2 })
      world.onResolve = (sessionId) => (sessionId === s1 ? Effect.void : Effect.never)
      for (let i = 0; i < 20; i++) yield* service.create(SessionId.make(`hung-${i}`), oneShot("once", 1))
      yield* service.create(s1, oneShot("once", 20))
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(world.inbox(s1).length, 1)
    })
  )

  it.scoped("stopping completes the delivery whose turn has come and gives up the one that still resolves", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const host = yield* world.start()
      const gate = yield* Deferred.make<boolean>()
      world.onFlush = () => Deferred.await(gate)
      world.onResolve = (sessionId) => (sessionId === s2 ? Effect.never : Effect.void)
      yield* host.service.create(s1, oneShot("flushing", 1))
      yield* host.service.create(s2, oneShot("resolving", 1))
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.fork(host.stop)
      yield* World.settle
      assert.isNull(stopping.unsafePoll())
      yield* Deferred.succeed(gate, true)
      yield* Fiber.join(stopping)
      const status = (yield* world.domain.catalog).map(({ record, status }) => `${record.title} ${status}`)
      assert.sameMembers(status, ["flushing inactive", "resolving active"])
    })
  )
})

const throwing = (): Effect.Effect<never> => {
  throw new Error("bug")
}

/** The kind of a message and the ids that it names. */
const headline = (text: string) =>
  `${text.split("\n")[0]} ${[...text.matchAll(/"(schedule-[0-9a-f-]{36})"/g)].map(([, id]) => id).join(" ")}`
