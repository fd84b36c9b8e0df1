/**
 * Calling a Host over HTTP.
 *
 * Like `RpcClient.layerProtocolHttp`, with what a caller of a real server needs: a status that refuses the call fails it, and so does
 * an answer that ends before it is one. There, either leaves the call waiting for ever.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as RpcClient from "@effect/rpc/RpcClient"
import { RpcClientError } from "@effect/rpc/RpcClientError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as RpcLines from "./RpcLines.ts"

/**
 * Where a Host answers, such as `http://127.0.0.1:7345/rpc`, and the token of its home.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly url: string
  readonly token?: Redacted.Redacted<string> | string | undefined
}

/**
 * The protocol for one client, in lines of JSON.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<RpcClient.Protocol, never, HttpClient.HttpClient> =>
  Layer.scoped(
    RpcClient.Protocol,
    Effect.flatMap(HttpClient.HttpClient, (client) => make(client, options))
  ).pipe(Layer.provide(RpcLines.layerClient))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const make = (client: HttpClient.HttpClient, { token, url }: Options) =>
  Effect.map(
    RpcClient.makeProtocolHttp(
      client.pipe(
        HttpClient.mapRequest(HttpClientRequest.prependUrl(url)),
        token === undefined ? (same) => same : HttpClient.mapRequest(HttpClientRequest.bearerToken(token)),
        HttpClient.filterStatusOk
      )
    ),
    (protocol) => {
      const unanswered = new Set<string>()
      return RpcClient.Protocol.of({
        ...protocol,
        run: (receive) =>
          protocol.run((message) => {
            if (message._tag === "Exit") unanswered.delete(message.requestId)
            // it is about the whole connection
            if (message._tag === "Defect" || message._tag === "ClientProtocolError") unanswered.clear()
            return receive(message)
          }),
        send: (request, transferables) => {
          if (request._tag !== "Request") return protocol.send(request, transferables)
          const ended = Effect.suspend(() => (unanswered.has(request.id) ? cutOff : Effect.void))
          return Effect.suspend(() => {
            unanswered.add(request.id)
            return Effect.zipRight(protocol.send(request, transferables), ended)
          }).pipe(Effect.ensuring(Effect.sync(() => unanswered.delete(request.id))))
        }
      })
    }
  )

const cutOff = new RpcClientError({
  reason: "Protocol",
  message: "The answer ended before it was one",
  cause: undefined
})
