/**
 * The secret that a Host's clients present.
 *
 * @since 0.1.0
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Home, HomeUnusable, unusable } from "./Home.ts"

/**
 * A Host's token. It is redacted, so that it does not reach a log by accident.
 *
 * @since 0.1.0
 * @category models
 */
export type Token = Redacted.Redacted<string>

/**
 * Reads the token of a home, or makes one at the first start: 256 random bits, in a file of mode 0600.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (home: Home): Effect.Effect<Token, HomeUnusable, FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem
    if (!(yield* fs.exists(home.token))) {
      const fresh = `${home.token}.${randomBytes(6).toString("hex")}`
      yield* fs.writeFileString(fresh, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 })
      // a link never replaces: of two processes that start at once, both end with the token of the first
      yield* Effect.ignore(fs.link(fresh, home.token))
      yield* fs.remove(fresh)
    }
    yield* fs.chmod(home.token, 0o600)
    return (yield* fs.readFileString(home.token)).trim()
  }).pipe(
    Effect.mapError((error) => unusable(home.token, error)),
    Effect.filterOrFail(
      (text) => /^[\w-]{16,}$/.test(text),
      () => new HomeUnusable({ message: `${home.token} holds no token; remove it, and the next start makes a new one` })
    ),
    Effect.map((text) => Redacted.make(text))
  )

/**
 * What the browser's cookie holds: made from the token, but not the token.
 *
 * @since 0.1.0
 * @category conversions
 */
export const cookieValue = (token: Token): string =>
  createHmac("sha256", Redacted.value(token)).update("cookie").digest("base64url")

/**
 * Compares in a time that tells nothing of where two secrets differ.
 *
 * @since 0.1.0
 * @category predicates
 */
export const equals = (presented: string, secret: string): boolean => timingSafeEqual(digest(presented), digest(secret))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const digest = (text: string) => createHmac("sha256", "compare").update(text).digest()
