/**
 * The Host that a management command talks to.
 *
 * @since 0.1.0
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as RemoteClient from "../remote/RemoteClient.ts"
import * as RpcLines from "../remote/RpcLines.ts"
import * as Home from "../web/Home.ts"
import * as HostFile from "../web/HostFile.ts"
import { rpcPath } from "../web/Paths.ts"
import * as Token from "../web/Token.ts"
import * as CliFailure from "./CliFailure.ts"

/**
 * Which home, and which of its backends when that is not told by what is there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly home: string
  readonly storage: Option.Option<"sqlite" | "json">
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
      const home = Home.at(options.home)
      const host = yield* running(home)
      if (Option.isSome(host)) return overHttp(host.value, yield* Token.load(home))
      // only a command that needs it pays for loading the whole Host
      const { layer } = yield* Effect.promise(() => import("../web/Offline.ts"))
      return layer(options.home, Option.getOrUndefined(options.storage))
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
    const url = yield* Effect.flatMap(
      running(home),
      Option.match({
        onNone: () =>
          CliFailure.cannotRun("no_host", `no Host runs on ${home.dir}; start one with \`host-schedule serve\``),
        onSome: Effect.succeed
      })
    )
    const client = HttpClient.mapRequest(
      yield* HttpClient.HttpClient,
      HttpClientRequest.bearerToken(yield* Token.load(home))
    )
    const { path } = yield* client.post(`${url}/login`).pipe(
      Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ path: Schema.String }))),
      Effect.mapError(() => CliFailure.cannotRun("host_unreachable", "the Host does not answer"))
    )
    return url + path
  }).pipe(Effect.provide(FetchHttpClient.layer))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const running = (home: Home.Home) =>
  Effect.gen(function* () {
    const host = yield* HostFile.find(home)
    return Option.isSome(host) && (yield* answers(host.value.url)) ? Option.some(host.value.url) : Option.none()
  })

/** A Host that was killed leaves its address behind, and its pid may be somebody else's by now. */
const answers = (url: string) =>
  HttpClient.get(`${url}/healthz`).pipe(
    Effect.flatMap((response) => response.text),
    Effect.timeout("3 seconds"),
    Effect.match({ onFailure: () => false, onSuccess: (text) => text === "ok\n" }),
    Effect.scoped,
    Effect.provide(FetchHttpClient.layer)
  )

const overHttp = (url: string, token: Token.Token) =>
  RemoteClient.layer.pipe(
    Layer.provide(
      RpcClient.layerProtocolHttp({
        url: url + rpcPath,
        transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
      })
    ),
    Layer.provide([FetchHttpClient.layer, RpcLines.layerClient])
  )
