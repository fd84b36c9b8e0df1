/**
 * An HTTP server whose WebSockets take messages of a bounded size only.
 *
 * The server of `@effect/platform-node` lets a client send 100 MiB before anything looks at them, has no option for it, and ends the
 * process when a client resets its connection during an upgrade, or sends a broken frame right behind it.
 *
 * @since 0.1.0
 */
import { type IncomingMessage, type Server, ServerResponse } from "node:http"
import { Socket as NodeSocket } from "node:net"
import type { Duplex } from "node:stream"
import * as HttpServer from "@effect/platform/HttpServer"
import { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import * as Socket from "@effect/platform/Socket"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type WebSocket, WebSocketServer } from "ws"

/**
 * Serves what a listening server serves. A WebSocket message, in one frame or several, has at most `maxMessage` bytes; a longer one
 * closes the connection with 1009 as soon as a frame announces it. Closing the scope closes every connection.
 *
 * @since 0.1.0
 * @category constructors
 */
export const bounded = (
  node: Server,
  { address }: Pick<HttpServer.HttpServer, "address">,
  maxMessage: number
): Effect.Effect<HttpServer.HttpServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => ({
        server: new WebSocketServer({ noServer: true, maxPayload: maxMessage }),
        sockets: new Set<NodeSocket>()
      })),
      ({ server, sockets }) =>
        Effect.async<void>((resume) => {
          for (const client of server.clients) client.close(1001)
          // the HTTP server does not know them any more, and would wait for them
          for (const socket of sockets) socket.destroy()
          server.close(() => resume(Effect.void))
        })
    ),
    ({ server, sockets }) => {
      const upgrades = new WeakMap<IncomingMessage, Upgrade>()
      const withUpgrade = (request: HttpServerRequest): HttpServerRequest => {
        const upgrade = upgrades.get(NodeHttpServerRequest.toIncomingMessage(request))
        return upgrade === undefined
          ? request
          : Object.create(request, { upgrade: { value: Socket.fromWebSocket(open(server, upgrade)) } })
      }
      return HttpServer.make({
        address,
        serve: (app, middleware) =>
          Effect.gen(function* () {
            const served = Effect.updateService(app, HttpServerRequest, withUpgrade)
            const onRequest = yield* middleware === undefined
              ? NodeHttpServer.makeHandler(served)
              : NodeHttpServer.makeHandler(served, middleware)
            const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
              // servers over TCP have no other streams
              if (!(stream instanceof NodeSocket)) return stream.destroy()
              // a client that resets its connection ends it, and not the process
              stream.on("error", () => stream.destroy())
              sockets.add(stream)
              stream.once("close", () => sockets.delete(stream))
              const response = answering(request, stream)
              upgrades.set(request, { request, socket: stream, head, response })
              onRequest(request, response)
            }
            yield* Effect.acquireRelease(
              Effect.sync(() => node.on("request", onRequest).on("upgrade", onUpgrade)),
              () => Effect.sync(() => node.off("request", onRequest).off("upgrade", onUpgrade))
            )
          })
      })
    }
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: NodeSocket
  readonly head: Buffer
  readonly response: ServerResponse
}

/** The response to an upgrade that is refused. */
const answering = (request: IncomingMessage, socket: NodeSocket): ServerResponse => {
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  // nobody reads it, so nobody would notice that the client ends it, too
  response.once("finish", () => socket.destroySoon())
  return response
}

const open = (server: WebSocketServer, { head, request, response, socket }: Upgrade) =>
  Effect.acquireRelease(
    Effect.async<globalThis.WebSocket>((resume) => {
      // from here on the response has nothing to write to, and only tells that the client is gone
      response.detachSocket(socket)
      socket.once("close", () => response.emit("close"))
      server.handleUpgrade(request, socket, head, (webSocket) => {
        // a broken frame closes it, also while nobody listens to it yet or any more
        webSocket.on("error", () => {})
        // it is one as far as a Socket uses it
        resume(Effect.succeed(webSocket as WebSocket & globalThis.WebSocket))
      })
    }),
    (webSocket) => Effect.sync(() => webSocket.close())
  )
