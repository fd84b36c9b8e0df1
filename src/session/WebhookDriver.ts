/**
 * A driver that posts each message to a URL.
 *
 * @since 0.1.0
 */
import { createHmac } from "node:crypto"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Places from "../concurrency/Places.ts"
import { AgentDriver, DriverFailure, type Turn, type TurnAnswer } from "./AgentDriver.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly url: string
  /** Text, or `whsec_` and the key in base64. */
  readonly secret: Redacted.Redacted
  /** How long one attempt may take. Default 30 seconds. */
  readonly timeLimit?: Duration.DurationInput | undefined
  /** How many attempts a message gets. Default 12: about twenty minutes, unless the receiver asks for more patience or hangs. */
  readonly attempts?: number | undefined
  /** How many messages are posted at once, over all Sessions. Default 16. */
  readonly concurrency?: number | undefined
}

/**
 * Posts `{"type": "message/user", "sessionId", "messageId", "text", "source", "keys"?, "title"?, "cwd"?}`. Each attempt carries
 * the message's id in `webhook-id` and `idempotency-key`, the time in `webhook-timestamp`, in epoch seconds, and in
 * `webhook-signature` `v1,` and the base64 of the HMAC-SHA256 over `<id>.<timestamp>.<body>`, as Standard Webhooks has it.
 *
 * A 2xx answer is the end of the turn; its body is not looked at, nor waited for longer than a second. No answer, 408, 425, 429
 * and 5xx are tried again after 1, 2, 4 … seconds, 5 minutes at most, with up to a fifth more of jitter, or after what
 * `Retry-After` asks for, an hour at most. Everything else, redirections included, fails the turn at once.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<AgentDriver, never, HttpClient.HttpClient> =>
  Layer.effect(
    AgentDriver,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const places = Places.make(options.concurrency ?? 16)
      const turn = (turn: Turn) =>
        Effect.as(deliver(client, options, places, turn), {
          text: Option.none(),
          truncated: false
        } satisfies TurnAnswer)
      return AgentDriver.of({ name: "webhook", turn: Option.some(turn) })
    })
  )

/**
 * The signature of a body, for a receiver to compare with.
 *
 * @since 0.1.0
 * @category constructors
 */
export const sign = (secret: Redacted.Redacted, id: string, timestamp: string, body: string): string => {
  const text = Redacted.value(secret)
  const key = text.startsWith("whsec_") ? Buffer.from(text.slice(6), "base64") : Buffer.from(text)
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const maxPause = Duration.toMillis("5 minutes")

const maxPatience = Duration.toMillis("1 hour")

const readLimit = 64 * 1024

/** What became of an attempt: done, failed for good, or worth another one, not before `after` milliseconds. */
type Outcome =
  | { readonly _tag: "done" }
  | { readonly _tag: "failed"; readonly reason: string }
  | { readonly _tag: "again"; readonly reason: string; readonly after: number }

const deliver = (client: HttpClient.HttpClient, options: Options, places: Places.Places, turn: Turn) => {
  const { attempts = 12 } = options
  const body = bodyOf(turn)
  const go = (attempt: number): Effect.Effect<void, DriverFailure> =>
    Effect.flatMap(places.within(post(client, options, turn.message.id, body)), (outcome) => {
      if (outcome._tag === "done") return Effect.void
      if (outcome._tag === "failed") return new DriverFailure({ reason: outcome.reason })
      if (attempt >= attempts) return new DriverFailure({ reason: `${outcome.reason} (attempt ${attempt}, the last)` })
      return Effect.flatMap(Random.next, (jitter) => {
        const pause = Math.min(1000 * 2 ** (attempt - 1), maxPause) * (1 + jitter / 5)
        return Effect.zipRight(Effect.sleep(Math.max(pause, outcome.after)), go(attempt + 1))
      })
    })
  return go(1)
}

const bodyOf = ({ header, message: { id, text, source, keys } }: Turn): string =>
  JSON.stringify({
    type: "message/user",
    sessionId: header.id,
    messageId: id,
    text,
    source,
    keys,
    title: header.title,
    cwd: header.cwd
  })

const post = (client: HttpClient.HttpClient, options: Options, id: string, body: string): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const timestamp = String(Math.floor(now / 1000))
    const request = HttpClientRequest.post(options.url).pipe(
      HttpClientRequest.bodyText(body, "application/json"),
      HttpClientRequest.setHeaders({
        "idempotency-key": id,
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": sign(options.secret, id, timestamp, body)
      })
    )
    const response = yield* HttpClient.withScope(client)
      .execute(request)
      .pipe(
        // a signed message goes nowhere else; `fetch` would take it there
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
        Effect.timeoutFail({
          duration: options.timeLimit ?? "30 seconds",
          onTimeout: () => new Cause.TimeoutException("no answer in time")
        })
      )
    // The status is the answer, whatever becomes of its body.
    yield* Effect.timeoutOption(drain(response), "1 second")
    return outcomeOf(response, now)
  }).pipe(
    // What is left of the answer is not waited for.
    Effect.scoped,
    Effect.catchAll((error) => Effect.succeed(again(error.message)))
  )

const again = (reason: string, after = 0): Outcome => ({ _tag: "again", reason, after })

const outcomeOf = ({ status, headers }: HttpClientResponse.HttpClientResponse, now: number): Outcome => {
  if (status >= 200 && status < 300) return { _tag: "done" }
  const reason = `the receiver answered ${status}`
  const temporary = status >= 500 || status === 408 || status === 425 || status === 429
  return temporary ? again(reason, patience(headers["retry-after"], now)) : { _tag: "failed", reason }
}

/** `Retry-After` in milliseconds from now: seconds, or a date. */
const patience = (text: string | undefined, now: number): number => {
  if (text === undefined) return 0
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), maxPatience)
}

/** Reads the answer's beginning, so that the connection can be used again when that is all there is. */
const drain = (response: HttpClientResponse.HttpClientResponse) => {
  let left = readLimit
  return response.stream.pipe(
    Stream.takeUntil((bytes) => {
      left -= bytes.length
      return left <= 0
    }),
    Stream.runDrain,
    Effect.ignore
  )
}
