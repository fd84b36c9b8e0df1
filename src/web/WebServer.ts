/**
 * The HTTP server of a Host.
 *
 * @since 0.1.0
 */
import { createServer } from "node:http"
import * as HttpServer from "@effect/platform/HttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as WebSockets from "./WebSockets.ts"

/**
 * The server cannot listen. `message` says what to do.
 *
 * @since 0.1.0
 * @category errors
 */
export class CannotListen extends Schema.TaggedError<CannotListen>("host-schedule/web/CannotListen")("CannotListen", {
  message: Schema.String
}) {}

/**
 * Where to listen. Port 0 takes any free one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly host: string
  readonly port: number
}

/**
 * The largest body, and the largest message of a WebSocket, in bytes: 1 MiB.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxBody = 1024 * 1024

/**
 * Listens. What is served on it closes first; then every connection is cut, so that a client that keeps one open does not hold
 * the Host back.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({ host, port }: Options): Layer.Layer<HttpServer.HttpServer, CannotListen> =>
  Layer.scoped(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const node = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 })
      const server = yield* NodeHttpServer.make(() => node, { host, port }).pipe(
        Effect.mapError((error) => new CannotListen({ message: reason(error, host, port) }))
      )
      // runs before the server waits for its connections to end
      yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
      return yield* WebSockets.bounded(node, server, maxBody)
    })
  )

/**
 * The URL that a listening server answers at, by the name it was told to listen on.
 *
 * @since 0.1.0
 * @category getters
 */
export const url = (host: string): Effect.Effect<string, never, HttpServer.HttpServer> =>
  HttpServer.addressWith((address) =>
    Effect.succeed(
      `http://${host.includes(":") ? `[${host}]` : host}:${address._tag === "TcpAddress" ? address.port : 0}`
    )
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const reason = ({ cause }: ServeError, host: string, port: number): string => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use; stop the program that listens there, or choose another with --port`
    case "EACCES":
      return `port ${port} of ${host} is not allowed for this user; choose one above 1023 with --port`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; choose another with --host`
    default:
      return `cannot listen on ${host}:${port}: ${String(code ?? cause)}`
  }
}
