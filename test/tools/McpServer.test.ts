import { assert, describe, it } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv"
import { Context, Effect, FastCheck, Layer, Option } from "effect"
import * as JsonRpc from "../../src/tools/JsonRpc.ts"
import * as McpServer from "../../src/tools/McpServer.ts"
import { ScheduleTools } from "../../src/tools/ScheduleTools.ts"
import * as Desk from "./Desk.ts"

const make = Effect.gen(function* () {
  const desk = yield* Desk.make
  const context = yield* Layer.build(
    McpServer.layer({ version: "1.2.3" }).pipe(Layer.provide(Layer.succeed(ScheduleTools, desk.tools)))
  )
  const server = Context.get(context, McpServer.McpServer)
  const ask = (value: unknown): Effect.Effect<unknown> =>
    Desk.as(Desk.session)(Effect.map(server.answer(value), Option.getOrUndefined))
  let id = 0
  const request = (method: string, params?: unknown) => ask({ jsonrpc: "2.0", id: ++id, method, params })
  const call = (name: string, args?: unknown) =>
    Effect.map(request("tools/call", { name, arguments: args }), (answer) => {
      const { result } = answer as { readonly result: ToolResult }
      return result
    })
  return { ...desk, ask, request, call }
})

interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text: string }>
  readonly structuredContent: Record<string, unknown>
  readonly isError?: boolean
}

interface Declaration {
  readonly name: string
  readonly title: string
  readonly inputSchema: object
  readonly outputSchema: object
  readonly annotations: object
}

const check = { title: "Build check", prompt: "Check the build" }

