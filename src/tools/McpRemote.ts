/**
 * Passing messages of the Model Context Protocol on to the Host that owns the store.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as JsonRpc from "./JsonRpc.ts"
import type { Answer } from "./McpServer.ts"
import type { Answerer } from "./McpStdio.ts"

/**
 * Answers with what a Host answers at the `url` of a Session's endpoint. When the Host cannot be reached or refuses, each
 * request is answered with an error that says so; nothing is tried twice, so that no reminder is made twice. Interrupting it
 * hangs up, and the Host withdraws the call.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly url: string
  readonly token: Redacted.Redacted
}): Effect.Effect<Answerer, never, HttpClient.HttpClient> =>
  Effect.map(
    HttpClient.HttpClient,
    (client) => (value) =>
      HttpClientRequest.post(options.url).pipe(
        HttpClientRequest.bearerToken(options.token),
        HttpClientRequest.acceptJson,
        HttpClientRequest.bodyText(JSON.stringify(value), "application/json"),
        client.execute,
        Effect.flatMap(read),
        Effect.scoped,
        Effect.catchAll((reason) => Effect.succeed(refuse(value, typeof reason === "string" ? reason : unreachable)))
      )
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const unreachable = "the Host cannot be reached; is host-schedule serve still running?"

/** The answer, or in words why there is none. */
const read = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.gen(function* () {
    if (response.status === 202) return Option.none<Answer>()
    const body = yield* Effect.map(response.text, (text) => Either.try((): unknown => JSON.parse(text)))
    if (response.status === 200 && Either.isRight(body) && isAnswer(body.right)) return Option.some(body.right)
    const said = Either.getOrUndefined(body)
    return yield* Effect.fail(messageOf(said) ?? `the Host answered with status ${response.status}`)
  })

const isResponse = (value: unknown): value is JsonRpc.Response =>
  Predicate.hasProperty(value, "jsonrpc") &&
  (Predicate.hasProperty(value, "result") || Predicate.hasProperty(value, "error"))

const isAnswer = (value: unknown): value is Answer =>
  Array.isArray(value) ? value.every(isResponse) : isResponse(value)

/** The message of a refusal, be it the protocol's or that of the access check in front of it. */
const messageOf = (body: unknown): string | undefined => {
  const error = Predicate.hasProperty(body, "error") ? body.error : body
  return Predicate.hasProperty(error, "message") && typeof error.message === "string" ? error.message : undefined
}

const refuse = (value: unknown, message: string): Option.Option<Answer> => {
  const refusals = [value].flat().flatMap((one): ReadonlyArray<JsonRpc.Response> => {
    const decoded = JsonRpc.decode(one)
    switch (decoded._tag) {
      case "Request":
        return [JsonRpc.failure(decoded.id, JsonRpc.codes.internalError, message)]
      case "Invalid":
        return [JsonRpc.failure(decoded.id, decoded.error.code, decoded.error.message)]
      default:
        return []
    }
  })
  const [first] = refusals
  if (first === undefined) return Option.none()
  return Option.some(Array.isArray(value) ? refusals : first)
}
