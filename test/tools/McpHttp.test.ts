import { createServer } from "node:http"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Context, Deferred, Effect, Layer, Ref } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as ScheduleUnavailable from "../../src/remote/ScheduleUnavailable.ts"
import { SessionAdmission } from "../../src/remote/SessionAdmission.ts"
import { SessionRefused } from "../../src/remote/SessionRefused.ts"
import * as JsonRpc from "../../src/tools/JsonRpc.ts"
import * as McpHttp from "../../src/tools/McpHttp.ts"
import * as McpServer from "../../src/tools/McpServer.ts"
import { ScheduleTools } from "../../src/tools/ScheduleTools.ts"
import * as Desk from "./Desk.ts"

const check = { title: "Build check", prompt: "Check the build" }
const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

describe("McpHttp", () => {
  it.scoped("serves the official client: each Session has its own reminders", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const mine = yield* connect(url(Desk.session))
      const theirs = yield* connect(url(Desk.other))
      const call = (client: Client, name: string, args: Record<string, unknown> = {}) =>
        Effect.promise(() => client.callTool({ name, arguments: args }))

      const created = yield* call(mine, "schedule_create", { ...check, after_seconds: 600 })
      const { id } = created.structuredContent as { readonly id: string }
      assert.nestedPropertyVal(yield* call(mine, "schedule_list"), "structuredContent.reminders[0].id", id)
      assert.deepNestedPropertyVal(yield* call(theirs, "schedule_list"), "structuredContent", { reminders: [] })
      assert.nestedPropertyVal(
        yield* call(theirs, "schedule_delete", { id }),
        "structuredContent.code",
        "schedule_not_found"
      )
      assert.nestedPropertyVal(yield* call(mine, "schedule_update", { id, title: "New" }), "structuredContent.id", id)
      assert.nestedPropertyVal(yield* call(mine, "schedule_delete", { id }), "structuredContent.deleted", true)
      const { tools } = yield* Effect.promise(() => mine.listTools())
      assert.lengthOf(tools, 4)
    })
  )

  it.scoped("a delegated child's tools say why they refuse", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const client = yield* connect(url(Desk.child))
      const refused = yield* Effect.promise(() => client.callTool({ name: "schedule_list", arguments: {} }))
      assert.nestedPropertyVal(refused, "structuredContent.code", "subagent_session")
    })
  )

  it.scoped("answers each kind of message with its status", () =>
    Effect.gen(function* () {
      const { post } = yield* serve
      const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }
      const table: ReadonlyArray<[string, number, unknown]> = [
        [JSON.stringify(ping), 200, { jsonrpc: "2.0", id: 1, result: {} }],
        [JSON.stringify({ ...ping, id: "a" }), 200, { jsonrpc: "2.0", id: "a", result: {} }],
        [JSON.stringify([ping, initialized]), 200, [{ jsonrpc: "2.0", id: 1, result: {} }]],
        [JSON.stringify(initialized), 202, undefined],
        [JSON.stringify([initialized]), 202, undefined],
        [JSON.stringify({ jsonrpc: "2.0", id: 7, result: {} }), 202, undefined],
        ["", 400, JsonRpc.parseError],
        ["{", 400, JsonRpc.parseError],
        ["[]", 200, JsonRpc.failure(null, JsonRpc.codes.invalidRequest, "a message must be a JSON object")]
      ]
      for (const [body, status, answer] of table) {
        assert.deepStrictEqual(yield* post(Desk.session, body), { status, body: answer })
      }
    })
  )

  it.scoped("offers no stream and no session to end, as clients expect to be told", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      for (const method of ["GET", "DELETE"]) {
        const response = yield* Effect.promise(() => fetch(url(Desk.session), { method }))
        assert.deepStrictEqual([response.status, response.headers.get("allow")], [405, "POST"])
      }
    })
  )

  it.scoped("refuses other content types and versions that it does not speak", () =>
    Effect.gen(function* () {
      const { post } = yield* serve
      const status = (headers: Record<string, string>) =>
        Effect.map(post(Desk.session, JSON.stringify(ping), headers), ({ status }) => status)
      assert.strictEqual(yield* status({ "content-type": "text/plain" }), 415)
      assert.strictEqual(yield* status({ "content-type": "application/x-www-form-urlencoded" }), 415)
      assert.strictEqual(yield* status({ "content-type": "Application/JSON; charset=utf-8" }), 200)
      for (const version of McpServer.protocolVersions) {
        assert.strictEqual(yield* status({ "mcp-protocol-version": version }), 200)
      }
      assert.strictEqual(yield* status({ "mcp-protocol-version": "2024-01-01" }), 400)
    })
  )

  it.scoped("has no endpoint for a Session that is not admitted", () =>
    Effect.gen(function* () {
      const { post, url } = yield* serve
      const message = "there is no such Session"
      assert.deepStrictEqual(yield* post(SessionId.make("missing"), JSON.stringify(ping)), {
        status: 404,
        body: JsonRpc.failure(null, JsonRpc.codes.invalidRequest, message)
      })
      assert.deepInclude(yield* post(SessionId.make("offline"), JSON.stringify(ping)), { status: 503 })
      for (const path of ["/mcp/", "/mcp/%20x", "/mcp", "/mcp/a/b"]) {
        const response = yield* Effect.promise(() =>
          fetch(new URL(path, url(Desk.session)), {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(ping)
          })
        )
        assert.strictEqual(response.status, 404, path)
      }
    })
  )

  it.scoped("takes any Session id that can be written into a path", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      for (const id of ["a/b", "提醒", "a?b#c", "100%", "a b"]) {
        const client = yield* connect(url(SessionId.make(id)))
        yield* Effect.promise(() => client.ping())
      }
    })
  )

  it.scoped("withdraws a call whose client has gone", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const { url } = yield* serveWith((tools) => ({
        ...tools,
        list: () =>
          Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
      }))
      const abort = new AbortController()
      const request = fetch(url(Desk.session), {
        method: "POST",
        signal: abort.signal,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "schedule_list" } })
      }).catch(() => "aborted")
      yield* Deferred.await(started)
      abort.abort()
      yield* Deferred.await(interrupted)
      assert.strictEqual(yield* Effect.promise(() => request), "aborted")
    })
  )

  it.scoped("asks for the Session's admission on every message", () =>
    Effect.gen(function* () {
      const { admitted, post } = yield* serve
      yield* post(Desk.session, JSON.stringify(ping))
      yield* Ref.set(admitted, false)
      assert.deepInclude(yield* post(Desk.session, JSON.stringify(ping)), { status: 404 })
    })
  )
})

