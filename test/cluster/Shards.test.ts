import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Logger, LogLevel, Scope, Stream, TestClock } from "effect"
import * as Shards from "../../src/cluster/Shards.ts"
import { SessionClient } from "../../src/remote/SessionClient.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { settle } from "../runtime/World.ts"

const none = () => Effect.die("none")

const shard: Shards.OpenShard = {
  schedule: ScheduleService.of({
    create: none,
    list: none,
    catalog: none,
    catalogPage: none,
    history: none,
    update: none,
    delete: none,
    deleteInactive: none,
    reopen: none,
    archiveAdmission: Effect.void,
    changes: Stream.never
  }),
  sessions: SessionClient.of({
    create: none,
    list: none,
    show: none,
    delegationDepth: none,
    rename: none,
    archive: none,
    unarchive: none
  })
}

/** Shards that are opened as the test says, and what became of them, in order. */
const make = (options: Partial<Shards.Options> & { readonly opening?: (n: number) => Effect.Effect<void> } = {}) =>
  Effect.gen(function* () {
    const events: Array<string> = []
    const losses: Array<Effect.Effect<void>> = []
    let openings = 0
    const shards = yield* Shards.make({
      count: 2,
      isOurs: () => Effect.succeed(true),
      open: (index, lost) =>
        Effect.gen(function* () {
          losses.push(lost)
          yield* options.opening?.(++openings) ?? Effect.void
          yield* Effect.acquireRelease(
            Effect.sync(() => events.push(`open ${index}`)),
            () => Effect.sync(() => events.push(`close ${index}`))
          )
          return shard
        }),
      ...options
    })
    return { shards, events, losses }
  }).pipe(Logger.withMinimumLogLevel(LogLevel.None))

describe("the shards of a Host", () => {
  it.scoped("are open while they are wanted, and closed once nobody wants them", () =>
    Effect.gen(function* () {
      const { events, shards } = yield* make()
      const scope = yield* Scope.make()
      yield* Scope.extend(shards.want(1), scope)
      yield* settle
      assert.isDefined(shards.peek(1))
      assert.isUndefined(shards.peek(0))
      yield* Scope.close(scope, Exit.void)
      yield* shards.closed(1)
      assert.deepStrictEqual(events, ["open 1", "close 1"])
    })
  )

  it.scoped("are closed and opened again when they are lost, one after the other", () =>
    Effect.gen(function* () {
      const { events, losses, shards } = yield* make()
      yield* shards.want(0)
      yield* settle
      yield* losses[0]!
      yield* settle
      assert.deepStrictEqual(events, ["open 0", "close 0"])
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(events, ["open 0", "close 0", "open 0"])
      assert.isDefined(shards.peek(0))
    })
  )

  it.scoped("are tried again with growing pauses while they do not open", () =>
    Effect.gen(function* () {
      let tries = 0
      const { shards } = yield* make({
        opening: () => {
          tries++
          return Effect.die(new Error("no"))
        }
      })
      yield* shards.want(0)
      yield* TestClock.adjust("60 seconds")
      assert.isAbove(tries, 8)
      assert.isBelow(tries, 20)
    })
  )

  it.scoped("are not opened while the cluster says that they are another Host's", () =>
    Effect.gen(function* () {
      let ours = false
      const { events, shards } = yield* make({ isOurs: () => Effect.sync(() => ours) })
      yield* shards.want(0)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(events, [])
      ours = true
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(events, ["open 0"])
    })
  )

  it.scoped("answer at once that they are not here, unless they are about to open", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<void>()
      const { shards } = yield* make({ opening: () => Deferred.await(opened) })
      assert.strictEqual((yield* Effect.flip(shards.use(0)))._tag, "OwnerUnavailable")
      yield* shards.want(0)
      const waiting = yield* Effect.fork(shards.use(0))
      yield* settle
      yield* Deferred.succeed(opened, undefined)
      assert.strictEqual(yield* waiting, shard)
    })
  )

  it.scoped("are opened again although an earlier opening hangs for ever", () =>
    Effect.gen(function* () {
      const { events, shards } = yield* make({
        opening: (n) => (n === 1 ? Effect.uninterruptible(Effect.never) : Effect.void)
      })
      const scope = yield* Scope.make()
      yield* Scope.extend(shards.want(0), scope)
      yield* settle
      yield* Scope.close(scope, Exit.void)
      yield* shards.want(0)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(events, [])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(events, ["open 0"])
    })
  )
})
