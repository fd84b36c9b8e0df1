import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope, Stream, TestClock } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import { ArchiveRegistry } from "../../src/runtime/ArchiveRegistry.ts"
import * as WorkspaceRegistry from "../../src/session/WorkspaceRegistry.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"
import * as World from "./World.ts"

const s1 = SessionId.make("s1")
const s2 = SessionId.make("s2")
const task = (title: string, seconds = 60) => ({ title, prompt: "p", after_seconds: seconds })

describe("archive admission", () => {
  it.scoped("reports a Session's active tasks as the schedule family, before families registered earlier", () =>
    Effect.gen(function* () {
      const { registry, service } = yield* mounted
      const a = yield* service.create(s1, task("a"))
      const b = yield* service.create(s1, task("b"))
      yield* service.create(s1, task("ended", 1))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* registry.activity(s1), [
        {
          family: "schedule",
          items: [
            { id: a.id, label: "a" },
            { id: b.id, label: "b" }
          ]
        },
        { family: "agent", items: [{ id: "turn", label: "s1" }] }
      ])
      assert.deepStrictEqual(yield* registry.activity(s2), [{ family: "agent", items: [{ id: "turn", label: "s2" }] }])
    })
  )

  it.scoped("stopping removes the active tasks of that Session alone; ended ones stay", () =>
    Effect.gen(function* () {
      const { registry, service, world } = yield* mounted
      yield* service.create(s1, task("ended", 1))
      yield* TestClock.adjust("1 second")
      yield* service.create(s1, task("a"))
      yield* service.create(s2, task("other"))
      let changes = 0
      yield* Effect.forkScoped(Stream.runForEach(service.changes, () => Effect.sync(() => changes++)))
      yield* World.settle
      yield* registry.stop(s1)
      yield* World.settle
      assert.strictEqual(changes, 1)
      assert.sameMembers(
        (yield* service.catalog()).map(({ record }) => record.title),
        ["ended", "other"]
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(world.inbox(s1).length, 1)
    })
  )

  it.scoped("a stop is ordered behind a creation whose write is in flight", () =>
    Effect.gen(function* () {
      const { registry, service, world } = yield* mounted
      const gate = yield* Deferred.make<void>()
      world.onPut = () => Deferred.await(gate)
      const creating = yield* Effect.fork(service.create(s1, task("late")))
      yield* World.settle
      const stopping = yield* Effect.fork(registry.stop(s1))
      yield* World.settle
      assert.isNull(stopping.unsafePoll())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(creating)
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* service.catalog(), [])
    })
  )

  it.scoped("every row is tried, and the first failure is reported after", () =>
    Effect.gen(function* () {
      const { service, stop, world } = yield* mounted
      const rows = yield* Effect.forEach(["a", "b", "c"], (title) => service.create(s1, task(title)))
      world.onRemove = (id) =>
        id === rows[0]?.id || id === rows[1]?.id ? new StorageFailure({ message: `offline for ${id}` }) : Effect.void
      const error = yield* Effect.flip(stop(s1))
      assert.deepInclude(error, { _tag: "StorageFailure", message: `offline for ${rows[0]?.id}` })
      assert.deepStrictEqual(
        (yield* service.list({ sessionId: s1 })).map(({ title }) => title),
        ["a", "b"]
      )
    })
  )

  it.scoped("the registration ends with its scope", () =>
    Effect.gen(function* () {
      const { admission, registry, service } = yield* mounted
      yield* service.create(s1, task("a"))
      yield* Scope.close(admission, Exit.void)
      assert.deepStrictEqual(
        (yield* registry.activity(s1)).map(({ family }) => family),
        ["agent"]
      )
    })
  )
})

/** A Host whose service is mounted on a workspace in which another family was registered before. */
const mounted = Effect.gen(function* () {
  const world = yield* World.make
  const { service } = yield* world.start()
  const registry = Context.get(yield* Layer.build(WorkspaceRegistry.layer), WorkspaceRegistry.WorkspaceRegistry)
  yield* registry.register({
    family: "agent",
    activity: (id) => Effect.succeed([{ id: "turn", label: id }]),
    stop: () => Effect.void
  })
  const admission = yield* Scope.make()
  let stop: (id: SessionId) => Effect.Effect<void, unknown> = () => Effect.void
  yield* service.archiveAdmission.pipe(
    Effect.provideService(ArchiveRegistry, {
      register: (provider) => {
        stop = provider.stop
        return registry.register(provider)
      }
    }),
    Scope.extend(admission)
  )
  return { world, service, registry, admission, stop }
})