const serveWith = (change: (tools: ScheduleTools["Type"]) => ScheduleTools["Type"]) =>
  Effect.gen(function* () {
    const { tools } = yield* Desk.make
    const admitted = yield* Ref.make(true)
    const admit = (sessionId: SessionId) =>
      Effect.gen(function* () {
        if (sessionId === "missing" || !(yield* Ref.get(admitted))) {
          return yield* new SessionRefused({ code: "session_not_found", message: "there is no such Session" })
        }
        if (sessionId === Desk.child) {
          return yield* new SessionRefused({ code: "subagent_session", message: "a delegated child" })
        }
        if (sessionId === "offline") return yield* ScheduleUnavailable.make("internal_error")
      })
    const context = yield* HttpLayerRouter.serve(
      McpHttp.layer.pipe(
        Layer.provide([
          McpServer.layer({ version: "0.0.0" }).pipe(Layer.provide(Layer.succeed(ScheduleTools, change(tools)))),
          Layer.succeed(SessionAdmission, admit)
        ])
      ),
      { disableLogger: true, disableListenLog: true }
    ).pipe(Layer.provideMerge(NodeHttpServer.layerServer(createServer, { host: "127.0.0.1", port: 0 })), Layer.build)
    const { address } = Context.get(context, HttpServer.HttpServer)
    const origin = address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : ""
    const url = (sessionId: SessionId) => `${origin}${McpHttp.path(sessionId)}`
    const post = (sessionId: SessionId, body: string, headers: Record<string, string> = {}) =>
      Effect.promise(async () => {
        const response = await fetch(url(sessionId), {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body
        })
        const text = await response.text()
        return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) }
      })
    return { admitted, post, url }
  })

const serve = serveWith((tools) => tools)

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "0.0.0" })
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )
