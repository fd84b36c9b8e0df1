import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Socket from "@effect/platform/Socket"
import * as Undici from "@effect/platform-node/Undici"
import * as RpcClient from "@effect/rpc/RpcClient"
import { Context, Effect, Layer } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as RpcLines from "../../src/remote/RpcLines.ts"
import { layerRpc, ScheduleClient } from "../../src/remote/ScheduleClient.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as Composition from "../../src/sdk/Composition.ts"
import * as SdkClient from "../../src/sdk/SdkClient.ts"
import * as SdkProcess from "../../src/sdk/SdkProcess.ts"
import * as Storage from "../../src/storage/Storage.ts"

const program = join(import.meta.dirname, "../../dist/bin/host-schedule.js")

/** The same three calls, however they get to a Host. */
export interface Contender {
  readonly name: string
  readonly calls: Readonly<Record<Method, Effect.Effect<unknown, unknown>>>
}

export type Method = "catalogPage" | "list" | "create"

export const methods: ReadonlyArray<Method> = ["catalogPage", "list", "create"]

/** A store with 1 000 reminders, 50 of them in the Session that is listed; creations go to a Session of their own. */
const contender = Effect.fnUntraced(function* (
  name: string,
  client: ScheduleClient["Type"],
  session: (name: string) => SessionId,
  fill = true
) {
  const request = { title: "Check the build", prompt: "Look at the nightly build. ".repeat(8), every_seconds: 86_400 }
  const [listed, created] = [session("listed"), session("created")]
  if (fill) {
    const rest = session("rest")
    yield* Effect.forEach(Array.from({ length: 1_000 }), (_, i) => client.create(i < 50 ? listed : rest, request), {
      concurrency: 64
    })
  }
  const contender: Contender = {
    name,
    calls: {
      catalogPage: client.catalogPage({ limit: 50 }),
      list: client.list({ sessionId: listed }),
      create: client.create(created, request)
    }
  }
  return contender
})

export const inProcess = Effect.fnUntraced(function* (home: string) {
  const parts = { domain: Storage.layer({ kind: "sqlite", directory: home }), settings: ScheduleConfig.layer() }
  const unavailable = () => Effect.fail(new AgentResolver.AgentUnavailable({ message: "nothing is due" }))
  const context = yield* Layer.build(Composition.layer(parts, () => unavailable))
  return yield* contender("in process", Context.get(context, ScheduleClient), SessionId.make)
})

export const stdio = Effect.fnUntraced(function* (home: string) {
  const host = yield* SdkProcess.start({ command: [process.execPath, program, "sdk", "--home", home] })
  const { schedule } = yield* SdkClient.make(host, { deliver: () => Effect.succeed(false) })
  return yield* contender("stdio (SDK)", schedule, SessionId.make)
})

/** Both ways to a running Host. */
export const remote = Effect.fnUntraced(function* (home: string) {
  mkdirSync(home, { recursive: true })
  const child = yield* started([program, "serve", "--port", "0", "--json", "--home", home])
  const [line] = yield* Effect.promise(() => once(child.stdout!, "data"))
  const { url }: { readonly url: string } = JSON.parse(String(line))
  const token = readFileSync(join(home, "token"), "utf8").trim()
  const sessions = new Map<string, SessionId>()
  const session = (name: string) => {
    const id =
      sessions.get(name) ??
      SessionId.make(
        execFileSync(process.execPath, [program, "sessions", "new", "--home", home], { encoding: "utf8" }).trim()
      )
    sessions.set(name, id)
    return id
  }
  const http = RpcClient.layerProtocolHttp({
    url: `${url}/rpc`,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
  }).pipe(Layer.provide(FetchHttpClient.layer))
  const webSocket = RpcClient.layerProtocolSocket().pipe(
    Layer.provide(Socket.layerWebSocket(`${url.replace("http", "ws")}/rpc`)),
    Layer.provide(
      Layer.succeed(
        Socket.WebSocketConstructor,
        (url) => new Undici.WebSocket(url, { headers: { authorization: `Bearer ${token}` } }) as WebSocket
      )
    )
  )
  const client = (protocol: typeof http | typeof webSocket) =>
    Effect.map(Layer.build(layerRpc.pipe(Layer.provide(protocol), Layer.provide(RpcLines.layerClient))), (context) =>
      Context.get(context, ScheduleClient)
    )
  return [
    yield* contender("HTTP", yield* client(http), session),
    yield* contender("WebSocket", yield* client(webSocket), session, false)
  ]
})

/** An HTTP server without a Host, which gives the answers of another contender. */
export const bare = Effect.fnUntraced(function* (other: Contender) {
  const answers = yield* Effect.all(other.calls)
  const tsx = join(import.meta.dirname, "../../node_modules/tsx/dist/cli.mjs")
  const child = yield* started([tsx, join(import.meta.dirname, "bare.ts"), JSON.stringify(answers)])
  const [line] = yield* Effect.promise(() => once(child.stdout!, "data"))
  const call = (method: Method) =>
    Effect.tryPromise(async () => {
      const body = JSON.stringify({ sessionId: "s", request: { prompt: "Look at the nightly build. ".repeat(8) } })
      const response = await fetch(`${String(line).trim()}/${method}`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" }
      })
      return response.json()
    })
  const contender: Contender = {
    name: "a bare Effect HTTP handler",
    calls: { catalogPage: call("catalogPage"), list: call("list"), create: call("create") }
  }
  return contender
})

const started = (args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync((): ChildProcess => spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null) return
        const exit = once(child, "exit")
        child.kill("SIGTERM")
        await exit
      })
  )
