import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Runtime } from "effect"
import { ScheduleRpcs } from "../../src/remote/ScheduleRpcs.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as Composition from "../../src/sdk/Composition.ts"
import { layerMemory } from "../../src/storage/ScheduleDomain.ts"
import { DomainAlreadyOpen, DomainMalformed } from "../../src/storage/StorageError.ts"
import * as Host from "./Host.ts"
import * as Wire from "./Wire.ts"

const sessionId = "session-1"
const request = { title: "Tea", prompt: "Make tea", every_seconds: 60 }

describe("the SDK server", () => {
  it.scoped("mounts Schedule when the client is ready, and not before", () =>
    Effect.gen(function* () {
      let mounts = 0
      const client = yield* Wire.raw((handler) => {
        mounts++
        return Composition.layer({ domain: layerMemory, settings: ScheduleConfig.layer() }, handler)
      })
      for (const method of [...ScheduleRpcs.requests.keys(), "sdk.deliveries"]) {
        assert.strictEqual((yield* client.call(method)).error?.data.code, "not_ready", method)
      }
      assert.strictEqual(mounts, 0)
      // what comes right behind sdk.ready waits for it
      yield* client.send({ jsonrpc: "2.0", id: "ready", method: "sdk.ready" })
      assert.deepStrictEqual(yield* client.result("schedule.list", { sessionId }), [])
      const ready = yield* client.next(({ id }) => id === "ready")
      assert.deepStrictEqual(ready.result, { protocol: 1, version: "1.2.3", flushTimeout: 10_000 })
      assert.strictEqual((yield* client.call("sdk.ready")).error?.data.code, "already_ready")
      assert.strictEqual(mounts, 1)
    })
  )

  it.scoped("a store that does not open has a stable code and no backend text, and can be tried again", () =>
    Effect.gen(function* () {
      const failures = [
        [new DomainAlreadyOpen({ message: "SECRET" }), "store_locked"],
        [new DomainMalformed({ message: "SECRET" }), "store_malformed"]
      ] as const
      let tries = 0
      const client = yield* Wire.raw((handler) => {
        const failure = failures[tries++]?.[0]
        const domain = failure === undefined ? layerMemory : Layer.fail(failure)
        return Composition.layer({ domain, settings: ScheduleConfig.layer() }, handler)
      })
      for (const [, code] of failures) {
        const answer = yield* client.call("sdk.ready")
        assert.deepInclude(answer.error, { code: -32000, data: { code } })
        assert.notInclude(JSON.stringify(answer), "SECRET")
        assert.strictEqual((yield* client.call("schedule.catalog")).error?.data.code, "not_ready")
      }
      yield* client.result("sdk.ready")
      assert.deepStrictEqual(yield* client.result("schedule.catalog"), [])
    })
  )

  it.scoped("a wrong setting is named in the log, not in the answer", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.connect({ deliveryHistoryDays: 0 })
      assert.strictEqual((yield* client.call("sdk.ready")).error?.data.code, "invalid_config")
    })
  )

  it.scoped("serves every method of the namespace", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      for (const method of ScheduleRpcs.requests.keys()) {
        assert.notStrictEqual((yield* client.call(method)).error?.data.code, "method_not_found", method)
      }
    })
  )

  it.scoped("input errors and refused Sessions are answers, wrong params are errors that name the field", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      const answers = [
        ["schedule.create", { sessionId, request: {} }, "invalid_selector"],
        ["schedule.create", { sessionId, request: { ...request, title: " " } }, "invalid_prompt"],
        ["schedule.create", { sessionId, request: { ...request, cron: 1 } }, "invalid_selector"],
        ["schedule.create", { sessionId, request, delegationDepth: 1 }, "subagent_session"],
        ["schedule.create", { sessionId: "", request }, "invalid_session"],
        ["schedule.create", { sessionId: " x", request }, "invalid_session"],
        ["schedule.create", { sessionId: "\ud800", request }, "invalid_session"],
        ["schedule.update", { sessionId, id: "x", expected: {}, delegationDepth: 2 }, "subagent_session"],
        ["schedule.update", { sessionId, id: "x", expected: {} }, "schedule_not_found"],
        ["schedule.delete", { sessionId, id: "x" }, "schedule_not_found"],
        ["schedule.history", { sessionId, id: "x", limit: 0 }, "invalid_rule"],
        ["schedule.history", { sessionId, id: "x", limit: 1 }, "schedule_not_found"],
        ["schedule.catalogPage", { limit: 1001 }, "invalid_rule"],
        ["schedule.preview", { request: null }, "invalid_selector"]
      ] as const
      for (const [method, params, code] of answers) {
        assert.nestedPropertyVal(yield* client.result(method, params), "code", code, JSON.stringify(params))
      }
      const wrong = [
        ["schedule.create", { request }, "sessionId"],
        ["schedule.create", { sessionId: 1, request }, "sessionId"],
        ["schedule.create", { sessionId, request, delegationDepth: -1 }, "delegationDepth"],
        ["schedule.create", { sessionId, request, delegationDept: 1 }, "delegationDept"],
        ["schedule.catalog", { sessionId }, "sessionId"],
        ["schedule.catalogPage", { limit: 1, status: "lost" }, "status"],
        ["sdk.acknowledge", { deliveryId: "x" }, "flushed"],
        ["sdk.deliveries", { from: 1 }, "from"]
      ] as const
      for (const [method, params, field] of wrong) {
        const { error } = yield* client.call(method, params)
        assert.deepStrictEqual([error?.code, error?.data.code], [-32602, "invalid_params"])
        assert.match(error?.message ?? "", new RegExp(`^${field}: `))
      }
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      yield* client.write(`{"jsonrpc":"2.0","id":"deep","method":"schedule.list","params":{"sessionId":${deep}}}\n`)
      const { error } = yield* client.next(({ id }) => id === "deep")
      assert.deepStrictEqual([error?.code, error?.data.code], [-32602, "invalid_params"])
      assert.lengthOf(yield* host.stored, 0)
    })
  )

  it.scoped("speaks JSON-RPC with any client", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      const list = { jsonrpc: "2.0", method: "schedule.list", params: { sessionId } }
      const table: ReadonlyArray<readonly [line: string, answer: unknown]> = [
        [JSON.stringify({ ...list, id: "text" }), { jsonrpc: "2.0", id: "text", result: [] }],
        [JSON.stringify({ ...list, id: 1.5 }), { jsonrpc: "2.0", id: 1.5, result: [] }],
        [
          JSON.stringify([{ ...list, id: 1 }, list, 7]),
          [
            [1, []],
            [null, "invalid_request"]
          ]
        ],
        ["[]", [null, "invalid_request"]],
        ["{", [null, "parse_error"]],
        ["\u0000", [null, "parse_error"]],
        ["7", [null, "invalid_request"]],
        [`"${"x".repeat(1024 * 1024)}"`, [null, "invalid_request"]],
        [JSON.stringify({ ...list, id: 2, params: [sessionId] }), [2, "invalid_params"]],
        [JSON.stringify({ ...list, id: 3, method: "schedule.nothing" }), [3, "method_not_found"]],
        [JSON.stringify({ ...list, id: 3, method: "constructor" }), [3, "method_not_found"]],
        [JSON.stringify({ ...list, id: 3, method: { toString: {} } }), [3, "invalid_request"]],
        [JSON.stringify({ ...list, id: null }), [null, "invalid_request"]],
        [JSON.stringify({ ...list, id: 4, jsonrpc: "1.0" }), [4, "invalid_request"]]
      ]
      for (const [line, expected] of table) {
        yield* client.write(`${line}\r\n`)
        assert.deepStrictEqual<unknown>(shape(yield* client.next(() => true)), shape(expected), line.slice(0, 80))
      }
      // none of these is answered
      const silent = [list, { ...list, method: "nothing" }, { jsonrpc: "2.0", id: "1", result: {} }]
      const strays = [
        { jsonrpc: "2.0", id: null, error: { code: -32700, message: "" } },
        { jsonrpc: "2.0", error: 1 }
      ]
      yield* Effect.forEach([...silent, ...strays, silent], client.send)
      yield* client.write("\n\n  \n")
      yield* client.result("schedule.list", { sessionId })
      assert.deepStrictEqual(yield* client.rest, [])
    })
  )

  it.scoped("announces changes to who asked for them", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      yield* client.result("schedule.create", { sessionId, request })
      assert.isNull(yield* client.result("schedule.changed"))
      assert.deepStrictEqual(yield* client.rest, [])
      assert.isNull(yield* client.result("schedule.changed"))
      yield* client.result("schedule.create", { sessionId, request })
      assert.deepStrictEqual<unknown>(yield* client.said("schedule.changed"), {
        jsonrpc: "2.0",
        method: "schedule.changed",
        params: {}
      })
      assert.deepStrictEqual(yield* client.rest, [])
    })
  )

  it.scoped("what was asked before the input ended is answered, and stored", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      const create = { jsonrpc: "2.0", method: "schedule.create", params: { sessionId, request } }
      for (let id = 1; id <= 300; id++) yield* client.send({ ...create, id: `create-${id}` })
      // a last line needs no end
      yield* client.write(JSON.stringify({ ...create, id: "last" }))
      yield* client.hangUp
      yield* client.ended
      const answers = yield* client.rest
      assert.lengthOf(answers, 301)
      assert.isTrue(answers.every(({ result }) => result !== undefined))
      assert.lengthOf(yield* host.stored, 301)
    })
  )

  it.scoped("no lines end the conversation, and every request among them is answered once", () =>
    Effect.gen(function* () {
      const runtime = yield* Effect.runtime()
      const host = yield* Host.make
      const conversation = Effect.fnUntraced(function* (lines: ReadonlyArray<string>, cuts: ReadonlyArray<number>) {
        const client = yield* host.connect()
        yield* client.result("sdk.ready")
        const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""))
        let from = 0
        for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
          yield* client.writeBytes(bytes.slice(from, cut))
          from = cut
        }
        assert.deepStrictEqual(yield* client.result("schedule.preview", { request: sentinel }), {
          occurrences: ["2030-01-01T00:00:00.000Z"]
        })
        yield* client.hangUp
        yield* client.ended
        const answers = (yield* client.rest).flat().map(({ id }) => id)
        const asked = lines.flatMap(requests)
        assert.deepStrictEqual(answers.filter((id) => typeof id === "string").sort(), asked.sort())
      })
      yield* Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(
            FastCheck.array(anyLine, { maxLength: 12 }),
            FastCheck.array(FastCheck.nat(), { maxLength: 6 }),
            (lines, cuts) => Runtime.runPromise(runtime)(Effect.scoped(conversation(lines, cuts)))
          ),
          { numRuns: 200 }
        )
      )
    })
  )
})

