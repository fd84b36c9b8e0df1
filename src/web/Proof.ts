/**
 * How a Host shows that it is the Host of a home before anybody sends it the home's token.
 *
 * The address in `host.json` can be that of a Host that was killed, and its port somebody else's by now.
 *
 * @since 0.1.0
 */
import { createHmac, randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Token } from "./Token.ts"

/**
 * `GET /proof?nonce=…` answers with the proof as text. It is open: a proof says nothing of the token.
 *
 * @since 0.1.0
 * @category constants
 */
export const path = "/proof"

/**
 * 256 random bits, for one question.
 *
 * @since 0.1.0
 * @category constructors
 */
export const nonce: Effect.Effect<string> = Effect.sync(() => randomBytes(32).toString("base64url"))

/**
 * @since 0.1.0
 * @category predicates
 */
export const isNonce = (text: string): boolean => /^[\w-]{43}$/.test(text)

/**
 * What only who knows the token can answer: the HMAC-SHA256 of the nonce and of the URL that the Host published, so that
 * nobody can pass the question on to a Host that answers elsewhere.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (token: Token, url: string, nonce: string): string =>
  createHmac("sha256", Redacted.value(token)).update(`proof\n${url}\n${nonce}`).digest("base64url")
