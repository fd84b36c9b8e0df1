/** The least that an Effect HTTP server can do: read a JSON body, answer with a JSON value that is there already. */
import { createServer } from "node:http"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer } from "effect"

const answers: Record<string, unknown> = JSON.parse(process.argv[2] ?? "{}")

const router = HttpRouter.empty.pipe(
  HttpRouter.post(
    "/:method",
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* request.json
      const { method = "" } = yield* HttpRouter.params
      return HttpServerResponse.unsafeJson(answers[method])
    })
  )
)

const announce = Layer.effectDiscard(HttpServer.addressFormattedWith((address) => Console.log(address)))

announce.pipe(
  Layer.provideMerge(HttpServer.serve(router)),
  Layer.provide(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
  Layer.launch,
  NodeRuntime.runMain
)
