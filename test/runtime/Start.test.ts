import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope, Stream, TestClock } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../src/runtime/ScheduleRuntime.ts"
import * as SessionHeaders from "../../src/runtime/SessionHeaders.ts"
import * as MemoryDriver from "../../src/storage/MemoryDriver.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"
import * as World from "./World.ts"

const request = { title: "t", prompt: "p", after_seconds: 1 }

describe("the start of the service", () => {
  it.scoped("awaits the validation of the store, and gives the store back when it is called off meanwhile", () =>
    Effect.gen(function* () {
      const { activations, driver, runtime } = yield* overdue
      const opening = yield* Deferred.make<void>()
      const slow = reading(driver, () => Effect.zipRight(Deferred.succeed(opening, undefined), Effect.never))
      const scope = yield* Scope.make()
      const starting = yield* Effect.fork(Layer.buildWithScope(runtime(slow), scope))
      yield* Deferred.await(opening)
      yield* World.settle
      assert.isNull(starting.unsafePoll())
      yield* Fiber.interrupt(starting)
      yield* Scope.close(scope, Exit.void)
      yield* World.settle
      assert.deepStrictEqual(activations, [])
      // not open in this process any more
      yield* Layer.build(runtime(driver))
      yield* World.settle
      assert.strictEqual(activations.length, 1)
    })
  )

  it.scoped("fails when the store cannot be read or a setting is out of range, and delivers nothing", () =>
    Effect.gen(function* () {
      const { activations, driver, runtime } = yield* overdue
      const broken = reading(driver, () => new StorageFailure({ message: "unreadable" }))
      for (const failing of [runtime(broken), runtime(driver, { deliveryConcurrency: 0 })]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.scoped(Layer.build(failing)))))
      }
      yield* World.settle
      assert.deepStrictEqual(activations, [])
    })
  )
})

/** A store with something due in it, and the service over it. */
const overdue = Effect.gen(function* () {
  const driver = MemoryDriver.make()
  const activations: Array<SessionId> = []
  const handler: AgentResolver.Handler = (id) =>
    Effect.zipRight(
      Effect.sync(() => activations.push(id)),
      Effect.never
    )
  const runtime = (of: typeof driver, settings: Partial<ScheduleConfig.Settings> = {}) =>
    ScheduleRuntime.layer.pipe(
      Layer.provide(
        Layer.scopedDiscard(Effect.flatMap(AgentResolver.AgentResolver, ({ register }) => register(handler)))
      ),
      Layer.provide([
        AgentResolver.layer,
        SessionHeaders.layerTopLevel,
        ScheduleConfig.layer(settings),
        ScheduleDomain.layer(of)
      ])
    )
  const world = Effect.map(
    Layer.build(ScheduleDomain.layer(driver)),
    (context) => new World.World(Context.unsafeGet(context, ScheduleDomain.ScheduleDomain))
  )
  yield* Effect.scoped(
    Effect.flatMap(world, (it) =>
      Effect.flatMap(it.start({ handler: false }), ({ service }) => service.create(SessionId.make("s1"), request))
    )
  )
  yield* TestClock.adjust("1 minute")
  return { activations, driver, runtime }
})

/** A driver whose rows are read as given. */
const reading = (driver: ReturnType<typeof MemoryDriver.make>, read: () => Effect.Effect<never, StorageFailure>) => ({
  ...driver,
  inspect: Effect.map(driver.inspect, (inspection) => ({
    ...inspection,
    abridged: Stream.fromEffect(Effect.suspend(read))
  }))
})