describe("McpServer", () => {
  it.scoped("speaks the version that the client asks for, and offers the newest for one that it does not know", () =>
    Effect.gen(function* () {
      const { request } = yield* make
      for (const version of McpServer.protocolVersions) {
        const answer = yield* request("initialize", { protocolVersion: version, capabilities: {}, clientInfo: {} })
        assert.nestedPropertyVal(answer, "result.protocolVersion", version)
      }
      for (const version of ["1999-01-01", "2999-01-01", ""]) {
        const answer = yield* request("initialize", { protocolVersion: version })
        assert.nestedPropertyVal(answer, "result.protocolVersion", "2025-11-25")
      }
      const answer = yield* request("initialize", { protocolVersion: "2025-06-18" })
      assert.nestedPropertyVal(answer, "result.serverInfo.version", "1.2.3")
      assert.nestedProperty(answer, "result.capabilities.tools")
      assert.nestedPropertyVal(yield* request("initialize", {}), "error.code", JsonRpc.codes.invalidParams)
    })
  )

  it.scoped("declares the four tools with their hints", () =>
    Effect.gen(function* () {
      const { request } = yield* make
      const hints = (yield* declarations(request)).map(({ annotations, name }) => [name, annotations])
      const world = { openWorldHint: false }
      assert.deepStrictEqual(hints, [
        [
          "schedule_create",
          { title: "Create a reminder", readOnlyHint: false, destructiveHint: false, idempotentHint: false, ...world }
        ],
        [
          "schedule_list",
          { title: "List reminders", readOnlyHint: true, destructiveHint: false, idempotentHint: true, ...world }
        ],
        [
          "schedule_update",
          { title: "Change a reminder", readOnlyHint: false, destructiveHint: true, idempotentHint: true, ...world }
        ],
        [
          "schedule_delete",
          { title: "Delete a reminder", readOnlyHint: false, destructiveHint: true, idempotentHint: true, ...world }
        ]
      ])
    })
  )

  it.scoped("answers calls with the value as one JSON text and as structured content that its schema describes", () =>
    Effect.gen(function* () {
      const { call, request } = yield* make
      const validators = new AjvJsonSchemaValidator()
      const schemas = new Map((yield* declarations(request)).map(({ name, outputSchema }) => [name, outputSchema]))
      const conforms = (name: string, result: ToolResult) => {
        const validate = validators.getValidator(schemas.get(name)!)
        assert.deepInclude(validate(result.structuredContent), { valid: true }, JSON.stringify(result))
      }
      const selectors = [
        { after_seconds: 600 },
        { at: "2030-01-01T09:00:00+08:00" },
        { every_seconds: 300 },
        { daily: { time: "09:00:00", time_zone: "Asia/Shanghai" } },
        { weekly: { time: "09:00:00", time_zone: "Asia/Shanghai", weekdays: [1] } },
        { cron: { expression: "*/15 * * * *", time_zone: "UTC" } }
      ]
      for (const selector of selectors) {
        const created = yield* call("schedule_create", { ...check, ...selector })
        assert.deepStrictEqual(JSON.parse(created.content[0]!.text), created.structuredContent)
        assert.notProperty(created, "isError")
        conforms("schedule_create", created)
      }
      const list = yield* call("schedule_list")
      assert.lengthOf(JSON.parse(list.content[0]!.text), 6)
      assert.deepStrictEqual(list.structuredContent, { reminders: JSON.parse(list.content[0]!.text) })
      conforms("schedule_list", list)

      const { id } = JSON.parse(list.content[0]!.text)[0]
      for (const args of [{ id, title: "New" }, { id: "x", title: "New" }, { id: "" }]) {
        conforms("schedule_update", yield* call("schedule_update", args))
      }
      for (const args of [{ id }, { id }, {}]) conforms("schedule_delete", yield* call("schedule_delete", args))
      for (const name of schemas.keys()) conforms(name, yield* call(name, { unknown: 1 }))
    })
  )

  it.scoped("answers a refused call as an error that the model can act on", () =>
    Effect.gen(function* () {
      const { call } = yield* make
      const failure = { code: "frequency_too_high", message: "every_seconds must be at least 60" }
      assert.deepStrictEqual(yield* call("schedule_create", { ...check, every_seconds: 5 }), {
        content: [{ type: "text", text: JSON.stringify(failure) }],
        structuredContent: failure,
        isError: true
      })
    })
  )

  it.scoped("takes a call without arguments as one with none", () =>
    Effect.gen(function* () {
      const { call } = yield* make
      assert.strictEqual((yield* call("schedule_list")).content[0]?.text, "[]")
      assert.match((yield* call("schedule_delete")).content[0]!.text, /invalid_rule/)
    })
  )

  it.scoped.each<[unknown, number | undefined]>([
    [{ jsonrpc: "2.0", id: 1, method: "ping" }, undefined],
    [{ jsonrpc: "2.0", id: "one", method: "ping", params: {} }, undefined],
    [{ jsonrpc: "2.0", id: "", method: "ping" }, undefined],
    [{ jsonrpc: "2.0", id: 0, method: "ping" }, undefined],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, undefined],
    [null, JsonRpc.codes.invalidRequest],
    [1, JsonRpc.codes.invalidRequest],
    ["ping", JsonRpc.codes.invalidRequest],
    [[], JsonRpc.codes.invalidRequest],
    [{}, JsonRpc.codes.invalidRequest],
    [{ id: 1, method: "ping" }, JsonRpc.codes.invalidRequest],
    [{ jsonrpc: "1.0", id: 1, method: "ping" }, JsonRpc.codes.invalidRequest],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, JsonRpc.codes.invalidRequest],
    [{ jsonrpc: "2.0", id: {}, method: "ping" }, JsonRpc.codes.invalidRequest],
    [{ jsonrpc: "2.0", id: 1 }, JsonRpc.codes.invalidRequest],
    [{ jsonrpc: "2.0", id: 1, method: 5 }, JsonRpc.codes.invalidRequest],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [] }, JsonRpc.codes.invalidParams],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: "x" }, JsonRpc.codes.invalidParams],
    [{ jsonrpc: "2.0", id: 1, method: "resources/list" }, JsonRpc.codes.methodNotFound],
    [{ jsonrpc: "2.0", id: 1, method: "constructor" }, JsonRpc.codes.methodNotFound],
    [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor: "x" } }, JsonRpc.codes.invalidParams],
    [{ jsonrpc: "2.0", id: 1, method: "tools/call" }, JsonRpc.codes.invalidParams],
    [{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "schedule_drop" } }, JsonRpc.codes.invalidParams],
    [{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "toString" } }, JsonRpc.codes.invalidParams]
  ])("answers %j with error %s", ([message, code]) =>
    Effect.gen(function* () {
      const { ask } = yield* make
      const answer = yield* ask(message)
      assert.nestedPropertyVal(answer, "jsonrpc", "2.0")
      if (code === undefined) assert.deepNestedPropertyVal(answer, "result", {})
      else assert.nestedPropertyVal(answer, "error.code", code)
      const id = (message as { readonly id?: unknown } | null)?.id
      assert.nestedPropertyVal(answer, "id", typeof id === "string" || typeof id === "number" ? id : null)
    })
  )

  it.scoped("answers neither notifications nor answers", () =>
    Effect.gen(function* () {
      const { ask } = yield* make
      for (const message of [
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", method: "notifications/unknown", params: { x: 1 } },
        { jsonrpc: "2.0", method: "tools/call", params: { name: "schedule_create" } },
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } }
      ]) {
        assert.isUndefined(yield* ask(message))
      }
      assert.isUndefined(yield* ask([{ jsonrpc: "2.0", method: "notifications/initialized" }]))
    })
  )

  it.scoped("answers anything, and never with more than it was asked", () =>
    Effect.gen(function* () {
      const { ask } = yield* make
      const answers = yield* Effect.forEach(FastCheck.sample(anyMessage, 1000), (message) =>
        Effect.map(ask(message), (answer) => ({ message, answer }))
      )
      for (const { answer, message } of answers) {
        const responses = answer === undefined ? [] : [answer].flat()
        assert.isAtMost(responses.length, Math.max(1, Array.isArray(message) ? message.length : 1))
        for (const response of responses) {
          assert.propertyVal(response, "jsonrpc", "2.0")
          assert.isTrue(
            "result" in Object(response) !== "error" in Object(response),
            JSON.stringify({ message, response })
          )
          assert.notNestedPropertyVal(response, "error.code", JsonRpc.codes.internalError)
        }
      }
    })
  )

  it.scoped("answers the requests of a batch together", () =>
    Effect.gen(function* () {
      const { ask } = yield* make
      const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" })
      const answers = yield* ask([ping(1), { jsonrpc: "2.0", method: "notifications/initialized" }, 5, ping(2)])
      assert.deepStrictEqual(
        (answers as ReadonlyArray<JsonRpc.Response>).map(({ id }) => id),
        [1, null, 2]
      )
    })
  )
})

