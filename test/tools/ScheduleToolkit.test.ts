import * as Chat from "@effect/ai/Chat"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import * as Tool from "@effect/ai/Tool"
import { assert, describe, expect, it } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv"
import { Effect, Either, FastCheck, Layer, TestClock } from "effect"
import { createRecord } from "../../src/domain/Creation.ts"
import { resolveUpdate } from "../../src/domain/Update.ts"
import { ScheduleToolkit, layer as toolkitLayer } from "../../src/tools/ScheduleToolkit.ts"
import { ScheduleTools } from "../../src/tools/ScheduleTools.ts"
import { id, now, records } from "../domain/fixtures.ts"
import * as Desk from "./Desk.ts"

const { tools } = ScheduleToolkit
const schemaOf = (tool: Tool.Any): object => Tool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast)

describe("ScheduleToolkit schemas", () => {
  it("are the same text as ever, so that what models were given before stays cached", async () => {
    const declared = Object.values(tools).map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: schemaOf(tool)
    }))
    await expect(`${JSON.stringify(declared, undefined, 2)}\n`).toMatchFileSnapshot("snapshots/toolkit.txt")
  })

  it("describe every request that is accepted, but for spaces around a title", () => {
    const validators = new AjvJsonSchemaValidator()
    const create = validators.getValidator(schemaOf(tools.schedule_create))
    const update = validators.getValidator(schemaOf(tools.schedule_update))
    let accepted = 0
    FastCheck.assert(
      FastCheck.property(texts, selector, (texts, selector) => {
        const request = { ...texts, ...selector }
        if (Either.isLeft(createRecord(request, { id, now }))) return
        accepted++
        assert.deepInclude(create(request), { valid: true }, JSON.stringify(request))

        const [name = "", value] = Object.entries(selector)[0] ?? []
        const change = { kind: name.replace("_seconds", ""), [name]: value }
        if (Either.isLeft(resolveUpdate(records.every, { expected: records.every, change }, now))) return
        assert.deepInclude(update({ id, ...request }), { valid: true }, JSON.stringify(request))
      }),
      { numRuns: 2000 }
    )
    assert.isAbove(accepted, 200)
  })

  it("refuse what no request may have", () => {
    const create = new AjvJsonSchemaValidator().getValidator(schemaOf(tools.schedule_create))
    const base = { title: "T", prompt: "P" }
    for (const request of [
      {},
      { title: "T" },
      { ...base, extra: 1 },
      { ...base, after_seconds: 0 },
      { ...base, after_seconds: "5" },
      { ...base, every_seconds: 59 },
      { ...base, at: 5 },
      { ...base, daily: { time: "09:00:00" } },
      { ...base, weekly: { time: "09:00:00", time_zone: "UTC", weekdays: [] } },
      { ...base, weekly: { time: "09:00:00", time_zone: "UTC", weekdays: [8] } },
      { ...base, title: "x".repeat(121) }
    ]) {
      assert.deepInclude(create(request), { valid: false }, JSON.stringify(request))
    }
  })
})

