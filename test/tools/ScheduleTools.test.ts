import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, FiberRef, HashSet, Layer, Logger, TestClock } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as Json from "../../src/remote/Json.ts"
import * as ScheduleHandlers from "../../src/remote/ScheduleHandlers.ts"
import { SessionClient } from "../../src/remote/SessionClient.ts"
import { SessionRefused } from "../../src/remote/SessionRefused.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"
import * as ScheduleTools from "../../src/tools/ScheduleTools.ts"
import type { ToolFailure } from "../../src/tools/ToolSchemas.ts"
import { hostile } from "../domain/fixtures.ts"
import * as Desk from "./Desk.ts"

const check = { title: "Build check", prompt: "Check the build" }
const unknownId = "schedule-00000000-0000-4000-8000-000000000009"

describe("ScheduleTools", () => {
  it.scoped("create answers the new task's view, in the fixed key order", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const view = yield* Desk.as(Desk.session)(tools.create({ ...check, after_seconds: 600 }))
      assert.strictEqual(
        JSON.stringify({ ...view, id: "schedule-x" }),
        '{"id":"schedule-x","kind":"after","title":"Build check","prompt":"Check the build","afterSeconds":600,"scheduledAt":"1970-01-01T00:10:00.000Z","state":"scheduled","deliveryMode":"host"}'
      )
    })
  )

  it.scoped("list answers the calling Session's active tasks in creation order", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const asCaller = Desk.as(Desk.session)
      yield* asCaller(tools.create({ ...check, title: "second due", every_seconds: 900 }))
      yield* asCaller(tools.create({ ...check, title: "first due", after_seconds: 60 }))
      yield* Desk.as(Desk.other)(tools.create({ ...check, after_seconds: 1 }))
      const titles = (yield* asCaller(tools.list({}))).map(({ title }) => title)
      assert.deepStrictEqual(titles, ["second due", "first due"])
      assert.deepStrictEqual(yield* asCaller(tools.list(undefined)), yield* asCaller(tools.list({})))

      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        (yield* asCaller(tools.list({}))).map(({ title }) => title),
        ["second due"],
        "a delivered one-shot is active no more"
      )
    })
  )

  it.scoped("update answers the committed view, and a change that changes nothing answers it, too", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const asCaller = Desk.as(Desk.session)
      const { id } = yield* asCaller(tools.create({ ...check, after_seconds: 600 }))
      const edit = { id, title: "New", every_seconds: 300 }
      const view = yield* asCaller(tools.update(edit))
      assert.deepInclude(view, { id, kind: "every", title: "New", prompt: "Check the build", state: "scheduled" })
      assert.deepStrictEqual(yield* asCaller(tools.update(edit)), view)
      assert.deepStrictEqual<unknown>(yield* asCaller(tools.list({})), [view])
      for (const change of [
        { at: "2030-01-01T09:00:00Z" },
        { daily: { time: "09:00:00", time_zone: "UTC" } },
        { weekly: { time: "09:00:00", time_zone: "UTC", weekdays: [1] } },
        { cron: { expression: "0 9 * * *", time_zone: "UTC" } }
      ]) {
        assert.propertyVal(yield* asCaller(tools.update({ id, ...change })), "kind", Object.keys(change)[0])
      }
    })
  )

  it.scoped("update and delete tell misses as values", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const asCaller = Desk.as(Desk.session)
      const { id: ended } = yield* asCaller(tools.create({ ...check, after_seconds: 1 }))
      const { id: foreign } = yield* Desk.as(Desk.other)(tools.create({ ...check, after_seconds: 600 }))
      yield* TestClock.adjust("1 minute")

      for (const id of [unknownId, foreign, "x", "schedule-1", "\u0000", "__proto__"]) {
        assert.deepStrictEqual(yield* asCaller(tools.update({ id, title: "New" })), {
          id,
          updated: false,
          code: "schedule_not_found"
        })
        assert.deepStrictEqual(yield* asCaller(tools.delete({ id })), {
          id,
          deleted: false,
          code: "schedule_not_found"
        })
      }
      assert.deepStrictEqual(yield* asCaller(tools.update({ id: ended, title: "New" })), {
        id: ended,
        updated: false,
        code: "schedule_ended"
      })
      assert.deepStrictEqual(yield* asCaller(tools.delete({ id: ended })), { id: ended, deleted: true })
      assert.deepStrictEqual(yield* Desk.as(Desk.other)(tools.delete({ id: foreign })), { id: foreign, deleted: true })
    })
  )

  it.scoped("update tells a conflict when the task changed after it was read", () =>
    Effect.gen(function* () {
      const { service } = yield* Desk.make
      const tools = yield* Desk.over({
        ...service,
        list: (query) =>
          Effect.tap(service.list(query), ([expected]) =>
            Effect.orDie(service.update({ sessionId: Desk.session, id: expected!.id, expected, title: "Faster" }))
          )
      })
      const { id } = yield* Desk.as(Desk.session)(tools.create({ ...check, after_seconds: 600 }))
      assert.deepStrictEqual(yield* Desk.as(Desk.session)(tools.update({ id, title: "New" })), {
        id,
        updated: false,
        code: "schedule_conflict"
      })
    })
  )
})

