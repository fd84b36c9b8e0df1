/**
 * Calling a Host over a WebSocket, from Node.
 *
 * @since 0.1.0
 */
import * as Socket from "@effect/platform/Socket"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { WebSocket } from "ws"
import * as RpcLines from "./RpcLines.ts"

/**
 * Where a Host answers, such as `ws://127.0.0.1:7345/rpc`, and the token of its home.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly url: string
  readonly token?: Redacted.Redacted<string> | string | undefined
}

/**
 * The protocol for one client over one connection, which is taken up again when it is lost. Browsers need no token, as they
 * send the cookie: there, use `RpcClient.layerProtocolSocket` with the lines of `RpcLines.layerClient`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({ token, url }: Options): Layer.Layer<RpcClient.Protocol> =>
  RpcClient.layerProtocolSocket().pipe(
    Layer.provide([Socket.layerWebSocket(url), RpcLines.layerClient]),
    Layer.provide(
      Layer.succeed(Socket.WebSocketConstructor, (url, protocols) => {
        const headers =
          token === undefined
            ? {}
            : { authorization: `Bearer ${Redacted.isRedacted(token) ? Redacted.value(token) : token}` }
        // it is one as far as a Socket uses it
        return new WebSocket(url, protocols, { headers }) as WebSocket & globalThis.WebSocket
      })
    )
  )