const declarations = (request: (method: string) => Effect.Effect<unknown>) =>
  Effect.map(request("tools/list"), (answer) => {
    const { result } = answer as { readonly result: { readonly tools: ReadonlyArray<Declaration> } }
    return result.tools
  })

const anyMessage = (() => {
  const json = FastCheck.jsonValue({ maxDepth: 2 })
  const mostly = <A>(value: FastCheck.Arbitrary<A>) => FastCheck.oneof({ arbitrary: value, weight: 4 }, json)
  const params = FastCheck.oneof(
    json,
    FastCheck.record(
      {
        name: mostly(FastCheck.constantFrom("schedule_create", "schedule_list", "schedule_update", "schedule_delete")),
        arguments: FastCheck.oneof(
          json,
          FastCheck.record({ id: json, title: json, prompt: json, at: json, cron: json }, { requiredKeys: [] })
        ),
        protocolVersion: json,
        cursor: json
      },
      { requiredKeys: [] }
    )
  )
  const message = FastCheck.record(
    {
      jsonrpc: mostly(FastCheck.constant("2.0")),
      id: mostly(FastCheck.oneof(FastCheck.integer(), FastCheck.string())),
      method: mostly(FastCheck.constantFrom("initialize", "ping", "tools/list", "tools/call", "notifications/x")),
      params
    },
    { requiredKeys: [] }
  )
  return FastCheck.oneof(message, json, FastCheck.array(message, { maxLength: 3 }))
})()
