import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, FastCheck, Fiber, TestClock } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as RowWrites from "../../src/runtime/RowWrites.ts"
import { type StorageError, StorageFailure, StorageUnknownState } from "../../src/storage/StorageError.ts"
import * as World from "./World.ts"

const s1 = SessionId.make("s1")
const offline = new StorageFailure({ message: "offline" })

describe("group commit", () => {
  it.scoped("creations that wait together share a write, and one that fails fails alone", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const gate = yield* Deferred.make<void>()
      const writes: Array<number> = []
      world.onPut = (titles) => {
        writes.push(titles.length)
        return titles.includes("first") ? Deferred.await(gate) : titles.includes("bad") ? offline : Effect.void
      }
      const create = (title: string) =>
        Effect.fork(Effect.either(service.create(s1, { title, prompt: "p", after_seconds: 60 })))
      const first = yield* create("first")
      yield* World.settle
      const others = yield* Effect.forEach(["a", "b", "c", "bad", "d", "e", "f"], create)
      yield* World.settle
      yield* Deferred.succeed(gate, undefined)
      const answers = yield* Effect.forEach([first, ...others], Fiber.join)
      assert.deepStrictEqual(
        answers.map((answer) => (answer._tag === "Right" ? answer.right.title : answer.left._tag)),
        ["first", "a", "b", "c", "StorageFailure", "d", "e", "f"]
      )
      assert.deepStrictEqual(writes.slice(0, 2), [1, 7])
      assert.deepStrictEqual(
        (yield* service.list({ sessionId: s1 })).map(({ title }) => title),
        ["first", "a", "b", "c", "d", "e", "f"]
      )
    })
  )

  it.scoped("creations that come at once share a write, even though no write waits for anything", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const writes: Array<number> = []
      world.onPut = (titles) => Effect.sync(() => void writes.push(titles.length))
      const create = (n: number) => service.create(s1, { title: `title ${n}`, prompt: "p", after_seconds: 60 })
      yield* Effect.forEach(
        Array.from({ length: 64 }, (_, n) => n),
        create,
        { concurrency: 64 }
      )
      assert.deepStrictEqual(writes, [64])
    })
  )

  it.scoped("deliveries to different Sessions that are ready together share a write", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      const gate = yield* Deferred.make<boolean>()
      for (let i = 0; i < 10; i++) {
        yield* service.create(SessionId.make(`session-${i}`), { title: "once", prompt: "p", after_seconds: 1 })
      }
      world.onFlush = (sessionId) => (sessionId === "session-0" ? Deferred.await(gate) : Effect.succeed(true))
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(gate, true)
      yield* World.settle
      assert.isTrue((yield* service.catalog()).every(({ status }) => status === "inactive"))
      assert.strictEqual(world.commits, 1)
    })
  )

  it("RowWrites.attempt answers exactly the rows that fail on their own", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.boolean(), { maxLength: 40 }), (bad) => {
        const stored: Array<number> = []
        const rows = bad.map((_, index) => index)
        const write = (some: ReadonlyArray<number>): Effect.Effect<void, StorageError> =>
          some.some((row) => bad[row]) ? offline : Effect.sync(() => void stored.push(...some))
        const failures = Effect.runSync(RowWrites.attempt(write, rows))
        assert.deepStrictEqual(
          [...failures.keys()],
          rows.filter((row) => bad[row])
        )
        assert.deepStrictEqual(
          stored,
          rows.filter((row) => !bad[row])
        )
      })
    ))

  it("RowWrites.attempt tries nothing again after an unknown state", () => {
    let writes = 0
    const unknown = new StorageUnknownState({ message: "connection lost" })
    const failures = Effect.runSync(
      RowWrites.attempt(() => {
        writes++
        return unknown
      }, [1, 2, 3])
    )
    assert.strictEqual(writes, 1)
    assert.deepStrictEqual(
      [...failures],
      [1, 2, 3].map((row) => [row, unknown])
    )
  })
})