// internal

const sentinel = { at: "2030-01-01T00:00:00Z", count: 1 }

const methods = FastCheck.constantFrom(
  ...ScheduleRpcs.requests.keys(),
  "sdk.ready",
  "sdk.deliveries",
  "sdk.acknowledge",
  "sdk.cancel",
  "toString",
  "__proto__"
)

const params = FastCheck.oneof(
  FastCheck.record(
    {
      sessionId: FastCheck.oneof(FastCheck.constant("s"), FastCheck.jsonValue()),
      id: FastCheck.jsonValue(),
      request: FastCheck.oneof(FastCheck.constant(request), FastCheck.jsonValue()),
      limit: FastCheck.jsonValue(),
      deliveryId: FastCheck.jsonValue(),
      flushed: FastCheck.jsonValue()
    },
    { requiredKeys: [] }
  ),
  FastCheck.jsonValue()
)

const anyMessage = FastCheck.record(
  {
    jsonrpc: FastCheck.oneof(
      { arbitrary: FastCheck.constant("2.0"), weight: 9 },
      { arbitrary: FastCheck.jsonValue(), weight: 1 }
    ),
    id: FastCheck.oneof(FastCheck.uuid(), FastCheck.jsonValue()),
    method: FastCheck.oneof(methods, FastCheck.jsonValue()),
    params,
    result: FastCheck.jsonValue()
  },
  { requiredKeys: ["jsonrpc"] }
)

const anyLine = FastCheck.oneof(
  anyMessage.map((message) => JSON.stringify(message)),
  FastCheck.array(anyMessage, { maxLength: 3 }).map((batch) => JSON.stringify(batch)),
  FastCheck.json(),
  FastCheck.string({ unit: "binary" }).map((text) => text.replaceAll("\n", ""))
)

/** The text ids of a line that have to be answered, by the words of JSON-RPC and not by the code under test. */
const requests = (line: string): ReadonlyArray<unknown> => {
  try {
    const value = JSON.parse(line)
    return (Array.isArray(value) ? value : [value]).flatMap((one) =>
      typeof one === "object" && one !== null && !Array.isArray(one) && typeof one.id === "string"
        ? "method" in one || !("result" in one)
          ? [one.id]
          : []
        : []
    )
  } catch {
    return []
  }
}

/** Of an answer what a table can say shortly. */
const shape = (answer: unknown): unknown => {
  if (!Array.isArray(answer)) {
    if (typeof answer !== "object" || answer === null || !("id" in answer)) return answer
    if ("error" in answer) return [answer.id, (answer as Wire.Message).error?.data.code]
    return [answer.id, (answer as Wire.Message).result]
  }
  return answer.map(shape)
}
