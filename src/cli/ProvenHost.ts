/**
 * Calling a Host that has shown that it is one.
 *
 * @since 0.1.0
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Proof from "../web/Proof.ts"
import * as Token from "../web/Token.ts"

/**
 * Whether whoever answers at a URL knows the token, which it is not told. No answer within 3 s counts as no.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isProven = (url: string, token: Token.Token): Effect.Effect<boolean, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const nonce = yield* Proof.nonce
    const response = yield* HttpClient.get(`${url}${Proof.path}?nonce=${nonce}`)
    const proof = Proof.make(token, url, nonce)
    // whoever it is may never stop talking
    const answer = yield* Stream.runFoldWhile(
      Stream.decodeText(response.stream),
      "",
      (text) => text.length <= proof.length,
      (text, piece) => text + piece
    )
    return Token.equals(answer, proof)
  }).pipe(
    Effect.timeout("3 seconds"),
    Effect.orElseSucceed(() => false),
    Effect.scoped,
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "error" })
  )

/**
 * A client that sends the token with each request, and before each asks for a proof: a Host can end at any time, and
 * another program take its port.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient = (
  url: string,
  token: Token.Token
): Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      const proven = Effect.provideService(isProven(url, token), HttpClient.HttpClient, client)
      return HttpClient.mapRequestEffect(client, (request) =>
        Effect.flatMap(proven, (isHost) =>
          isHost
            ? Effect.succeed(HttpClientRequest.bearerToken(request, token))
            : new HttpClientError.RequestError({
                request,
                reason: "Transport",
                description: "what answers there is not the Host of this home"
              })
        )
      )
    })
  )
