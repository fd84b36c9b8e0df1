import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, FiberRef, HashSet, Layer, Scope } from "effect"
import * as LegacyToolkit from "../../src/legacy/LegacyToolkit.ts"
import * as SessionLocalOwner from "../../src/legacy/SessionLocalOwner.ts"
import { temporaryDirectory } from "../session/TempLog.ts"
import { sessionId, start } from "../session/TestSessions.ts"

describe("the tools of a live Session", () => {
  it.scoped("answer with views, and with codes where something was refused", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: sessionId("one") })
      const agent = yield* sessions.resolveAgent(sessionId("one"))
      const scope = yield* Scope.make()
      const owner = yield* Scope.extend(SessionLocalOwner.make(agent), scope)
      const handlers = yield* Layer.build(LegacyToolkit.layer(owner))
      const call = (name: "schedule_create" | "schedule_list" | "schedule_delete", args: Record<string, unknown>) =>
        Effect.flatMap(LegacyToolkit.LegacyToolkit, (toolkit) => toolkit.handle(name, args)).pipe(
          Effect.map(({ encodedResult }): unknown => encodedResult),
          Effect.provide(handlers)
        )
      const view = {
        id: "schedule-1",
        kind: "after",
        prompt: "a",
        afterSeconds: 60,
        scheduledAt: "1970-01-01T00:01:00.000Z",
        state: "scheduled",
        deliveryMode: "session-local"
      }
      assert.deepStrictEqual(yield* call("schedule_create", { prompt: "a", after_seconds: 60 }), view)
      assert.deepStrictEqual(yield* call("schedule_list", {}), [view])
      assert.deepInclude<unknown>(yield* call("schedule_list", { all: true }), { code: "invalid_rule" })
      assert.deepInclude<unknown>(yield* call("schedule_create", { prompt: "a" }), { code: "invalid_selector" })
      assert.deepInclude<unknown>(yield* call("schedule_create", { prompt: "a", every_seconds: 60 }), {
        code: "frequency_too_high"
      })
      assert.deepInclude<unknown>(yield* call("schedule_delete", { id: " " }), { code: "invalid_rule" })
      assert.deepStrictEqual(yield* call("schedule_delete", { id: "schedule-1" }), { id: "schedule-1", deleted: true })
      assert.deepStrictEqual(yield* call("schedule_delete", { id: "schedule-1" }), {
        id: "schedule-1",
        deleted: false,
        code: "schedule_not_found"
      })
      yield* agent.append("schedule/change", null)
      assert.deepInclude<unknown>(yield* call("schedule_list", {}), { code: "corrupt_schedule_log" })
      // what a model cannot mend is not told to it
      yield* Scope.close(scope, Exit.void)
      const released = yield* Effect.locally(call("schedule_list", {}), FiberRef.currentLoggers, HashSet.empty())
      assert.deepStrictEqual(released, { code: "internal_error", message: "The schedule operation failed." })
    })
  )
})