describe("ScheduleTools refuse in this order", () => {
  const daily = { time: "09:00:00", time_zone: "UTC" }
  const create: ReadonlyArray<[unknown, string]> = [
    [undefined, "invalid_selector: a request must be an object"],
    [[], "invalid_selector: a request must be an object"],
    [{ after_seconds: 0, extra: 1 }, "invalid_selector: unknown key"],
    [{ after_seconds: 0, id: unknownId }, "invalid_selector: unknown key"],
    [{ after_seconds: 0, every_seconds: 0 }, "invalid_selector: exactly one"],
    [{ ...check }, "invalid_selector: exactly one"],
    [{ after_seconds: 0 }, "invalid_prompt: title"],
    [{ title: "T", after_seconds: 0 }, "invalid_prompt: prompt"],
    [{ ...check, after_seconds: 0 }, "invalid_rule: after_seconds"],
    [{ ...check, every_seconds: 59 }, "frequency_too_high: every_seconds"],
    [{ ...check, daily: { ...daily, time_zone: "EST" } }, "invalid_time_zone: daily.time_zone"],
    [{ ...check, at: "1969-12-31T00:00:00Z" }, "not_future: at"],
    [{ ...check, cron: { expression: "0 0 31 2 *", time_zone: "UTC" } }, "time_out_of_range: "]
  ]
  const update: ReadonlyArray<[unknown, string]> = [
    [undefined, "invalid_selector: the arguments must be an object"],
    ["x", "invalid_selector: the arguments must be an object"],
    [{ id: "", extra: 1, title: "" }, "invalid_selector: unknown key"],
    [{ id: "", after_seconds: 5 }, 'invalid_selector: unknown key "after_seconds"'],
    [{ id: "", expected: {} }, "invalid_selector: unknown key"],
    [{ id: "", at: 1, daily: 1 }, "invalid_selector: at most one timing is wanted: at and daily were both given"],
    [{ id: "" }, "invalid_selector: at least one of title, prompt, at, every_seconds, daily, weekly, cron"],
    [{ id: unknownId }, "invalid_selector: at least one"],
    [{ title: "" }, "invalid_rule: id"],
    [{ id: "", title: "" }, "invalid_rule: id"],
    [{ id: ` ${unknownId}`, title: "" }, "invalid_rule: id"],
    [{ id: 5, title: "" }, "invalid_rule: id"],
    [{ id: unknownId, title: " ", prompt: " ", daily: 1 }, "invalid_prompt: title"],
    [{ id: unknownId, prompt: " ", daily: 1 }, "invalid_prompt: prompt"],
    [{ id: unknownId, daily: 1 }, "invalid_rule: daily"],
    [{ id: unknownId, every_seconds: 1 }, "frequency_too_high: every_seconds"],
    [{ id: unknownId, daily: { ...daily, time_zone: "GMT" } }, "invalid_time_zone: daily.time_zone"]
  ]
  const delete_: ReadonlyArray<[unknown, string]> = [
    [undefined, "invalid_selector: the arguments must be an object"],
    [{ extra: 1 }, "invalid_selector: unknown key"],
    [{ id: "", sessionId: "session-2" }, "invalid_selector: unknown key"],
    [{}, "invalid_rule: id"],
    [{ id: "" }, "invalid_rule: id"],
    [{ id: "\n" }, "invalid_rule: id"],
    [{ id: `${unknownId} ` }, "invalid_rule: id"],
    [{ id: null }, "invalid_rule: id"]
  ]
  const list: ReadonlyArray<[unknown, string]> = [
    [{ extra: 1 }, 'invalid_selector: unknown key "extra": allowed are none'],
    [[], "invalid_selector: the arguments must be an object"],
    ["all", "invalid_selector: the arguments must be an object"]
  ]
  const tables = { create, update, delete: delete_, list }
  const names = ["create", "list", "update", "delete"] as const
  const call = (
    tools: ScheduleTools.ScheduleTools["Type"],
    name: (typeof names)[number],
    args: unknown
  ): Effect.Effect<unknown, ToolFailure> => tools[name](args)

  it.scoped.each(names)("schedule_%s: keys and selectors, id, title, prompt, rule, target", (name) =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      for (const [args, expected] of tables[name]) {
        const result = String(yield* Desk.said(Desk.as(Desk.session)(call(tools, name, args))))
        assert.isTrue(result.startsWith(expected), `${JSON.stringify(args)} gave ${result}`)
      }
    })
  )

  it.scoped.each(names)("schedule_%s: a delegated child before anything else", (name) =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      for (const args of [undefined, {}, { extra: 1 }, { ...check, after_seconds: 1 }, { id: unknownId }]) {
        const result = yield* Desk.said(Desk.as(Desk.child)(call(tools, name, args)))
        assert.match(String(result), /^subagent_session: /)
      }
    })
  )

  it.scoped(
    "a rule that only the stored task can judge: a past instant is refused, unless the task is there already",
    () =>
      Effect.gen(function* () {
        const { tools } = yield* Desk.make
        const asCaller = Desk.as(Desk.session)
        const { id } = yield* asCaller(tools.create({ ...check, at: "1970-01-01T00:10:00Z" }))
        yield* TestClock.setTime(Date.UTC(1970, 0, 1, 0, 9))
        assert.match(
          String(yield* Desk.said(asCaller(tools.update({ id, at: "1970-01-01T00:08:00Z" })))),
          /^not_future: /
        )
        assert.deepInclude(yield* asCaller(tools.update({ id, at: "1970-01-01T08:10:00+08:00" })), { id, kind: "at" })
      })
  )

  it.scoped("hostile arguments, without dying", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      for (const value of hostile()) {
        for (const name of names) {
          for (const args of [value, { id: value }, { id: unknownId, title: value }, { id: unknownId, at: value }]) {
            const result = yield* Desk.said(Desk.as(Desk.session)(call(tools, name, args)))
            assert.notMatch(String(result), /^internal_error/)
          }
        }
      }
    })
  )
})

