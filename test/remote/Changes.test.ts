import { createServer } from "node:http"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcServer from "@effect/rpc/RpcServer"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Layer, Queue, Scope, Stream } from "effect"
import * as RpcHttp from "../../src/remote/RpcHttp.ts"
import * as RpcLines from "../../src/remote/RpcLines.ts"
import * as ScheduleClient from "../../src/remote/ScheduleClient.ts"
import * as ScheduleHandlers from "../../src/remote/ScheduleHandlers.ts"
import { ScheduleRpcs } from "../../src/remote/ScheduleRpcs.ts"
import * as Fake from "./FakeService.ts"

type Protocol = "http" | "websocket"

/** A Host on a port, 0 for any free one, until its scope closes. */
const start = (protocol: Protocol, port: number) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const node = createServer()
    const context = yield* HttpLayerRouter.serve(
      RpcServer.layerHttpRouter({ group: ScheduleRpcs, path: "/rpc", protocol }).pipe(
        Layer.provide(ScheduleHandlers.layer),
        Layer.provide(RpcLines.layerServer({ maxLine: 1024 * 1024, whole: protocol === "http" }))
      ),
      { disableLogger: true, disableListenLog: true }
    ).pipe(
      Layer.provideMerge(NodeHttpServer.layerServer(() => node, { host: "127.0.0.1", port })),
      Layer.provideMerge(Fake.layer),
      Layer.buildWithScope(scope)
    )
    const { address } = Context.get(context, HttpServer.HttpServer)
    const stop = Effect.zipRight(
      Effect.sync(() => node.closeAllConnections()),
      Scope.close(scope, Exit.void)
    )
    yield* Effect.addFinalizer(() => stop)
    return {
      fake: Context.get(context, Fake.FakeService),
      port: address._tag === "TcpAddress" ? address.port : 0,
      stop
    }
  })

const connect = (protocol: Protocol, port: number) =>
  Effect.map(
    Layer.build(
      ScheduleClient.layerRpc.pipe(
        Layer.provide(
          protocol === "http"
            ? Layer.provide(RpcHttp.layer({ url: `http://127.0.0.1:${port}/rpc` }), FetchHttpClient.layer)
            : Layer.provide(RpcClient.layerProtocolSocket(), NodeSocket.layerWebSocket(`ws://127.0.0.1:${port}/rpc`))
        ),
        Layer.provide(RpcLines.layerClient)
      )
    ),
    Context.get(ScheduleClient.ScheduleClient)
  )

describe.each<Protocol>(["http", "websocket"])("schedule.changed over %s", (protocol) => {
  it.scopedLive("is taken up again when the Host comes back, with one element to read again by", () =>
    Effect.gen(function* () {
      const first = yield* start(protocol, 0)
      const { changes } = yield* connect(protocol, first.port)
      const seen = yield* Queue.unbounded<void>()
      yield* Stream.runForEach(changes, (change) => Queue.offer(seen, change)).pipe(Effect.forkScoped)
      yield* Queue.take(seen)
      yield* first.fake.change
      yield* Queue.take(seen)
      yield* first.stop
      const second = yield* start(protocol, first.port)
      yield* Queue.take(seen)
      yield* second.fake.change
      yield* Queue.take(seen)
      assert.strictEqual(yield* Queue.size(seen), 0)
    })
  )

  // a connection each over HTTP, which is what a thousand of them cost
  const readers = protocol === "http" ? 200 : 1000

  it.scopedLive(`serves ${readers} subscribers, each at its own pace, and forgets those that leave`, () =>
    Effect.gen(function* () {
      const { fake, port } = yield* start(protocol, 0)
      const clients = yield* Effect.replicateEffect(connect(protocol, port), 20)
      const scope = yield* Scope.make()
      const ready = yield* Queue.unbounded<void>()
      const last = yield* Queue.unbounded<void>()
      const release = yield* Deferred.make<void>()
      let elements = 0
      for (let i = 0; i < readers; i++) {
        let mine = 0
        yield* Stream.runForEach(clients[i % clients.length]!.changes, () =>
          Effect.gen(function* () {
            elements++
            mine++
            if (mine === 1) yield* Queue.offer(ready, undefined)
            // every tenth reader does nothing at all until the storm is over
            if (mine === 1 && i % 10 === 0) yield* Deferred.await(release)
            if (mine === 2) yield* Queue.offer(last, undefined)
          })
        ).pipe(Effect.forkIn(scope))
      }
      yield* Queue.takeN(ready, readers)
      assert.strictEqual(fake.subscribers(), readers)
      for (let i = 0; i < 500; i++) yield* fake.change
      yield* Deferred.succeed(release, undefined)
      yield* Queue.takeN(last, readers)
      // what came in a burst is told in a few elements, however slow the reader was
      assert.isBelow(elements, readers * 100)
      yield* Scope.close(scope, Exit.void)
      while (fake.subscribers() > 0) yield* Effect.sleep("10 millis")
    })
  )
})
