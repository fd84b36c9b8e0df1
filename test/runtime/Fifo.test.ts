import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, FastCheck, Fiber, Scope } from "effect"
import * as Fifo from "../../src/runtime/Fifo.ts"

describe("Fifo", () => {
  it.scoped("runs one item at a time, in the order of acceptance", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const log: Array<string> = []
      const item = (name: string) =>
        fifo.run(
          Effect.gen(function* () {
            log.push(`${name} starts`)
            yield* Effect.yieldNow()
            log.push(`${name} ends`)
          })
        )
      yield* Effect.all([item("a"), item("b"), item("c")], { concurrency: "unbounded" })
      assert.deepStrictEqual(log, ["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"])
    })
  )

  it.scoped("a latecomer does not overtake the one that was just granted its turn", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const log: Array<string> = []
      const item = (name: string) => fifo.run(Effect.sync(() => log.push(name)))
      const gate = yield* Deferred.make<void>()
      const first = yield* Effect.fork(fifo.run(Deferred.await(gate)))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(item("second"))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(gate, undefined)
      yield* first
      // `second` holds its grant and has not resumed yet
      yield* item("latecomer")
      yield* second
      assert.deepStrictEqual(log, ["second", "latecomer"])
    })
  )

  it.scoped("a caller interrupted while it waits is withdrawn, and its work never starts", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const gate = yield* Deferred.make<void>()
      let started = false
      const running = yield* Effect.fork(fifo.run(Deferred.await(gate)))
      yield* Effect.yieldNow()
      const withdrawn = yield* Effect.fork(fifo.run(Effect.sync(() => (started = true))))
      const behind = yield* Effect.fork(fifo.run(Effect.succeed("behind")))
      yield* Effect.yieldNow()
      assert.strictEqual(yield* fifo.depth, 3)
      yield* Fiber.interrupt(withdrawn)
      assert.strictEqual(yield* fifo.depth, 2)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(behind), "behind")
      yield* Fiber.join(running)
      assert.isFalse(started)
      assert.strictEqual(yield* fifo.depth, 0)
    })
  )

  it.scoped("a caller interrupted with its grant in hand passes it on", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const gate = yield* Deferred.make<void>()
      let started = false
      yield* Effect.fork(fifo.run(Deferred.await(gate)))
      yield* Effect.yieldNow()
      const granted = yield* Effect.fork(fifo.run(Effect.sync(() => (started = true))))
      const behind = yield* Effect.fork(fifo.run(Effect.succeed("behind")))
      yield* Effect.yieldNow()
      // the interrupt is queued behind the grant's resumption or before it: either way nobody is left waiting
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.interruptFork(granted)
      assert.strictEqual(yield* Fiber.join(behind), "behind")
      yield* Fiber.await(granted)
      assert.strictEqual(yield* fifo.depth, 0)
      assert.isTrue(started || (yield* Fiber.await(granted))._tag === "Failure")
    })
  )

  it.scoped("work that has started completes when its caller is interrupted", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const gate = yield* Deferred.make<void>()
      let written = false
      const writing = yield* Effect.fork(
        fifo.run(
          Effect.zipRight(
            Deferred.await(gate),
            Effect.sync(() => (written = true))
          )
        )
      )
      yield* Effect.yieldNow()
      const interrupting = yield* Effect.fork(Fiber.interrupt(writing))
      yield* Effect.yieldNow()
      assert.isNull(writing.unsafePoll())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(interrupting)
      assert.isTrue(written)
    })
  )

  it.scoped("failures and defects reach their own caller and not the next", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const bad = yield* Effect.fork(Effect.exit(fifo.run(Effect.die("disk on fire"))))
      const refused = yield* Effect.fork(Effect.flip(fifo.run(Effect.fail("refused"))))
      const good = yield* Effect.fork(fifo.run(Effect.succeed(7)))
      assert.deepStrictEqual(yield* Fiber.join(bad), Exit.die("disk on fire"))
      assert.strictEqual(yield* Fiber.join(refused), "refused")
      assert.strictEqual(yield* Fiber.join(good), 7)
    })
  )

  it.effect("closing refuses new work and waits for what was accepted", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const fifo = yield* Scope.extend(Fifo.make, scope)
      const gate = yield* Deferred.make<void>()
      const running = yield* Effect.fork(fifo.run(Effect.as(Deferred.await(gate), "running")))
      yield* Effect.yieldNow()
      const queued = yield* Effect.fork(fifo.run(Effect.succeed("queued")))
      yield* Effect.yieldNow()
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow()
      assert.isNull(closing.unsafePoll())
      assert.strictEqual((yield* Effect.flip(fifo.run(Effect.void)))._tag, "ServiceStopping")
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(closing)
      assert.deepStrictEqual([yield* Fiber.join(running), yield* Fiber.join(queued)], ["running", "queued"])
    })
  )

  it.scoped("consecutive items of one batch share a write, and each gets its own result", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const writes: Array<ReadonlyArray<number>> = []
      const log: Array<string> = []
      const share = fifo.share<number, string, string>({
        limit: 3,
        write: (items) =>
          Effect.sync(() => {
            writes.push(items)
            log.push(`write ${items.join(" ")}`)
            return items.map((n) => (n === 13 ? Exit.fail("unlucky") : Exit.succeed(`stored ${n}`)))
          })
      })
      const item = (n: number) =>
        Effect.fork(Effect.either(share(n === 5 ? Effect.fail("unprepared") : Effect.succeed(n))))
      const gate = yield* Deferred.make<void>()
      yield* Effect.fork(fifo.run(Deferred.await(gate)))
      yield* Effect.yieldNow()
      const ahead = yield* Effect.forEach([1, 13, 3, 4], item)
      const between = yield* Effect.fork(fifo.run(Effect.sync(() => log.push("between"))))
      const behind = yield* Effect.forEach([5, 6], item)
      yield* Effect.yieldNow()
      assert.strictEqual(yield* fifo.depth, 8)
      yield* Deferred.succeed(gate, undefined)
      const results = yield* Effect.forEach([...ahead, ...behind], Fiber.join)
      yield* Fiber.join(between)
      assert.deepStrictEqual(writes, [[1, 13, 3], [4], [6]])
      assert.deepStrictEqual(log, ["write 1 13 3", "write 4", "between", "write 6"])
      assert.deepStrictEqual(
        results.map((result) => (result._tag === "Right" ? result.right : result.left)),
        ["stored 1", "unlucky", "stored 3", "stored 4", "unprepared", "stored 6"]
      )
      assert.strictEqual(yield* fifo.depth, 0)
    })
  )

  it.scoped("a defect in a shared write reaches every member, and the queue goes on", () =>
    Effect.gen(function* () {
      const fifo = yield* Fifo.make
      const share = fifo.share<number, void, never>({ limit: 9, write: () => Effect.die("disk on fire") })
      const exits = yield* Effect.all(
        [1, 2].map((n) => Effect.exit(share(Effect.succeed(n)))),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(exits, [Exit.die("disk on fire"), Exit.die("disk on fire")])
      assert.strictEqual(yield* fifo.run(Effect.succeed(7)), 7)
    })
  )

  it.effect("holds its invariants under random submissions and interruptions", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(
            FastCheck.record({
              shared: FastCheck.boolean(),
              steps: FastCheck.nat(3),
              fails: FastCheck.boolean(),
              interruptAfter: FastCheck.option(FastCheck.nat(12))
            }),
            { maxLength: 12 }
          ),
          (items) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const fifo = yield* Fifo.make
                const started: Array<number> = []
                const ended: Array<number> = []
                const running = { alone: 0, shared: 0 }
                const written: Array<number> = []
                const share = fifo.share<number, number, "unlucky">({
                  limit: 3,
                  write: (batch) =>
                    Effect.sync(() => {
                      assert.deepStrictEqual(running, { alone: 0, shared: 0 })
                      written.push(...batch)
                      return batch.map((index) => Exit.succeed(index))
                    })
                })
                const fibers = yield* Effect.forEach(items, ({ fails, shared, steps }, index) => {
                  const work = Effect.gen(function* () {
                    running[shared ? "shared" : "alone"]++
                    assert.isTrue(running.alone === 0 || (running.alone === 1 && running.shared === 0))
                    assert.isAtMost(running.shared, 3)
                    started.push(index)
                    for (let step = 0; step < steps; step++) yield* Effect.yieldNow()
                    running[shared ? "shared" : "alone"]--
                    ended.push(index)
                    if (fails) return yield* Effect.fail("refused" as const)
                    return index
                  })
                  return Effect.fork(shared ? share(work) : fifo.run(work))
                })
                yield* Effect.forEach(
                  items,
                  ({ interruptAfter }, index) =>
                    interruptAfter === null
                      ? Effect.void
                      : Effect.zipRight(
                          Effect.repeatN(Effect.yieldNow(), interruptAfter),
                          Fiber.interruptFork(fibers[index]!)
                        ),
                  { concurrency: "unbounded" }
                )
                const exits = yield* Effect.forEach(fibers, Fiber.await)
                assert.deepStrictEqual(
                  started,
                  [...started].sort((a, b) => a - b)
                )
                assert.sameMembers(ended, started)
                assert.sameMembers(
                  written,
                  ended.filter((index) => items[index]!.shared && !items[index]!.fails)
                )
                for (const [index, exit] of exits.entries()) {
                  const { fails, interruptAfter } = items[index]!
                  if (interruptAfter === null) {
                    assert.deepStrictEqual(exit, fails ? Exit.fail("refused") : Exit.succeed(index))
                  }
                  if (Exit.isFailure(exit) && Cause.isDie(exit.cause)) throw Cause.squash(exit.cause)
                }
                assert.strictEqual(yield* fifo.depth, 0)
              }).pipe(Effect.scoped)
            )
        ),
        { numRuns: 300 }
      )
    )
  )
})
