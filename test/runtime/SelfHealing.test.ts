import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, TestClock } from "effect"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import * as SelfHealing from "../../src/runtime/SelfHealing.ts"
import { ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"

describe("SelfHealing", () => {
  it.scoped("opens a quarantined store again with growing pauses of at most some seconds, each time it is needed", () =>
    Effect.gen(function* () {
      const { attempts, break: breakStore, heal } = yield* world
      assert.strictEqual(yield* attempts, 0)
      yield* breakStore
      yield* settle
      assert.strictEqual(yield* attempts, 1)
      yield* TestClock.adjust("1 second")
      assert.isAtLeast(yield* attempts, 2)
      yield* TestClock.adjust("10 minutes")
      const during = yield* attempts
      assert.isAbove(during, (10 * 60 * 1000) / 7_000)
      assert.isBelow(during, 200)
      yield* heal
      yield* TestClock.adjust("20 seconds")
      const after = yield* attempts
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* attempts, after)
      yield* breakStore
      yield* TestClock.adjust("20 seconds")
      assert.isAbove(yield* attempts, after)
    })
  )
})

const settle = Effect.yieldNow().pipe(Effect.repeatN(20))

const world = Effect.gen(function* () {
  let broken = yield* Deferred.make<void>()
  let works = true
  let attempts = 0
  const domain = Layer.mock(ScheduleDomain, { quarantined: Effect.suspend(() => Deferred.await(broken)) })
  const service = Layer.mock(ScheduleService, {
    reopen: () =>
      Effect.gen(function* () {
        attempts++
        if (!works) return yield* new StorageFailure({ message: "no answer" })
        broken = yield* Deferred.make<void>()
      })
  })
  yield* Layer.build(Layer.provide(SelfHealing.layer, [domain, service]))
  return {
    attempts: Effect.sync(() => attempts),
    break: Effect.suspend(() => {
      works = false
      return Deferred.succeed(broken, undefined)
    }),
    heal: Effect.sync(() => {
      works = true
    })
  }
})
