import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, TestClock } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import { AgentUnavailable } from "../../src/runtime/AgentResolver.ts"
import { compositionRetry } from "../../src/runtime/ScheduleConfig.ts"
import * as World from "./World.ts"

const s1 = SessionId.make("s1")
const s2 = SessionId.make("s2")
const once = { title: "once", prompt: "p", after_seconds: 1 }
const unavailable = new AgentUnavailable({ message: "broken" })

describe("the retry policy", () => {
  it.scoped("tries a failing Session again after 1 s, 2 s, 4 s and so on up to 5 min, each with jitter", () =>
    Effect.gen(function* () {
      const { attempts, service } = yield* failing
      yield* service.create(s1, once)
      yield* TestClock.adjust("1 hour")
      const waits = attempts.slice(1).map((at, i) => at - attempts[i]!)
      for (const [i, wait] of waits.entries()) {
        const nominal = Math.min(1_000 * 2 ** i, 300_000)
        assert.isAtLeast(wait, nominal * 0.8, `wait ${i}`)
        assert.isAtMost(wait, nominal * 1.2 + 1, `wait ${i}`)
      }
      assert.isAtLeast(waits.length, 18)
      assert.isAbove(new Set(waits.slice(-6)).size, 1)
    })
  )

  it.scoped("delivers when the Session is well again, and starts from the shortest wait after that", () =>
    Effect.gen(function* () {
      const { attempts, service, world } = yield* failing
      yield* service.create(s1, once)
      yield* TestClock.adjust("10 seconds")
      world.onResolve = () => Effect.void
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(world.inbox(s1).length, 1)
      const before = attempts.length
      world.onResolve = recordFailure(attempts)
      yield* service.create(s1, once)
      yield* TestClock.adjust("2500 millis")
      assert.strictEqual(attempts.length, before + 2)
    })
  )

  it.scoped("a drive for other Sessions does not cut the wait short", () =>
    Effect.gen(function* () {
      const { attempts, service, world } = yield* failing
      world.onResolve = (sessionId) => (sessionId === s1 ? recordFailure(attempts)() : Effect.void)
      yield* service.create(s1, once)
      // after the wait of about 32 s and well before the end of the next, of about 64 s
      yield* TestClock.adjust("90 seconds")
      const before = attempts.length
      for (let i = 0; i < 5; i++) yield* service.create(s2, once)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(attempts.length, before)
      assert.strictEqual(world.inbox(s2).length, 5)
    })
  )

  it.scoped("a change of its own reminders does", () =>
    Effect.gen(function* () {
      const { attempts, service } = yield* failing
      const expected = yield* service.create(s1, once)
      const tried = Effect.zipRight(
        World.settle,
        Effect.sync(() => attempts.length)
      )
      yield* TestClock.adjust("90 seconds")
      const before = yield* tried
      yield* service.create(s1, { title: "later", prompt: "p", after_seconds: 3600 })
      assert.strictEqual(yield* tried, before + 1)
      const answer = yield* service.update({ sessionId: s1, id: expected.id, expected, title: "new" })
      assert.isTrue(answer.updated)
      assert.strictEqual(yield* tried, before + 2)
    })
  )

  it.scoped("a handler that registers, and a store that is opened again, do", () =>
    Effect.gen(function* () {
      const { resolver, service, world } = yield* failing
      yield* service.create(s1, once)
      yield* TestClock.adjust("2 minutes")
      world.onResolve = () => Effect.void
      yield* resolver.registerController(world.handler)
      yield* World.settle
      assert.strictEqual(world.inbox(s1).length, 1)
      world.onResolve = () => unavailable
      yield* service.create(s1, once)
      yield* TestClock.adjust("2 minutes")
      world.onResolve = () => Effect.void
      yield* service.reopen()
      yield* World.settle
      assert.strictEqual(world.inbox(s1).length, 2)
    })
  )

  it.scoped("without it nothing is tried again on its own", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const attempts: Array<number> = []
      world.onResolve = recordFailure(attempts)
      yield* service.create(s1, once)
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(attempts, [1_000])
    })
  )
})

const recordFailure = (attempts: Array<number>) => () =>
  Effect.zipRight(
    Effect.map(Clock.currentTimeMillis, (now) => attempts.push(now)),
    unavailable
  )

const failing = Effect.gen(function* () {
  const world = yield* World.make
  const host = yield* world.start({ deliveryRetry: compositionRetry, maxSleep: Duration.minutes(10) })
  const attempts: Array<number> = []
  world.onResolve = recordFailure(attempts)
  return { ...host, world, attempts }
})
