import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, FastCheck, Fiber } from "effect"
import * as Places from "../../src/concurrency/Places.ts"

describe("places", () => {
  it.effect("go to those who wait in the order in which they came, and no more at once than there are", () =>
    Effect.gen(function* () {
      const places = Places.make(3)
      const order: Array<number> = []
      let [inside, most] = [0, 0]
      const work = (n: number) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            order.push(n)
            most = Math.max(most, ++inside)
          }),
          () => Effect.yieldNow(),
          () => Effect.sync(() => inside--)
        )
      const numbers = Array.from({ length: 20 }, (_, n) => n)
      yield* Effect.forEach(numbers, (n) => places.within(work(n)), { concurrency: "unbounded" })
      assert.deepStrictEqual(order, numbers)
      assert.strictEqual(most, 3)
    })
  )

  it.effect("come back from work that fails, dies or is interrupted, and from who is interrupted while waiting", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.integer({ min: 1, max: 3 }),
          FastCheck.array(FastCheck.constantFrom("end", "fail", "die", "interrupt", "interrupt early"), {
            maxLength: 20
          }),
          (count, fates) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const places = Places.make(count)
                const gate = yield* Deferred.make<void>()
                const fibers: Array<readonly [string, Fiber.RuntimeFiber<unknown, unknown>]> = []
                for (const fate of fates) {
                  const end = fate === "fail" ? Effect.fail(fate) : fate === "die" ? Effect.die(fate) : Effect.void
                  const fiber = yield* Effect.fork(places.within(Effect.zipRight(Deferred.await(gate), end)))
                  fibers.push([fate, fiber])
                }
                yield* Effect.yieldNow()
                const interrupt = (which: string) =>
                  Effect.forEach(fibers, ([fate, fiber]) => (fate === which ? Fiber.interruptFork(fiber) : Effect.void))
                yield* interrupt("interrupt early")
                yield* Deferred.succeed(gate, undefined)
                // races with the places that are handed on just now
                yield* interrupt("interrupt")
                yield* Effect.forEach(fibers, ([, fiber]) => Fiber.await(fiber))
                // all places are there again: so many can be inside at the same time
                const together = yield* Deferred.make<void>()
                let inside = 0
                const meet = Effect.suspend(() =>
                  Effect.zipRight(
                    ++inside === count ? Deferred.succeed(together, undefined) : Effect.void,
                    Deferred.await(together)
                  )
                )
                yield* Effect.replicateEffect(places.within(meet), count, { concurrency: "unbounded" })
              })
            )
        ),
        { numRuns: 300 }
      )
    )
  )

  // waking everyone who waits at each release takes a minute here
  it.effect("may be waited for by thousands", () =>
    Effect.gen(function* () {
      const places = Places.make(1)
      let done = 0
      const work = Effect.zipRight(
        Effect.yieldNow(),
        Effect.sync(() => done++)
      )
      yield* Effect.replicateEffect(places.within(work), 10_000, { concurrency: "unbounded", discard: true })
      assert.strictEqual(done, 10_000)
    })
  )
})
