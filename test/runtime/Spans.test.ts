import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock, Tracer } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as World from "./World.ts"

const sessionId = SessionId.make("s1")

describe("spans", () => {
  it.scoped("stand around each management call and each delivery, with ids and without texts", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.Span> = []
      const native = yield* Effect.tracer
      const tracer = Tracer.make({
        ...native,
        span: (...options) => {
          const span = native.span(...options)
          spans.push(span)
          return span
        }
      })
      yield* Effect.withTracer(lifeOfATask, tracer)
      const [id] = spans.flatMap(({ attributes }) => (attributes.has("id") ? [attributes.get("id")] : []))
      assert.match(String(id), /^schedule-/)
      const told = new Map(spans.map(({ attributes, name }) => [name, Object.fromEntries(attributes)]))
      const task = { sessionId, id }
      for (const [name, ids] of [
        ["ScheduleService.create", task],
        ["ScheduleService.list", { sessionId }],
        ["ScheduleService.catalog", {}],
        ["ScheduleService.catalogPage", {}],
        ["ScheduleService.update", task],
        ["Delivery.deliver", { sessionId, taskIds: [id] }],
        ["ScheduleService.history", task],
        ["ScheduleService.delete", task],
        ["ScheduleService.deleteInactive", {}],
        ["ScheduleService.reopen", {}]
      ] as const) {
        assert.deepInclude(told.get(name), ids, name)
      }
      for (const span of spans) {
        assert.strictEqual(span.status._tag, "Ended", span.name)
        assert.notInclude(JSON.stringify([span.name, ...span.attributes]), "secret", span.name)
      }
    })
  )
})

const lifeOfATask = Effect.scoped(
  Effect.gen(function* () {
    const world = yield* World.make
    const { service } = yield* world.start()
    const request = { title: "a secret title", prompt: "a secret prompt", after_seconds: 10 }
    const { id } = yield* service.create(sessionId, request)
    const [expected] = yield* service.list({ sessionId })
    yield* service.catalog()
    yield* service.catalogPage({ limit: 1 })
    yield* service.update({ sessionId, id, expected, prompt: "another secret" })
    yield* TestClock.adjust("10 seconds")
    yield* service.history({ sessionId, id, limit: 1 })
    yield* service.delete({ sessionId, id })
    yield* service.deleteInactive()
    yield* service.reopen()
  })
)
