/**
 * The URL that signs a browser in, once.
 *
 * @since 0.1.0
 */
import { randomBytes } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * One-time codes. A printed URL carries a code and not the token, so that a log or a browser's history that keeps it gives
 * nothing away once it was used.
 *
 * @since 0.1.0
 * @category services
 */
export class Login extends Context.Tag("host-schedule/web/Login")<
  Login,
  {
    /** A new code, valid until it is used or 16 newer ones were issued, at most as long as this Host runs. */
    readonly issue: Effect.Effect<string>

    /** Uses a code up; answers whether it was valid. */
    readonly redeem: (code: string) => Effect.Effect<boolean>
  }
>() {}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Login> = Layer.sync(Login, () => {
  const codes = new Set<string>()
  return Login.of({
    issue: Effect.sync(() => {
      const code = randomBytes(24).toString("base64url")
      codes.add(code)
      for (const oldest of codes) {
        if (codes.size <= maxCodes) break
        codes.delete(oldest)
      }
      return code
    }),
    redeem: (code) => Effect.sync(() => codes.delete(code))
  })
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const maxCodes = 16