describe("ScheduleTools hide what is not the caller's to mend", () => {
  it.scoped("no calling Session is an internal error", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const calls: ReadonlyArray<Effect.Effect<unknown, ToolFailure>> = [
        tools.create({ ...check, after_seconds: 1 }),
        tools.list({}),
        tools.update({}),
        tools.delete({})
      ]
      for (const call of calls) {
        assert.strictEqual(yield* Desk.said(call), "internal_error: The schedule operation failed.")
      }
    })
  )

  it.scoped("a storage failure and a defect are logged with their cause, and nothing of them is told", () =>
    Effect.gen(function* () {
      const { service } = yield* Desk.make
      const tools = yield* Desk.over({
        ...service,
        create: () => new StorageFailure({ message: "/secret/disk is full" }),
        list: () => Effect.dieMessage("secret bug")
      })
      const lines: Array<string> = []
      const logger = Logger.make(({ annotations, cause, logLevel }) => {
        lines.push(`${logLevel.label} ${[...annotations]} ${cause}`)
      })
      const calls: ReadonlyArray<Effect.Effect<unknown, ToolFailure>> = [
        tools.create({ ...check, prompt: "private words", after_seconds: 1 }),
        tools.list({})
      ]
      for (const call of calls) {
        const answer = yield* Desk.said(Desk.as(Desk.session)(call)).pipe(
          Effect.locally(FiberRef.currentLoggers, HashSet.make(logger))
        )
        assert.strictEqual(answer, "internal_error: The schedule operation failed.")
      }
      assert.lengthOf(lines, 2)
      assert.match(lines[0]!, /^ERROR .*schedule_create[\s\S]*secret\/disk is full/)
      assert.match(lines[1]!, /^ERROR .*schedule_list[\s\S]*secret bug/)
      assert.notMatch(lines.join(), /private words/)
    })
  )

  it.scoped("an unreadable Session header is an internal error", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      assert.strictEqual(
        yield* Desk.said(Desk.as(Desk.unreadable)(tools.list({}))),
        "internal_error: The schedule operation failed."
      )
    })
  )

  it.scoped("interrupting a call interrupts it, and is no failure", () =>
    Effect.gen(function* () {
      const { service } = yield* Desk.make
      const tools = yield* Desk.over({ ...service, list: () => Effect.never })
      const fiber = yield* Effect.fork(Desk.as(Desk.session)(tools.list({})))
      yield* TestClock.adjust("1 minute")
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isInterrupted(exit))
    })
  )
})

