import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, FastCheck as fc, Layer, Option, Scope, TestClock } from "effect"
import { AgentDriver, DriverFailure, type Turn } from "../../src/session/AgentDriver.ts"
import * as Disk from "../../src/session/Disk.ts"
import { logPath } from "../../src/session/SessionFiles.ts"
import { realDisk, temporaryDirectory } from "./TempLog.ts"
import { answer, scriptedDriver, sessionId, start } from "./TestSessions.ts"

const one = sessionId("one")
const say = (text: string) => ({ text, source: "user" })

describe("an Agent without turns", () => {
  it.scoped("keeps messages in the inbox until somebody consumes them", () =>
    Effect.gen(function* () {
      const { agent, sessions } = yield* live()
      yield* TestClock.setTime(7)
      const first = yield* agent.followup({ text: "a", source: "schedule", keys: ["k@1"] })
      const second = yield* agent.followup(say("b"))
      assert.deepStrictEqual(yield* agent.inbox, [
        { id: first, text: "a", source: "schedule", keys: ["k@1"] },
        { id: second, text: "b", source: "user" }
      ])
      assert.deepStrictEqual(yield* agent.consume([first, first, second].slice(0, 1)), [first])
      assert.deepStrictEqual(yield* agent.consume([first]), [], "not twice")
      assert.deepStrictEqual(
        (yield* agent.inbox).map(({ id }) => id),
        [second]
      )
      yield* agent.whenIdle
      assert.deepStrictEqual((yield* sessions.show(one)).log, [
        {
          seq: 0,
          time: 7,
          type: "message/user",
          data: { id: first, text: "a", source: "schedule", keys: ["k@1"] }
        },
        { seq: 1, time: 7, type: "message/user", data: { id: second, text: "b", source: "user" } },
        { seq: 2, time: 7, type: "inbox/consumed", data: { messageIds: [first] } }
      ])
    })
  )

  it.scoped("has a follow-up on disk when its flush answers true, and not before", () =>
    Effect.gen(function* () {
      const { agent, home } = yield* live()
      const text = () => fs.readFileSync(logPath(`${home}/sessions`, one), "utf8")
      yield* agent.followup(say("hello"))
      assert.notInclude(text(), "hello")
      assert.isTrue(yield* agent.flush)
      assert.include(text(), "hello")
    })
  )
})

