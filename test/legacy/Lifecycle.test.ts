/**
 * The life of a delivery, step by step, and the test that holds each. Those of other files are in brackets.
 *
 * 1  The earliest target follows from the durable log alone.            [SessionLocal: goes on after a restart …]
 * 2  No timer is longer than half a minute; the clock is read again.    [SessionLocal: is looked at every half minute …, never comes early …]
 * 3  Due one-shots come first, one later turn each.                     [SessionLocal: gives due one-shots a message each …, waits for a turn …]
 * 4  Then all due `every` records in one batch, by target and creation. [SessionLocal: gives due one-shots …] what is not due yet …
 * 5  The log is flushed before anything is due.                         [SessionLocal: does not begin while the log cannot be flushed …]
 * 6  A busy Agent is left alone, and tried again when it is idle.       [SessionLocal: waits for a turn …, catches up …]
 * 7  In the phase: fold again, one decision, frame, queue, append.      [SessionLocal: has dispatched before …] decides inside the phase …
 * 8  A dispatch has the id, of `every` the same acceptedAt, and its next target. [SessionLocal: gives due one-shots …; Peer, History]
 * 9  Missed occurrences are neither listed nor sent; records go on independently. [SessionLocal: catches up …] what is not due yet …
 * 10 Input that comes in the phase waits for its end; then the dispatch is flushed. what comes in the phase …, is on disk …
 * 11 The message opens a later turn and interrupts none.                [SessionLocal: waits for a turn to end …]
 * 12 Its answer is part of the transcript like any other.               is answered in the transcript …
 * 13 A dispatch says that the message was queued, not that a turn succeeded. is done with when its turn fails …
 * 14 No dispatch without framing and a queued message.                  [SessionLocal: writes no dispatch when …] writes no dispatch when it cannot be framed …
 * 15 An append that fails ends the owner.                               [SessionLocal: stops for good …]
 * 16 A flush that fails leaves the dispatch to a later one.             leaves a dispatch that was not flushed to the next call …
 * 17 Disposal begins nothing new, waits for what is under way, and deletes nothing. disposal …
 * 18 After a failure nothing is tried again before a call or an event of the Agent. tries again with the next event …
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Scope, TestClock } from "effect"
import * as SessionLocalOwner from "../../src/legacy/SessionLocalOwner.ts"
import type { Agent } from "../../src/session/Agent.ts"
import { DriverFailure } from "../../src/session/AgentDriver.ts"
import { temporaryDirectory } from "../session/TempLog.ts"
import { answer, scriptedDriver, sessionId, start } from "../session/TestSessions.ts"
import { advance, begin, holding, iso, live, Mounting, mounted, occurrences, one, settled, until } from "./Live.ts"

describe("a delivery", () => {
  it.scoped("decides inside the phase: a clock that went back while it waited for one sends nothing early", () =>
    Effect.gen(function* () {
      const { agent, messages, next, owner } = yield* live()
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      yield* owner.create({ prompt: "e", every_seconds: 300 })
      const { end } = yield* busy(agent)
      yield* advance(400)
      yield* TestClock.setTime(begin + 59_000)
      yield* end
      yield* settled
      assert.strictEqual(yield* messages, 0)
      assert.strictEqual((yield* owner.list).length, 2)
      yield* advance(1)
      assert.include((yield* next).text, iso(60))
    })
  )

  it.scoped("of a batch leaves out what is not due yet, which keeps its target", () =>
    Effect.gen(function* () {
      const { next, owner } = yield* live()
      yield* owner.create({ prompt: "often", every_seconds: 300 })
      yield* owner.create({ prompt: "seldom", every_seconds: 1000 })
      yield* advance(300)
      assert.deepStrictEqual(occurrences((yield* next).text), [`schedule-1@${iso(300)}`])
      assert.deepStrictEqual(yield* targets(owner), [iso(600), iso(1000)])
      yield* advance(300)
      yield* next
      yield* advance(300)
      yield* next
      // each on its own grid, whatever the other does
      yield* advance(100)
      assert.deepStrictEqual(occurrences((yield* next).text), [`schedule-2@${iso(1000)}`])
      assert.deepStrictEqual(yield* targets(owner), [iso(1200), iso(2000)])
    })
  )

  it.scoped("has what comes in the phase wait until it has dispatched", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { agent, sessions } = yield* live({ driver: driver.layer })
      const owner = yield* SessionLocalOwner.make({
        ...agent,
        followup: (message) =>
          Effect.zipRight(agent.followup({ text: "from the user", source: "user" }), agent.followup(message))
      })
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      yield* advance(60)
      const first = yield* driver.next
      assert.strictEqual(first.turn.message.text, "from the user")
      assert.deepStrictEqual(
        (yield* sessions.show(one)).log.map(({ type }) => type),
        ["schedule/change", "message/user", "message/user", "schedule/change"]
      )
      yield* Deferred.succeed(first.end, answer("done"))
      assert.include((yield* driver.next).turn.message.text, '"a"')
    }).pipe(Effect.provideService(Mounting, false))
  )

  it.scoped("is on disk with its dispatch before anybody asks", () =>
    Effect.gen(function* () {
      const { next, owner, stored } = yield* live()
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      yield* advance(60)
      yield* next
      yield* until(Effect.sync(() => stored().includes('"operation":"dispatch"')))
    })
  )

  it.scoped("is answered in the transcript like any other message", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { next, owner, sessions } = yield* live({ driver: driver.layer })
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      yield* advance(60)
      const { id } = yield* next
      yield* Effect.flatMap(driver.next, ({ end }) => Deferred.succeed(end, answer("here it is")))
      const answered = Effect.map(sessions.show(one), ({ log }) => log.find(({ type }) => type === "message/assistant"))
      yield* until(Effect.map(answered, (event) => event !== undefined))
      assert.deepInclude((yield* answered)?.data, { text: "here it is", replyTo: id })
    })
  )

  it.scoped("is done with when its turn fails: what was queued and recorded does not come again", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { changes, messages, next, owner } = yield* live({ driver: driver.layer })
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      yield* advance(60)
      yield* next
      yield* Effect.flatMap(driver.next, ({ end }) => Deferred.fail(end, new DriverFailure({ reason: "no model" })))
      yield* advance(1000)
      assert.deepStrictEqual(yield* owner.list, [])
      assert.strictEqual(yield* messages, 0)
      assert.strictEqual((yield* changes).length, 2)
    })
  )

  it.scoped("writes no dispatch when it cannot be framed, and comes when it can", () =>
    Effect.gen(function* () {
      const { agent, changes, messages, next } = yield* live()
      const clock = yield* Effect.clock
      let isFar = false
      // a time that no instant has
      const far = Effect.suspend(() => (isFar ? Effect.succeed(Date.UTC(10_000, 0, 1)) : clock.currentTimeMillis))
      const owner = yield* Effect.withClock(
        SessionLocalOwner.make(agent),
        Object.create(clock, { currentTimeMillis: { value: far } })
      )
      yield* owner.create({ prompt: "e", every_seconds: 300 })
      isFar = true
      yield* advance(30)
      assert.deepStrictEqual([yield* messages, (yield* changes).length], [0, 1])
      isFar = false
      yield* advance(270)
      yield* owner.list
      assert.deepStrictEqual(occurrences((yield* next).text), [`schedule-1@${iso(300)}`])
    }).pipe(Effect.provideService(Mounting, false))
  )

  it.scoped("leaves a dispatch that was not flushed to the next call, and sends nothing twice", () =>
    Effect.gen(function* () {
      const { disk, messages, next, owner, stored } = yield* live()
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      // the flush before the delivery goes well, the one after it does not
      disk.breakAfter = 0
      yield* advance(60)
      yield* next
      yield* settled
      assert.deepInclude<unknown>(yield* Effect.flip(owner.list), { code: "persistence_uncertain" })
      disk.broken = false
      assert.deepStrictEqual(yield* owner.list, [])
      assert.include(stored(), '"operation":"dispatch"')
      assert.strictEqual(yield* messages, 0)
    })
  )

  it.scoped("that failed is tried again with the next event of the Agent, and not before", () =>
    Effect.gen(function* () {
      for (const what of ["the flush", "the queue"]) {
        const { agent, disk, sessions } = yield* live({ home: yield* temporaryDirectory })
        let tries = 0
        let refuse = what === "the queue"
        const owner = yield* SessionLocalOwner.make({
          ...agent,
          followup: (message) =>
            Effect.suspend(() => {
              tries++
              return refuse ? Effect.die("not now") : agent.followup(message)
            })
        })
        yield* owner.create({ prompt: "a", after_seconds: 60 })
        if (what === "the flush") {
          yield* agent.append("note", {})
          disk.broken = true
        }
        yield* advance(60)
        const before = tries
        yield* advance(3600)
        assert.strictEqual(tries, before, `${what}: no timer of its own`)
        assert.strictEqual((yield* agent.inbox).length, 0)
        refuse = false
        disk.broken = false
        yield* agent.append("note", {})
        yield* until(Effect.map(agent.inbox, (inbox) => inbox.length === 1))
        yield* advance(3600)
        assert.strictEqual((yield* agent.inbox).length, 1)
        assert.isDefined(yield* sessions.show(one))
        yield* TestClock.setTime(begin)
      }
    }).pipe(Effect.provideService(Mounting, false))
  )
})

describe("disposal", () => {
  it.scoped("waits for a call that is under way, whose reminder is on disk then", () =>
    Effect.gen(function* () {
      const { agent, disk, stored } = yield* live()
      const scope = yield* Scope.make()
      const owner = yield* Scope.extend(SessionLocalOwner.make(agent), scope)
      yield* owner.list
      yield* settled
      disk.held = []
      const creating = yield* Effect.fork(owner.create({ prompt: "a", after_seconds: 60 }))
      yield* until(Effect.sync(() => (disk.held?.length ?? 0) > 0))
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* settled
      assert.isTrue(Option.isNone(yield* Fiber.poll(closing)), "the close waits")
      const waiting = yield* Effect.fork(Effect.flip(owner.create({ prompt: "b", after_seconds: 60 })))
      const held = disk.held
      disk.held = undefined
      for (const go of held) go()
      assert.deepInclude<unknown>(yield* Fiber.join(creating), { id: "schedule-1" })
      yield* Fiber.join(closing)
      assert.deepInclude<unknown>(yield* Fiber.join(waiting), { _tag: "AgentReleased" })
      assert.include(stored(), '"schedule-1"')
      assert.notInclude(stored(), '"schedule-2"')
    }).pipe(Effect.provideService(Mounting, false))
  )

  it.scoped("waits for a call that has not read the log yet", () =>
    Effect.gen(function* () {
      const { agent } = yield* live()
      const held = holding(agent)
      const scope = yield* Scope.make()
      const owner = yield* Scope.extend(SessionLocalOwner.make(held.agent), scope)
      yield* settled
      const preflight = yield* held.hold
      const listing = yield* Effect.fork(owner.list)
      yield* settled
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* settled
      assert.isTrue(Option.isNone(yield* Fiber.poll(closing)))
      yield* Deferred.succeed(preflight, undefined)
      assert.deepStrictEqual(yield* Fiber.join(listing), [])
      yield* Fiber.join(closing)
    }).pipe(Effect.provideService(Mounting, false))
  )

  it.scoped("does not wait for the turn that a due reminder waits for, and deletes nothing", () =>
    Effect.gen(function* () {
      const driver = yield* scriptedDriver
      const { agent, changes } = yield* live({ driver: driver.layer })
      const scope = yield* Scope.make()
      const owner = yield* Scope.extend(SessionLocalOwner.make(agent), scope)
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      yield* agent.followup({ text: "talk", source: "user" })
      const talk = yield* driver.next
      yield* advance(100)
      yield* Scope.close(scope, Exit.void)
      assert.isFalse(talk.interrupted())
      yield* Deferred.succeed(talk.end, answer("done"))
      yield* advance(1000)
      assert.deepStrictEqual(
        (yield* changes).map(({ operation }) => operation),
        ["create"]
      )
      const later = yield* SessionLocalOwner.make(agent)
      assert.include((yield* driver.next).turn.message.text, '"a"')
      assert.deepStrictEqual(yield* later.list, [])
    }).pipe(Effect.provideService(Mounting, false))
  )
})

describe("archiving a Session with reminders of its own", () => {
  it.scoped("is refused with their list, and deletes them when they are to stop, for good", () =>
    Effect.gen(function* () {
      const { agent, changes, owner, sessions } = yield* live()
      yield* owner.create({ prompt: "a", after_seconds: 60 })
      yield* owner.create({ prompt: "e", every_seconds: 300 })
      const { activity } = yield* Effect.flip(sessions.archive(one)).pipe(
        Effect.filterOrDieMessage((error) => error._tag === "SessionActive", "another error")
      )
      assert.deepStrictEqual<unknown>(activity, [
        {
          family: "session-local",
          items: [
            { id: "schedule-1", label: "a" },
            { id: "schedule-2", label: "e" }
          ]
        }
      ])
      // one whose write is on its way is stopped, too
      const creating = yield* Effect.fork(owner.create({ prompt: "late", after_seconds: 60 }))
      yield* Effect.yieldNow()
      yield* sessions.archive(one, { stopActivity: true })
      yield* Fiber.join(creating)
      assert.deepStrictEqual(
        (yield* changes).map(({ operation }) => operation),
        ["create", "create", "create", "delete", "delete", "delete"]
      )
      yield* advance(1000)
      yield* sessions.unarchive(one)
      yield* advance(1000)
      assert.deepStrictEqual(yield* agent.inbox, [])
      assert.deepStrictEqual(yield* owner.list, [])
    })
  )

  it.scoped("asks the log of a cold one, and of one that was live before", () =>
    Effect.gen(function* () {
      const { sessions, workspace } = yield* start(yield* temporaryDirectory)
      const create = (id: string) => ({
        version: 1,
        operation: "create",
        schedule: { id, kind: "at", prompt: "p", title: "Old one", scheduledAt: "2099-01-01T00:00:00.000Z" }
      })
      const [cold, before, fork, child, corrupt] = ["cold", "before", "fork", "child", "corrupt"].map(sessionId)
      for (const id of [cold!, before!]) {
        yield* sessions.create({ id })
        yield* sessions.append(id, "schedule/change", create("schedule-1"))
      }
      yield* sessions.create({ id: fork!, parentSession: cold, seedLength: 1 })
      yield* sessions.create({ id: child!, delegationDepth: 1 })
      yield* sessions.append(child!, "schedule/change", create("schedule-1"))
      yield* sessions.create({ id: corrupt! })
      yield* sessions.append(corrupt!, "schedule/change", { version: 1, operation: "delete", id: "nobody" })
      yield* sessions.resolveAgent(before!)
      const { owner } = yield* mounted(sessions, workspace)
      for (const id of [fork!, child!, corrupt!]) yield* sessions.archive(id)

      for (const id of [cold!, before!]) {
        const refusal = yield* Effect.flip(sessions.archive(id))
        assert.deepInclude<unknown>(refusal, {
          activity: [{ family: "session-local", items: [{ id: "schedule-1", label: "Old one" }] }]
        })
        yield* sessions.archive(id, { stopActivity: true })
        assert.deepInclude((yield* sessions.show(id)).log.at(-1)?.data, { operation: "delete", id: "schedule-1" })
        yield* sessions.unarchive(id)
        yield* sessions.archive(id)
        yield* sessions.unarchive(id)
      }
      yield* sessions.resolveAgent(cold!)
      const mine = Option.getOrThrow(yield* owner(cold!))
      assert.deepStrictEqual(yield* mine.list, [])
      assert.strictEqual<string>((yield* mine.create({ prompt: "new", after_seconds: 60 })).id, "schedule-2")
    })
  )
})

// internal

const targets = (owner: SessionLocalOwner.SessionLocalOwner) =>
  Effect.map(owner.list, (list) => list.map(({ scheduledAt }) => scheduledAt as string))

/** Owns the Agent until it is told to end. */
const busy = (agent: Agent) =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<void>()
    const maintenance = yield* Effect.fork(agent.runMaintenance(Deferred.await(done)))
    yield* Effect.yieldNow()
    return { end: Effect.zipRight(Deferred.succeed(done, undefined), Fiber.join(maintenance)) }
  })
