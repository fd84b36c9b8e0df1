import { createServer } from "node:http"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcServer from "@effect/rpc/RpcServer"
import { Effect, Layer } from "effect"
import * as RpcHttp from "../../src/remote/RpcHttp.ts"
import * as RpcLines from "../../src/remote/RpcLines.ts"
import * as ScheduleClient from "../../src/remote/ScheduleClient.ts"
import * as ScheduleHandlers from "../../src/remote/ScheduleHandlers.ts"
import { ScheduleRpcs } from "../../src/remote/ScheduleRpcs.ts"
import { remoteContract } from "./RemoteContract.ts"

const server = (protocol: "http" | "websocket") =>
  HttpLayerRouter.serve(
    RpcServer.layerHttpRouter({ group: ScheduleRpcs, path: "/rpc", protocol }).pipe(
      Layer.provide(ScheduleHandlers.layer),
      Layer.provide(RpcLines.layerServer({ maxLine: 1024 * 1024, whole: protocol === "http" }))
    ),
    { disableLogger: true, disableListenLog: true }
  ).pipe(Layer.provideMerge(NodeHttpServer.layerServer(createServer, { host: "127.0.0.1", port: 0 })))

const address = HttpServer.addressWith((address) =>
  Effect.succeed(address._tag === "TcpAddress" ? `${address.hostname}:${address.port}` : "")
)

const overHttp = Layer.unwrapEffect(
  Effect.map(address, (address) =>
    Layer.provide(RpcHttp.layer({ url: `http://${address}/rpc` }), FetchHttpClient.layer)
  )
)

const overWebSocket = Layer.unwrapEffect(
  Effect.map(address, (address) =>
    RpcClient.layerProtocolSocket().pipe(
      Layer.provide([NodeSocket.layerWebSocket(`ws://${address}/rpc`), RpcLines.layerClient])
    )
  )
)

remoteContract("in process", ScheduleHandlers.layerClient)
remoteContract(
  "over HTTP",
  Layer.provide(ScheduleClient.layerRpc, Layer.provide(overHttp, server("http"))).pipe(Layer.orDie)
)
remoteContract(
  "over WebSocket",
  Layer.provide(ScheduleClient.layerRpc, Layer.provide(overWebSocket, server("websocket"))).pipe(Layer.orDie)
)
