/**
 * What a Host answers over HTTP.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as RpcServer from "@effect/rpc/RpcServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SessionId } from "../domain/Identifiers.ts"
import { basePath, openApi } from "../remote/HttpDescription.ts"
import * as HttpForm from "../remote/HttpForm.ts"
import { RemoteRpcs } from "../remote/RemoteClient.ts"
import * as RpcLines from "../remote/RpcLines.ts"
import * as ScheduleHandlers from "../remote/ScheduleHandlers.ts"
import * as SessionHandlers from "../remote/SessionHandlers.ts"
import { ScheduleService } from "../runtime/ScheduleService.ts"
import * as McpHttp from "../tools/McpHttp.ts"
import * as McpServer from "../tools/McpServer.ts"
import * as ScheduleTools from "../tools/ScheduleTools.ts"
import * as Access from "./Access.ts"
import * as ApiPage from "./ApiPage.ts"
import { Login } from "./Login.ts"
import { rpcPath } from "./Paths.ts"
import * as Prometheus from "./Prometheus.ts"
import * as Proof from "./Proof.ts"
import * as SessionBridge from "./SessionBridge.ts"
import * as Token from "./Token.ts"
import * as WebServer from "./WebServer.ts"

/**
 * Everything but the page: the Remote namespaces, the tools for agent programs, sign-in, health and metrics, each behind {@link Access}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  readonly token: Token.Token
  readonly hostname: string
  /** Of this program, as MCP clients show it. */
  readonly version: string
}) =>
  Layer.mergeAll(
    rpcOver("http"),
    rpcOver("websocket"),
    HttpForm.layer,
    apiPage,
    mcp(options.version),
    operations,
    proof(options),
    login(options.token)
  ).pipe(Layer.provideMerge(access(options)))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const rpcOver = (protocol: "http" | "websocket") =>
  RpcServer.layerHttpRouter({
    group: RemoteRpcs,
    path: rpcPath,
    protocol,
    disableFatalDefects: true
  }).pipe(
    Layer.provide([ScheduleHandlers.layer, SessionHandlers.layer]),
    Layer.provide(RpcLines.layerServer({ maxLine: WebServer.maxBody, whole: protocol === "http" }))
  )

const mcp = (version: string) =>
  McpHttp.layer.pipe(
    Layer.provide(McpServer.layer({ version })),
    Layer.provide(ScheduleTools.layer),
    Layer.provide(SessionBridge.layerHeaders)
  )

const access = ({ hostname, token }: { readonly token: Token.Token; readonly hostname: string }) => {
  const policy = {
    token: Redacted.value(token),
    cookie: Token.cookieValue(token),
    hostname,
    maxBody: WebServer.maxBody
  }
  return HttpLayerRouter.middleware(
    (answer) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const decision = Access.decide(request, policy)
        return decision._tag === "Granted"
          ? Effect.provideService(
              answer,
              HttpIncomingMessage.MaxBodySize,
              Option.some(FileSystem.Size(WebServer.maxBody))
            )
          : problem(decision.status, decision.code, decision.message)
      }).pipe(Effect.map(HttpServerResponse.setHeaders(securityHeaders))),
    { global: true }
  )
}

/** Probes and metrics: `/healthz` says that the process runs, `/readyz` that its store answers. */
const operations = Layer.mergeAll(
  HttpLayerRouter.add("GET", "/healthz", HttpServerResponse.text("ok\n")),
  HttpLayerRouter.use((router) =>
    Effect.flatMap(ScheduleService, (service) =>
      router.add(
        "GET",
        "/readyz",
        service.list({ sessionId: probe }).pipe(
          Effect.match({
            onSuccess: () => HttpServerResponse.text("ready\n"),
            onFailure: (error) => HttpServerResponse.text(`${error._tag}\n`, { status: 503 })
          })
        )
      )
    )
  ),
  HttpLayerRouter.add(
    "GET",
    "/metrics",
    Effect.map(Metric.snapshot, (pairs) =>
      HttpServerResponse.text(Prometheus.render(pairs), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
    )
  )
)

const probe = SessionId.make("readyz")

/** `GET /proof?nonce=…` shows that this Host knows the token of its home. */
const proof = ({ hostname, token }: { readonly token: Token.Token; readonly hostname: string }) =>
  HttpLayerRouter.use((router) =>
    Effect.flatMap(WebServer.url(hostname), (url) =>
      router.add("GET", Proof.path, (request) => {
        const nonce = new URL(request.url, "http://localhost").searchParams.get("nonce") ?? ""
        return Proof.isNonce(nonce)
          ? Effect.succeed(HttpServerResponse.text(Proof.make(token, url, nonce)))
          : problem(400, "invalid_nonce", "a nonce is 32 bytes in base64url")
      })
    )
  )

/** `GET /login?code=…` trades a one-time code for the cookie; `POST /login` hands an authorised client a new code. */
const login = (token: Token.Token) =>
  HttpLayerRouter.use((router) =>
    Effect.gen(function* () {
      const codes = yield* Login
      yield* router.add("GET", "/login", (request) =>
        Effect.gen(function* () {
          const code = new URL(request.url, "http://localhost").searchParams.get("code") ?? ""
          if (!(yield* codes.redeem(code))) {
            return yield* problem(
              403,
              "login_code_used",
              "this sign-in link was used or has expired; ask for another with `host-schedule url`"
            )
          }
          return yield* HttpServerResponse.redirect("/", { status: 303 }).pipe(
            HttpServerResponse.setCookie(Access.cookieName, Token.cookieValue(token), {
              httpOnly: true,
              sameSite: "strict",
              path: "/",
              maxAge: "30 days"
            })
          )
        })
      )
      yield* router.add(
        "POST",
        "/login",
        Effect.flatMap(codes.issue, (code) => Effect.orDie(HttpServerResponse.json({ path: `/login?code=${code}` })))
      )
    })
  )

const apiPage = Layer.merge(
  HttpLayerRouter.add(
    "GET",
    basePath,
    Effect.succeed(HttpServerResponse.text(ApiPage.render(openApi), { contentType: "text/html; charset=utf-8" }))
  ),
  HttpLayerRouter.add(
    "GET",
    `${basePath}/style.css`,
    HttpServerResponse.text(ApiPage.style, { contentType: "text/css" })
  )
)

const problem = (status: number, code: string, message: string) =>
  Effect.orDie(HttpServerResponse.json({ code, message }, { status }))

const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store"
}