describe("ScheduleToolkit", () => {
  it.scoped("lets a model create, list, change and delete reminders, and wakes it by one as its next turn", () =>
    Effect.gen(function* () {
      const { tools, world } = yield* Desk.make
      const handlers = yield* Layer.build(toolkitLayer.pipe(Layer.provide(Layer.succeed(ScheduleTools, tools))))
      const model = scripted([
        () => call("schedule_create", { title: "Tea", prompt: "The tea is ready", after_seconds: 1 }),
        () => call("schedule_create", { title: "Water", prompt: "Drink", every_seconds: 10 }),
        (results) => {
          assert.deepStrictEqual(results.at(-1), {
            code: "frequency_too_high",
            message: "every_seconds must be at least 60"
          })
          return call("schedule_create", { title: "Water", prompt: "Drink", every_seconds: 3600 })
        },
        () => call("schedule_list", {}),
        (results) => {
          const [tea, water] = results.at(-1) as ReadonlyArray<{ readonly id: string; readonly title: string }>
          assert.deepStrictEqual([tea?.title, water?.title], ["Tea", "Water"])
          return [
            ...call("schedule_update", { id: tea!.id, at: "1970-01-01T00:05:00Z" }),
            ...call("schedule_delete", { id: water!.id })
          ]
        },
        (results) => {
          assert.propertyVal(results.at(-2), "scheduledAt", "1970-01-01T00:05:00.000Z")
          assert.propertyVal(results.at(-1), "deleted", true)
          return say("Done.")
        },
        () => say("Your tea is ready.")
      ])
      const chat = yield* Chat.empty
      const turn = (message: string) =>
        Effect.gen(function* () {
          let response = yield* chat.generateText({ prompt: message, toolkit: ScheduleToolkit })
          while (response.toolCalls.length > 0) {
            response = yield* chat.generateText({ prompt: [], toolkit: ScheduleToolkit })
          }
          return response.text
        }).pipe(
          Desk.as(Desk.session),
          Effect.provide(handlers),
          Effect.provideServiceEffect(LanguageModel.LanguageModel, model)
        )

      assert.strictEqual(yield* turn("Remind me of my tea in five minutes, and of water now and then."), "Done.")
      yield* TestClock.adjust("5 minutes")
      const [reminder, second] = world.texts(Desk.session)
      assert.match(reminder ?? "", /^\[SCHEDULE REMINDER\]\n[\s\S]*"The tea is ready"$/)
      assert.isUndefined(second)
      assert.strictEqual(yield* turn(reminder ?? ""), "Your tea is ready.")
      assert.deepStrictEqual(yield* Desk.as(Desk.session)(tools.list({})), [])
    })
  )

  it.scoped("answers a model that calls without a Session around it", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const handlers = yield* Layer.build(toolkitLayer.pipe(Layer.provide(Layer.succeed(ScheduleTools, tools))))
      const toolkit = yield* Effect.provide(ScheduleToolkit, handlers)
      const result = yield* toolkit.handle("schedule_list", {})
      assert.deepInclude(result, {
        isFailure: true,
        encodedResult: { code: "internal_error", message: "The schedule operation failed." }
      })
    })
  )

  it.scoped("passes unknown keys on, to be refused with a code", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const handlers = yield* Layer.build(toolkitLayer.pipe(Layer.provide(Layer.succeed(ScheduleTools, tools))))
      const toolkit = yield* Effect.provide(ScheduleToolkit, handlers)
      const result = yield* Desk.as(Desk.session)(toolkit.handle("schedule_list", { all: true }))
      assert.nestedPropertyVal(result, "encodedResult.code", "invalid_selector")
    })
  )

  it.scoped("encodes a view in the fixed key order", () =>
    Effect.gen(function* () {
      const { tools } = yield* Desk.make
      const handlers = yield* Layer.build(toolkitLayer.pipe(Layer.provide(Layer.succeed(ScheduleTools, tools))))
      const toolkit = yield* Effect.provide(ScheduleToolkit, handlers)
      const request = { weekly: { weekdays: [5, 1], time_zone: "UTC", time: "09:00:00" }, prompt: "P", title: "T" }
      const { encodedResult } = yield* Desk.as(Desk.session)(toolkit.handle("schedule_create", request))
      assert.deepStrictEqual(Object.keys(encodedResult as object), [
        "id",
        "kind",
        "title",
        "prompt",
        "time",
        "timeZone",
        "weekdays",
        "scheduledAt",
        "state",
        "deliveryMode"
      ])
    })
  )
})

/** A model that says one thing after the other; each may look at the results of all calls so far. */
const scripted = (script: ReadonlyArray<(results: ReadonlyArray<unknown>) => Array<Response.PartEncoded>>) => {
  let step = 0
  return LanguageModel.make({
    generateText: ({ prompt }) =>
      Effect.sync(() => {
        const results = prompt.content.flatMap((message) =>
          message.role === "tool" ? message.content.map(({ result }) => result) : []
        )
        return script[step++]!(results)
      }),
    streamText: () => {
      throw new Error("not streamed")
    }
  })
}

const call = (name: string, params: object): Array<Response.PartEncoded> => [
  { type: "tool-call", id: `call-${name}`, name, params }
]

const say = (text: string): Array<Response.PartEncoded> => [{ type: "text", text }]

const texts = FastCheck.record({
  title: FastCheck.string({ maxLength: 125 }).map((text) => `t${text}`.trimEnd()),
  prompt: FastCheck.constantFrom("P", " P ")
})

const time = FastCheck.constantFrom("09:00:00", "09:00:00.5", "24:00:00", 9)
const time_zone = FastCheck.constantFrom("UTC", "Europe/Paris", "EST", null)
const seconds = FastCheck.oneof(FastCheck.integer({ min: -5, max: 200 }), FastCheck.double(), FastCheck.maxSafeNat())

const selector: FastCheck.Arbitrary<Record<string, unknown>> = FastCheck.oneof(
  FastCheck.record({ after_seconds: seconds }),
  FastCheck.record({ every_seconds: seconds }),
  FastCheck.record({
    at: FastCheck.oneof(
      FastCheck.constantFrom("2030-01-01T09:00:00Z", "2030-01-01T09:00:00.5-23:59", "2030-01-01", 5),
      FastCheck.record({ date: FastCheck.constantFrom("2030-01-01", "2030-02-30"), time, time_zone })
    )
  }),
  FastCheck.record({ daily: FastCheck.record({ time, time_zone }) }),
  FastCheck.record({
    weekly: FastCheck.record({ time, time_zone, weekdays: FastCheck.array(FastCheck.integer({ min: 0, max: 8 })) })
  }),
  FastCheck.record({
    cron: FastCheck.record({ expression: FastCheck.constantFrom("*/5 * * * *", "0 0 31 2 *", "x"), time_zone })
  })
)
