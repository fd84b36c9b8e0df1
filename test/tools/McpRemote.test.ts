import { createServer } from "node:http"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Option, Redacted, Scope } from "effect"
import * as JsonRpc from "../../src/tools/JsonRpc.ts"
import * as McpRemote from "../../src/tools/McpRemote.ts"

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" })
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }

describe("McpRemote", () => {
  it.scoped("passes messages on with the token, and answers as the Host does", () =>
    Effect.gen(function* () {
      const { answer, received } = yield* host((_, body) =>
        body === JSON.stringify(initialized)
          ? HttpServerResponse.empty({ status: 202 })
          : HttpServerResponse.unsafeJson(JsonRpc.success(1, { echoed: body }))
      )
      assert.deepStrictEqual(
        yield* answer(ping(1)),
        Option.some(JsonRpc.success(1, { echoed: JSON.stringify(ping(1)) }))
      )
      assert.deepStrictEqual(yield* answer(initialized), Option.none())
      assert.deepStrictEqual(received, Array(2).fill(["POST", "/mcp/a", "Bearer secret", "application/json"]))
    })
  )

  it.scoped.each<[string, () => HttpServerResponse.HttpServerResponse, string]>([
    [
      "the access check's words",
      () => HttpServerResponse.unsafeJson({ code: "unauthorized", message: "send the token" }, { status: 401 }),
      "send the token"
    ],
    [
      "the protocol's words",
      () => HttpServerResponse.unsafeJson(JsonRpc.failure(null, -32600, "no such Session"), { status: 404 }),
      "no such Session"
    ],
    ["the status", () => HttpServerResponse.text("<html>", { status: 502 }), "the Host answered with status 502"],
    ["the status", () => HttpServerResponse.text("<html>"), "the Host answered with status 200"],
    ["the status", () => HttpServerResponse.unsafeJson({}), "the Host answered with status 200"],
    ["the status", () => HttpServerResponse.unsafeJson([{}]), "the Host answered with status 200"]
  ])("answers each request with %s when the Host refuses", ([, response, message]) =>
    Effect.gen(function* () {
      const { answer } = yield* host(response)
      const refusal = (id: number) => JsonRpc.failure(id, JsonRpc.codes.internalError, message)
      assert.deepStrictEqual(yield* answer(ping(7)), Option.some(refusal(7)))
      assert.deepStrictEqual(yield* answer([ping(7), initialized, ping(8)]), Option.some([refusal(7), refusal(8)]))
      assert.deepStrictEqual(yield* answer(initialized), Option.none())
      assert.deepStrictEqual(yield* answer([initialized]), Option.none())
    })
  )

  it.scoped("says so when the Host has gone, and works again when it is back", () =>
    Effect.gen(function* () {
      const { answer, stop } = yield* host(() => HttpServerResponse.unsafeJson(JsonRpc.success(1, {})))
      assert.deepStrictEqual(yield* answer(ping(1)), Option.some(JsonRpc.success(1, {})))
      yield* stop
      const gone = Option.getOrThrow(yield* answer(ping(2)))
      assert.nestedPropertyVal(gone, "id", 2)
      assert.nestedPropertyVal(
        gone,
        "error.message",
        "the Host cannot be reached; is host-schedule serve still running?"
      )
    })
  )

  it.scoped("hangs up when it is interrupted", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const { answer } = yield* host(() =>
        Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
      )
      const fiber = yield* Effect.fork(answer(ping(1)))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(ended)
    })
  )
})

/** A Host that answers as told, and a client of it. */
const host = (
  respond: (
    request: HttpServerRequest.HttpServerRequest,
    body: string
  ) => HttpServerResponse.HttpServerResponse | Effect.Effect<HttpServerResponse.HttpServerResponse>
) =>
  Effect.gen(function* () {
    const received: Array<ReadonlyArray<string | undefined>> = []
    const app = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      received.push([request.method, request.url, request.headers.authorization, request.headers["content-type"]])
      return yield* Effect.suspend(() => Effect.flatMap(request.text, (body) => effectOf(respond(request, body))))
    }).pipe(Effect.interruptible)
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const context = yield* HttpServer.serve(app).pipe(
      Layer.provideMerge(NodeHttpServer.layerServer(createServer, { host: "127.0.0.1", port: 0 })),
      Layer.buildWithScope(scope)
    )
    const { address } = Context.get(context, HttpServer.HttpServer)
    const url = address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}/mcp/a` : ""
    const client = yield* Layer.build(FetchHttpClient.layer)
    const answer = yield* Effect.provide(McpRemote.make({ url, token: Redacted.make("secret") }), client)
    return { answer, received, stop: Scope.close(scope, Exit.void) }
  })

const effectOf = <A>(value: A | Effect.Effect<A>): Effect.Effect<A> =>
  Effect.isEffect(value) ? value : Effect.succeed(value)
