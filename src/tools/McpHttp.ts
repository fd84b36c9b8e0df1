/**
 * The Model Context Protocol over streamable HTTP, one endpoint per Session, without streams: every call is answered with
 * one JSON document.
 *
 * @since 0.1.0
 */
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SessionId } from "../domain/Identifiers.ts"
import { SessionAdmission } from "../remote/SessionAdmission.ts"
import { CallingSession } from "./CallingSession.ts"
import * as JsonRpc from "./JsonRpc.ts"
import { McpServer, protocolVersions } from "./McpServer.ts"

/**
 * The endpoint of a Session.
 *
 * @since 0.1.0
 * @category conversions
 */
export const path = (sessionId: SessionId): string => `/mcp/${encodeURIComponent(sessionId)}`

/**
 * Serves `/mcp/<sessionId>`. It knows no callers: put authentication and a check of `Host` and `Origin` in front, as the Web
 * composition does. Sessions that `SessionAdmission` refuses have no endpoint, except that a delegated child's answers, and
 * its tools say why they refuse.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const server = yield* McpServer
    const admit = yield* SessionAdmission
    yield* router.add("POST", route, (request) =>
      Effect.gen(function* () {
        const sessionId = yield* sessionOf(admit)
        yield* checkHeaders(request)
        const body = yield* Effect.mapError(request.text, () => problem(400, JsonRpc.parseError))
        const value = yield* Either.mapLeft(parse(body), () => problem(400, JsonRpc.parseError))
        const answer = yield* Effect.provideService(server.answer(value), CallingSession, Option.some(sessionId))
        return Option.match(answer, { onNone: () => HttpServerResponse.empty({ status: 202 }), onSome: json })
      }).pipe(Effect.merge)
    )
    // A client that looks for a stream, or ends a session, is told that there is none.
    yield* router.add("GET", route, noStream)
    yield* router.add("DELETE", route, noStream)
  })
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const route = "/mcp/:sessionId"

const json = (value: unknown, status = 200) =>
  HttpServerResponse.text(JSON.stringify(value), { status, contentType: "application/json" })

const problem = (status: number, response: JsonRpc.Response) => json(response, status)
const refused = (status: number, message: string) =>
  problem(status, JsonRpc.failure(null, JsonRpc.codes.invalidRequest, message))

const noStream = HttpServerResponse.empty({ status: 405, headers: { allow: "POST" } })

const parse = (text: string) => Either.try((): unknown => JSON.parse(text))

const sessionOf = (admit: SessionAdmission["Type"]) =>
  Effect.gen(function* () {
    const { sessionId = "" } = yield* HttpLayerRouter.params
    const decoded = yield* Effect.mapError(Schema.decodeUnknown(SessionId)(sessionId), () => noSession)
    yield* admit(decoded).pipe(
      Effect.catchIf(
        ({ code }) => code === "subagent_session",
        () => Effect.void
      ),
      Effect.mapError((error) =>
        error._tag === "SessionRefused" ? refused(404, error.message) : refused(503, error.message)
      )
    )
    return decoded
  })

const noSession = refused(404, "the path must end in the id of a Session")

const checkHeaders = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase()
  if (type !== "application/json") return Either.left(refused(415, "the content type must be application/json"))
  const version = headers["mcp-protocol-version"]
  return version === undefined || protocolVersions.includes(version)
    ? Either.void
    : Either.left(refused(400, `MCP-Protocol-Version must be one of ${protocolVersions.join(", ")}`))
}
