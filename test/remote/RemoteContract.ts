import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, FastCheck, Fiber, Layer, Logger, LogLevel, Runtime, Stream } from "effect"
import { MessageId, ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import { InputCode, ScheduleInputError } from "../../src/domain/ScheduleInputError.ts"
import type { TaskSummary } from "../../src/domain/ScheduleTask.ts"
import { ScheduleClient } from "../../src/remote/ScheduleClient.ts"
import { OutcomeUnknown, OwnerUnavailable } from "../../src/runtime/OwnerError.ts"
import type { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { ServiceStopping } from "../../src/runtime/ServiceStopping.ts"
import { SessionUnreadable } from "../../src/runtime/SessionHeaders.ts"
import {
  DomainClosed,
  StorageFailure,
  StorageQuarantined,
  StorageUnknownState
} from "../../src/storage/StorageError.ts"
import { records } from "../domain/fixtures.ts"
import * as arb from "./arbitraries.ts"
import * as Fake from "./FakeService.ts"

const id = ScheduleId.make("schedule-00000000-0000-4000-8000-000000000001")
const sessionId = SessionId.make("s")

/** What every way to reach the namespace must do: behave as the service does, value for value. */
export const remoteContract = (name: string, client: Layer.Layer<ScheduleClient, never, ScheduleService>) =>
  layer(Layer.provideMerge(client, Fake.layer).pipe(Layer.provide(Logger.minimumLogLevel(LogLevel.None))), {
    excludeTestServices: true
  })(`schedule.* ${name}`, (it) => {
    const answered = Effect.fnUntraced(function* (answer: Effect.Effect<unknown, unknown>) {
      const fake = yield* Fake.FakeService
      fake.answer = answer
      fake.calls.length = 0
      return yield* ScheduleClient
    })

    it.effect("answers travel value for value", () =>
      each(
        FastCheck.record({
          records: FastCheck.array(arb.record, { maxLength: 5 }),
          summaries: FastCheck.array(arb.summary, { maxLength: 5 }),
          record: arb.record,
          deliveries: FastCheck.array(arb.delivery, { maxLength: 5 }),
          id: arb.scheduleId,
          flags: FastCheck.tuple(FastCheck.boolean(), FastCheck.boolean()),
          next: FastCheck.option(FastCheck.string({ minLength: 1 })),
          count: FastCheck.nat()
        }),
        Effect.fnUntraced(function* ({ count, deliveries, flags, id, next, record, records, summaries }) {
          const list = yield* answered(Effect.succeed(records))
          assert.deepStrictEqual(yield* list.list({ sessionId }), records)
          const catalog = yield* answered(Effect.succeed(summaries))
          assert.deepStrictEqual(yield* catalog.catalog(), summaries)
          const slice = { tasks: summaries, ...(next === null ? {} : { nextAfter: next }) }
          const page = yield* answered(Effect.succeed(slice))
          assert.deepStrictEqual(yield* page.catalogPage({ limit: 1 }), slice)
          const create = yield* answered(Effect.succeed(record))
          assert.deepStrictEqual(yield* create.create(sessionId, {}), record)
          const deliveryPage = {
            id,
            records: deliveries,
            ...(next === null ? {} : { nextBefore: MessageId.make(next) }),
            earlierRecordsUnavailable: flags[0],
            earlierRecordsPruned: flags[1],
            retention: { days: 30, records: 200 }
          }
          const history = yield* answered(Effect.succeed(deliveryPage))
          assert.deepStrictEqual(yield* history.history({ sessionId, id, limit: 1 }), deliveryPage)
          const updated = { id, updated: flags[0], record }
          const update = yield* answered(Effect.succeed(updated))
          assert.deepStrictEqual(yield* update.update({ sessionId, id, expected: record }), updated)
          const inactive = yield* answered(Effect.succeed(count))
          assert.strictEqual(yield* inactive.deleteInactive(), count)
        })
      )
    )

    it.effect("misses, conflicts and input errors are answers", () =>
      Effect.gen(function* () {
        for (const code of ["schedule_not_found", "delivery_cursor_not_found"] as const) {
          const client = yield* answered(Effect.succeed({ id, code }))
          assert.deepStrictEqual(yield* client.history({ sessionId, id, limit: 1 }), { id, code })
        }
        for (const code of ["schedule_not_found", "schedule_ended", "schedule_conflict"] as const) {
          const client = yield* answered(Effect.succeed({ id, updated: false, code }))
          assert.deepStrictEqual(yield* client.update({ sessionId, id, expected: {} }), { id, updated: false, code })
        }
        for (const answer of [
          { id, deleted: true } as const,
          { id, deleted: false, code: "schedule_not_found" } as const
        ]) {
          const client = yield* answered(Effect.succeed(answer))
          assert.deepStrictEqual(yield* client.delete({ sessionId, id }), answer)
        }
        for (const code of InputCode.literals) {
          const refusal = { id, updated: false, code, message: "why" } as const
          const client = yield* answered(Effect.succeed(refusal))
          assert.deepStrictEqual(yield* client.update({ sessionId, id, expected: {} }), refusal)
          const error = new ScheduleInputError({ code, message: "prompt: über 120 字" })
          const refusing = yield* answered(Effect.fail(error))
          const refused = [
            Effect.flip(refusing.create(sessionId, {})),
            Effect.flip(refusing.history({ sessionId, id, limit: 0 }))
          ]
          for (const call of refused) {
            const failure = yield* call
            assert.deepStrictEqual([failure._tag, failure.code, failure.message], [error._tag, code, error.message])
          }
        }
      })
    )

    it.effect("calls travel value for value", () =>
      each(
        FastCheck.record({ sessionId: arb.sessionId, id: FastCheck.string(), a: arb.json, b: arb.json, c: arb.json }),
        Effect.fnUntraced(function* ({ a, b, c, id: text, sessionId }) {
          const id = text as ScheduleId
          const fake = yield* Fake.FakeService
          const client = yield* answered(Effect.fail(new ServiceStopping()))
          const request = { title: a, nested: { list: [b, c] } }
          yield* Effect.flip(client.create(sessionId, request))
          yield* Effect.flip(client.list({ sessionId }))
          yield* Effect.flip(client.catalog())
          yield* Effect.flip(client.catalogPage({ limit: a, after: b, status: "inactive" }))
          yield* Effect.flip(client.history({ sessionId, id, limit: a, before: b }))
          yield* Effect.flip(client.update({ sessionId, id, expected: a, title: b, change: c }))
          yield* Effect.flip(client.delete({ sessionId, id }))
          yield* Effect.flip(client.deleteInactive())
          assert.deepStrictEqual(fake.calls, [
            ["create", sessionId, request],
            ["list", { sessionId }],
            ["catalog"],
            ["catalogPage", { limit: a, after: b, status: "inactive" }],
            ["history", { sessionId, id, limit: a, before: b }],
            ["update", { sessionId, id, expected: a, title: b, change: c }],
            ["delete", { sessionId, id }],
            ["deleteInactive"]
          ])
        })
      )
    )

    it.effect("storage and lifecycle failures have a stable code and no backend text", () =>
      Effect.gen(function* () {
        const table = [
          [new StorageFailure({ message: "SQLITE_SECRET", cause: new Error("SECRET") }), "storage_failed"],
          [new StorageUnknownState({ message: "SECRET" }), "storage_unknown_state"],
          [new StorageQuarantined(), "storage_quarantined"],
          [new DomainClosed(), "storage_closed"],
          [new ServiceStopping(), "host_stopping"],
          [new SessionUnreadable({ message: "SECRET" }), "session_failed"],
          [new OwnerUnavailable({ message: "SECRET" }), "owner_unavailable"],
          [new OutcomeUnknown({ message: "SECRET" }), "outcome_unknown"]
        ] as const
        for (const [error, code] of table) yield* expectUnavailable(Effect.fail(error), code)
        yield* expectUnavailable(Effect.die(new Error("SECRET")), "internal_error")
      })
    )

    const expectUnavailable = Effect.fnUntraced(function* (answer: Effect.Effect<unknown, unknown>, code: string) {
      const client = yield* answered(answer)
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string; readonly code: string }>> = [
        client.create(sessionId, {}),
        client.list({ sessionId }),
        client.catalog(),
        client.catalogPage({ limit: 1 }),
        client.history({ sessionId, id, limit: 1 }),
        client.update({ sessionId, id, expected: {} }),
        client.delete({ sessionId, id }),
        client.deleteInactive()
      ]
      for (const call of calls) {
        const failure = yield* Effect.flip(call)
        assert.deepStrictEqual([failure._tag, failure.code], ["ScheduleUnavailable", code])
        assert.notInclude(JSON.stringify(failure), "SECRET")
      }
    })

    it.effect("a large catalog of wide characters arrives whole, wherever the network cuts it", () =>
      Effect.gen(function* () {
        const summaries = Array.from(
          { length: 3000 },
          (_, i): TaskSummary => ({
            sessionId,
            record: { ...records.every, title: `提醒 ${i}`, prompt: "每天检查构建🎉".repeat(1 + (i % 40)) },
            status: "active"
          })
        )
        const client = yield* answered(Effect.succeed(summaries))
        assert.deepStrictEqual(yield* client.catalog(), summaries)
      })
    )

    it.effect("interrupting a call interrupts it at the service", () =>
      Effect.gen(function* () {
        const started = yield* Deferred.make<void>()
        const stopped = yield* Deferred.make<void>()
        const client = yield* answered(
          Deferred.succeed(started, undefined).pipe(
            Effect.zipRight(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
          )
        )
        const fiber = yield* Effect.fork(client.deleteInactive())
        yield* Deferred.await(started)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        yield* Deferred.await(stopped)
      })
    )

    it.effect("a subscription begins with one element, then has one after each change", () =>
      Effect.gen(function* () {
        const fake = yield* Fake.FakeService
        const { changes } = yield* ScheduleClient
        let seen = 0
        yield* changes.pipe(
          Stream.tap(() =>
            Effect.zipRight(
              Effect.sync(() => seen++),
              fake.change
            )
          ),
          Stream.take(4),
          Stream.runDrain
        )
        assert.strictEqual(seen, 4)
      })
    )
  })

// internal

const each = <A, R>(arbitrary: FastCheck.Arbitrary<A>, check: (value: A) => Effect.Effect<void, unknown, R>) =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(arbitrary, (value) => Runtime.runPromise(runtime)(check(value))),
        { numRuns: 40 }
      )
    )
  )