describe("ScheduleTools over the clients of a Host", () => {
  const ofHost = Effect.gen(function* () {
    const { service } = yield* Desk.make
    const sessions: Partial<SessionClient["Type"]> = {
      delegationDepth: ({ id }) =>
        id === "missing"
          ? Effect.fail(new SessionRefused({ code: "session_not_found", message: "no such Session" }))
          : Effect.succeed(id === Desk.child ? 1 : 0)
    }
    const layer = ScheduleTools.layerClient.pipe(
      Layer.provide(ScheduleHandlers.layerClient),
      Layer.provide([Layer.succeed(ScheduleService, service), Layer.mock(SessionClient, sessions)])
    )
    return { layer }
  })

  it.scoped("do the same as over the service", () =>
    Effect.gen(function* () {
      const { layer } = yield* ofHost
      const tools = Context.get(yield* Layer.build(layer), ScheduleTools.ScheduleTools)
      const asCaller = Desk.as(Desk.session)
      const created = yield* asCaller(tools.create({ ...check, after_seconds: 600 }))
      assert.deepStrictEqual(yield* asCaller(tools.list({})), [created])
      const { id } = created
      assert.propertyVal(yield* asCaller(tools.update({ id, title: "New" })), "title", "New")
      assert.match(String(yield* Desk.said(asCaller(tools.update({ id, every_seconds: 1 })))), /^frequency_too_high: /)
      assert.match(
        String(yield* Desk.said(asCaller(tools.create({ ...check, at: "1969-01-01T00:00:00Z" })))),
        /^not_future: /
      )
      assert.deepStrictEqual(yield* asCaller(tools.delete({ id })), { id, deleted: true })
      assert.match(String(yield* Desk.said(Desk.as(Desk.child)(tools.list({})))), /^subagent_session: /)
      const missing = SessionId.make("missing")
      assert.match(String(yield* Desk.said(Desk.as(missing)(tools.list({})))), /^internal_error: /)
    })
  )

  it.scoped("refuse what no call could carry to a Host as over the service", () =>
    Effect.gen(function* () {
      const { service } = yield* Desk.make
      const tools = ScheduleTools.fromHost({
        ...service,
        delegationDepth: () => Effect.succeed(0),
        create: (sessionId, request) =>
          Effect.flatMap(
            Effect.sync(() => Json.parse(JSON.stringify(request))),
            (request) => service.create(sessionId, request)
          )
      })
      const create = (args: unknown) => Desk.said(Desk.as(Desk.session)(tools.create(args)))
      for (const levels of [100, 100_000]) {
        const deep: unknown = JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`)
        assert.match(String(yield* create(deep)), /^invalid_selector: unknown key "a"/)
        assert.match(String(yield* create({ ...check, after_seconds: deep })), /^invalid_rule: after_seconds/)
      }
    })
  )

  it.scoped("per call: hold the Host for the time of each, one after the other, for as long as there is one", () =>
    Effect.gen(function* () {
      const { layer } = yield* ofHost
      const events: Array<string> = []
      let available = true
      const counted = Layer.unwrapScoped(
        Effect.gen(function* () {
          if (!available) return yield* Effect.fail("the store is in use")
          events.push("open")
          yield* Effect.addFinalizer(() => Effect.sync(() => events.push("close")))
          yield* Effect.sleep("1 second")
          return layer
        })
      )
      const tools = Context.get(yield* Layer.build(ScheduleTools.layerPerCall(counted)), ScheduleTools.ScheduleTools)
      assert.deepStrictEqual(events, [], "nothing is held before the first call")

      const list = Desk.said(Desk.as(Desk.session)(tools.list({})))
      const both = yield* Effect.fork(Effect.all([list, list], { concurrency: "unbounded" }))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(both), [[], []])
      assert.deepStrictEqual(events, ["open", "close", "open", "close"])

      available = false
      assert.strictEqual(yield* list, "internal_error: The schedule operation failed.")
      available = true
      const again = yield* Effect.fork(list)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(again), [])
    })
  )
})
