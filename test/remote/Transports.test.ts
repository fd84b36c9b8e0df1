import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as RemoteClient from "../../src/remote/RemoteClient.ts"
import * as RpcHttp from "../../src/remote/RpcHttp.ts"
import * as RpcWebSocket from "../../src/remote/RpcWebSocket.ts"
import * as ScheduleClient from "../../src/remote/ScheduleClient.ts"
import * as WebHost from "../web/WebHost.ts"

describe("a call over HTTP", () => {
  const answers: ReadonlyArray<readonly [what: string, answer: RequestListener, code: string]> = [
    ["401", (_, response) => response.writeHead(401).end('{"code":"unauthorized"}'), "unauthorized"],
    ["403", (_, response) => response.writeHead(403).end('{"code":"forbidden_host"}'), "unauthorized"],
    ["413", (_, response) => response.writeHead(413).end('{"code":"body_too_large"}'), "too_large"],
    ["404", (_, response) => response.writeHead(404).end(), "host_unreachable"],
    ["500", (_, response) => response.writeHead(500).end("oops"), "host_unreachable"],
    ["nothing", (_, response) => response.end(), "host_unreachable"],
    ["a line break", (_, response) => response.end("\n"), "internal_error"],
    ["a page", (_, response) => response.end("<!doctype html>\n"), "internal_error"],
    ["the beginning of an answer", (_, response) => response.end('{"_tag":"Exit","requestId":"0"'), "host_unreachable"],
    ["another's answer", (_, response) => response.end(`${exit("77")}\n`), "host_unreachable"],
    ["an answer that is cut off", (_, response) => response.write("{") && response.destroy(), "host_unreachable"],
    ["nobody at all", (request) => request.destroy(), "host_unreachable"]
  ]
  it.scopedLive.each(answers)("fails when it is answered with %s", ([, answer, code]) =>
    Effect.gen(function* () {
      const client = yield* connect(yield* serving(answer))
      const failures = [
        yield* Effect.flip(client.catalog()),
        yield* Effect.flip(client.create(SessionId.make("s"), {})),
        yield* Effect.flip(Stream.runDrain(Stream.take(client.changes, 1)))
      ]
      for (const failure of failures) assert.strictEqual(failure.code, code)
    })
  )

  it.scopedLive("goes on after one that failed", () =>
    Effect.gen(function* () {
      let calls = 0
      const url = yield* serving((request, response) => {
        let body = ""
        request.on("data", (data) => (body += data))
        request.on("end", () =>
          calls++ % 2 === 0 ? response.writeHead(500).end() : response.end(`${exit(JSON.parse(body).id)}\n`)
        )
      })
      const client = yield* connect(url)
      for (let i = 0; i < 3; i++) {
        assert.strictEqual((yield* Effect.flip(client.catalog())).code, "host_unreachable")
        assert.deepStrictEqual(yield* client.catalog(), [])
      }
    })
  )

  it.scopedLive("to a Host is refused for a wrong token, and for more than it reads", () =>
    Effect.gen(function* () {
      const { origin, token } = Context.get(yield* Layer.build(Layer.fresh(WebHost.layer)), WebHost.Host)
      const url = `${origin}/rpc`
      for (const wrong of [undefined, "wrong", Redacted.make("wrong")]) {
        const client = yield* connect(url, wrong)
        assert.strictEqual((yield* Effect.flip(client.catalog())).code, "unauthorized")
        assert.strictEqual((yield* Effect.flip(Stream.runDrain(client.changes))).code, "unauthorized")
      }
      const client = yield* connect(url, Redacted.make(token))
      const long = { title: "T", prompt: "x".repeat(1024 * 1024), after_seconds: 60 }
      assert.strictEqual((yield* Effect.flip(client.create(SessionId.make("s"), long))).code, "too_large")
      assert.deepStrictEqual(yield* client.catalog(), [])
    })
  )
})

describe("a call over a WebSocket", () => {
  it.scopedLive("to a Host is refused for a wrong token, and works with the right one", () =>
    Effect.gen(function* () {
      const { port, token } = Context.get(yield* Layer.build(Layer.fresh(WebHost.layer)), WebHost.Host)
      const url = `ws://127.0.0.1:${port}/rpc`
      for (const wrong of [undefined, "wrong", Redacted.make("wrong")]) {
        const client = yield* open({ url, token: wrong })
        assert.strictEqual((yield* Effect.flip(client.catalog())).code, "unauthorized")
        assert.strictEqual((yield* Effect.flip(Stream.runDrain(client.changes))).code, "unauthorized")
      }
      for (const right of [token, Redacted.make(token)]) {
        const client = yield* open({ url, token: right })
        assert.deepStrictEqual(yield* client.catalog(), [])
        yield* Stream.runDrain(Stream.take(client.changes, 1))
      }
    })
  )

  it.scopedLive("to nobody, or to something else, fails", () =>
    Effect.gen(function* () {
      const url = yield* serving((_, response) => response.writeHead(404).end())
      for (const wrong of [url.replace("http", "ws"), "ws://127.0.0.1:1/rpc"]) {
        const client = yield* open({ url: wrong })
        assert.strictEqual((yield* Effect.flip(client.catalog())).code, "host_unreachable")
      }
    })
  )
})

// internal

const exit = (requestId: string) => JSON.stringify({ _tag: "Exit", requestId, exit: { _tag: "Success", value: [] } })

/** A server that answers each call in the same way. */
const serving = (answer: RequestListener) => {
  const server = createServer(answer)
  return Effect.acquireRelease(
    Effect.async<string>((resume) => {
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed(`http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`))
      )
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
}

const open = (options: RpcWebSocket.Options) =>
  Effect.map(
    Layer.build(RemoteClient.layer.pipe(Layer.provide(RpcWebSocket.layer(options)))),
    Context.get(ScheduleClient.ScheduleClient)
  )

/** A client whose changes end with their connection. */
const connect = (url: string, token?: RpcHttp.Options["token"]) =>
  Effect.map(
    Layer.build(
      RemoteClient.layerOnce.pipe(Layer.provide(RpcHttp.layer({ url, token })), Layer.provide(FetchHttpClient.layer))
    ),
    Context.get(ScheduleClient.ScheduleClient)
  )