describe("turns", () => {
  it.scoped("run one message each, in order, and answer into the log", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { agent, sessions, home } = yield* live(driver.layer)
      const a = yield* agent.followup(say("a"))
      const b = yield* agent.followup(say("b"))
      const first = yield* driver.next
      assert.deepStrictEqual(first.turn.message, { id: a, text: "a", source: "user" })
      assert.include(fs.readFileSync(logPath(`${home}/sessions`, one), "utf8"), a, "it is on disk before its turn")
      assert.strictEqual(yield* driver.waiting, 0, "the second waits")
      yield* Deferred.succeed(first.end, answer("to a"))
      const second = yield* driver.next
      assert.strictEqual(second.turn.message.id, b)
      yield* Deferred.succeed(second.end, { text: Option.none(), truncated: false })
      yield* agent.whenIdle
      const { log, pending } = yield* sessions.show(one)
      assert.strictEqual(pending, 0)
      assert.deepStrictEqual(
        log.map(({ type, data }) => [type, withoutId(data)]),
        [
          ["message/user", { text: "a", source: "user" }],
          ["message/user", { text: "b", source: "user" }],
          ["message/assistant", { text: "to a", replyTo: a }],
          ["inbox/consumed", { messageIds: [a] }],
          ["inbox/consumed", { messageIds: [b] }]
        ]
      )
    })
  )

  it.scoped("that fail or die leave a visible event, and the next one runs", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { agent, sessions } = yield* live(driver.layer)
      const ids = yield* Effect.forEach(["a", "b", "c", "d"], (text) => agent.followup(say(text)))
      yield* Effect.flatMap(driver.next, ({ end }) =>
        Deferred.fail(end, new DriverFailure({ reason: "exit status 3" }))
      )
      yield* Effect.flatMap(driver.next, ({ end }) => Deferred.die(end, new Error("a bug")))
      yield* Effect.flatMap(driver.next, ({ end }) => Deferred.interrupt(end))
      yield* Effect.flatMap(driver.next, ({ end }) => Deferred.succeed(end, answer("ok")))
      yield* agent.whenIdle
      const failed = (yield* sessions.show(one)).log.filter(({ type }) => type === "turn/failed")
      assert.deepStrictEqual(
        failed.map(({ data }) => data),
        [
          { messageId: ids[0], driver: "scripted", reason: "exit status 3" },
          { messageId: ids[1], driver: "scripted", reason: "the driver failed in an unexpected way" },
          { messageId: ids[2], driver: "scripted", reason: "the turn was interrupted" }
        ]
      )
      assert.deepStrictEqual(yield* agent.inbox, [])
    })
  )

  it.scoped("that a shutdown cuts short run again after the restart, without anyone asking", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const scope = yield* Scope.make()
      const home = yield* temporaryDirectory
      const { agent } = yield* Scope.extend(live(driver.layer, Disk.layer, home), scope)
      yield* agent.followup(say("a"))
      yield* agent.followup(say("b"))
      const cut = yield* driver.next
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(cut.interrupted())

      const { sessions } = yield* start(home, { driver: driver.layer })
      const again = yield* driver.next
      assert.deepStrictEqual(again.turn.message, cut.turn.message)
      yield* Deferred.succeed(again.end, answer("now"))
      yield* Effect.flatMap(driver.next, ({ end }) => Deferred.succeed(end, answer("then")))
      yield* Effect.flatMap(sessions.resolveAgent(one), ({ whenIdle }) => whenIdle)
      assert.deepStrictEqual(
        (yield* sessions.show(one)).log.map(({ type }) => type),
        ["message/user", "message/user", "message/assistant", "inbox/consumed", "message/assistant", "inbox/consumed"]
      )
    })
  )

  it.scoped("keep an Agent from being released", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { home, sessions } = yield* live(driver.layer)
      const two = sessionId("two")
      yield* sessions.create({ id: two })
      yield* Effect.scoped(Effect.flatMap(sessions.resolveAgent(two), (agent) => agent.followup(say("a"))))
      const { end, interrupted } = yield* driver.next
      yield* TestClock.adjust("2 hours")
      assert.isTrue(Option.isSome(yield* sessions.liveAgent(two)))
      assert.isFalse(interrupted())
      yield* Deferred.succeed(end, answer("late"))
      yield* Effect.flatMap(sessions.resolveAgent(two), ({ whenIdle }) => whenIdle)
      assert.include(fs.readFileSync(logPath(`${home}/sessions`, two), "utf8"), "late")
    })
  )

  it.scoped("do not begin with a message that is not on disk, and begin when it is", () =>
    Effect.gen(function* () {
      const real = yield* realDisk
      let broken = false
      const disk = Layer.succeed(Disk.Disk, {
        ...real,
        sync: (file, done) => (broken ? done(new Error("EIO")) : real.sync(file, done))
      })
      const driver = yield* scriptedDriver
      const { agent } = yield* live(driver.layer, disk)
      broken = true
      yield* agent.followup(say("a"))
      assert.isFalse(yield* agent.flush)
      yield* agent.whenIdle
      assert.strictEqual(yield* driver.waiting, 0)
      broken = false
      assert.isTrue(yield* agent.flush)
      assert.strictEqual((yield* driver.next).turn.message.text, "a")
    })
  )

  it.scoped("count as activity: archiving waits for them, or ends them and gives up what waits", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { agent, sessions } = yield* live(driver.layer)
      const a = yield* agent.followup(say("a"))
      const b = yield* agent.followup({ text: "b", source: "schedule" })
      const cut = yield* driver.next
      const error = yield* Effect.flip(sessions.archive(one))
      assert.deepInclude(error, {
        activity: [
          {
            family: "agent",
            items: [
              { id: a, label: "a message from user" },
              { id: b, label: "a message from schedule" }
            ]
          }
        ]
      })
      yield* sessions.archive(one, { stopActivity: true })
      assert.isTrue(cut.interrupted())
      yield* agent.whenIdle
      yield* sessions.unarchive(one)
      assert.deepStrictEqual(yield* agent.inbox, [])
      yield* agent.followup(say("c"))
      assert.strictEqual((yield* driver.next).turn.message.text, "c", "nothing that was stopped comes back")
    })
  )
})

