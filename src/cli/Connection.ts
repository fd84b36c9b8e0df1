/**
 * The Host that a management command talks to.
 *
 * @since 0.1.0
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as RemoteClient from "../remote/RemoteClient.ts"
import * as RpcHttp from "../remote/RpcHttp.ts"
import type * as Backends from "../web/Backends.ts"
import * as Home from "../web/Home.ts"
import * as HostFile from "../web/HostFile.ts"
import { rpcPath } from "../web/Paths.ts"
import * as Token from "../web/Token.ts"
import * as CliFailure from "./CliFailure.ts"
import * as ProvenHost from "./ProvenHost.ts"

/**
 * Which home, and which of its backends when that is not told by what is there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Backends.Flags {
  readonly home: string
}

/**
 * A Host and the token of its home.
 *
 * @since 0.1.0
 * @category models
 */
export interface Host {
  readonly url: string
  readonly token: Token.Token
}

/**
 * The running Host of the home, over HTTP; when none runs, the home itself, opened in this process and closed after. The
 * store's lock keeps a Host that starts meanwhile away.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const host = yield* find(Home.at(options.home))
      if (Option.isSome(host)) return layerHost(host.value)
      // only a command that needs it pays for loading the whole Host
      const { layer } = yield* Effect.promise(() => import("../web/Offline.ts"))
      return layer(options.home, options)
    })
  )

/**
 * A link that signs a browser in to the running Host, once.
 *
 * @since 0.1.0
 * @category getters
 */
export const signInUrl = (directory: string) =>
  Effect.gen(function* () {
    const home = Home.at(directory)
    const host = yield* Effect.flatMap(
      find(home),
      Option.match({
        onNone: () =>
          CliFailure.cannotRun("no_host", `no Host runs on ${home.dir}; start one with \`host-schedule serve\``),
        onSome: Effect.succeed
      })
    )
    const { path } = yield* Effect.flatMap(HttpClient.HttpClient, (client) => client.post(`${host.url}/login`)).pipe(
      Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ path: Schema.String }))),
      Effect.mapError(() => CliFailure.cannotRun("host_unreachable", "the Host does not answer")),
      Effect.provide(clientOf(host))
    )
    return host.url + path
  })

/**
 * The running Host of the home, which has shown that it is one. A Host that was killed leaves its address behind; its pid, and
 * its port, may be somebody else's by now.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = (home: Home.Home) =>
  Effect.gen(function* () {
    const address = yield* HostFile.find(home)
    if (Option.isNone(address)) return Option.none<Host>()
    const host: Host = { url: address.value.url, token: yield* Token.load(home) }
    const isHost = yield* Effect.provide(ProvenHost.isProven(host.url, host.token), FetchHttpClient.layer)
    return isHost ? Option.some(host) : Option.none<Host>()
  })

/**
 * The clients of a Host over HTTP. Their `changes` end with the Host, as another one, elsewhere, may come after it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHost = (host: Host) =>
  RemoteClient.layerOnce.pipe(Layer.provide(RpcHttp.layer({ url: host.url + rpcPath })), Layer.provide(clientOf(host)))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const clientOf = ({ token, url }: Host) => Layer.provide(ProvenHost.layerClient(url, token), FetchHttpClient.layer)