describe("maintenance", () => {
  it.scoped("is refused during a turn and during other maintenance, and turns wait for it", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { agent } = yield* live(driver.layer)
      const go = yield* Deferred.make<void>()
      const maintenance = yield* Effect.fork(
        agent.runMaintenance(Effect.zipRight(agent.followup(say("queued inside")), Deferred.await(go)))
      )
      yield* Effect.yieldNow()
      assert.strictEqual((yield* Effect.flip(agent.runMaintenance(Effect.void)))._tag, "AgentBusy")
      assert.isTrue(yield* agent.flush)
      assert.strictEqual(yield* driver.waiting, 0)
      const idle = yield* Effect.fork(agent.whenIdle)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(maintenance)
      const { end, turn } = yield* driver.next
      assert.strictEqual(turn.message.text, "queued inside")
      assert.strictEqual((yield* Effect.flip(agent.runMaintenance(Effect.void)))._tag, "AgentBusy")
      yield* Deferred.succeed(end, answer("ok"))
      yield* Fiber.join(idle)
      yield* agent.whenIdle
      assert.strictEqual(yield* agent.runMaintenance(Effect.succeed(1)), 1)
    })
  )

  it.scoped("that fails, dies or is interrupted gives the Agent back", () =>
    Effect.gen(function* () {
      const { agent } = yield* live()
      assert.deepStrictEqual(yield* Effect.exit(agent.runMaintenance(Effect.fail("no"))), Exit.fail("no"))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(agent.runMaintenance(Effect.die("no")))))
      const fiber = yield* Effect.fork(agent.runMaintenance(Effect.never))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* agent.runMaintenance(Effect.succeed("free")), "free")
    })
  )

  it.scoped.prop(
    "and turns never overlap, whatever the order of events",
    { steps: fc.array(fc.constantFrom("message", "maintain", "flush", "yield", "interrupt"), { maxLength: 30 }) },
    ({ steps }) =>
      Effect.gen(function* () {
        let owners = 0
        let most = 0
        const ran: Array<string> = []
        const owning = Effect.acquireUseRelease(
          Effect.sync(() => {
            most = Math.max(most, ++owners)
          }),
          () => Effect.yieldNow(),
          () => Effect.sync(() => owners--)
        )
        const driver = Layer.succeed(AgentDriver, {
          name: "busy",
          turn: Option.some(({ message }: Turn) => {
            ran.push(message.text)
            return Effect.as(owning, answer("ok"))
          })
        })
        const { agent } = yield* live(driver)
        const sent: Array<string> = []
        const fibers: Array<Fiber.RuntimeFiber<unknown, unknown>> = []
        for (const step of steps) {
          if (step === "message") {
            sent.push(String(sent.length))
            yield* agent.followup(say(sent.at(-1)!))
          } else if (step === "maintain") fibers.push(yield* Effect.fork(Effect.ignore(agent.runMaintenance(owning))))
          else if (step === "flush") yield* agent.flush
          else if (step === "interrupt" && fibers.length > 0) yield* Fiber.interrupt(fibers.at(-1)!)
          else yield* Effect.yieldNow()
        }
        yield* Effect.forEach(fibers, Fiber.await)
        yield* agent.flush
        yield* agent.whenIdle
        assert.deepStrictEqual(ran, sent, "each message had one turn, in order")
        assert.isAtMost(most, 1)
        assert.strictEqual(owners, 0)
      }),
    { fastCheck: { numRuns: 60 } }
  )
})

const live = (driver?: Layer.Layer<AgentDriver>, disk?: Layer.Layer<Disk.Disk>, directory?: string) =>
  Effect.gen(function* () {
    const home = directory ?? (yield* temporaryDirectory)
    const { sessions } = yield* start(home, { ...(driver && { driver }), ...(disk && { disk }) })
    yield* sessions.create({ id: one })
    return { agent: yield* sessions.resolveAgent(one), sessions, home }
  })

const withoutId = (data: unknown) => {
  const { id: _, ...rest } = data as { readonly id?: string }
  return rest
}
