/**
 * The header of a Session that is about to be created.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { NewSession } from "./SessionController.ts"
import { SessionInvalid } from "./SessionError.ts"
import { SessionHeader, version } from "./SessionHeader.ts"

/**
 * Says what is wrong with a Session that cannot be. `createdAt` is in epoch milliseconds.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (session: NewSession, createdAt: number): Effect.Effect<SessionHeader, SessionInvalid> => {
  const { id = randomUUID(), title, cwd, parentSession, seedLength, delegationDepth = 0 } = session
  if (seedLength !== undefined && parentSession === undefined) {
    return new SessionInvalid({ reason: "seedLength needs parentSession" })
  }
  return Schema.decodeUnknown(SessionHeader)({
    type: "session",
    version,
    id,
    createdAt,
    ...(title === undefined ? {} : { title }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(parentSession === undefined ? {} : { parentSession }),
    ...(seedLength === undefined ? {} : { seedLength }),
    delegationDepth
  }).pipe(
    Effect.mapError(
      (error) => new SessionInvalid({ reason: ParseResult.TreeFormatter.formatErrorSync(error).split("\n").join(" ") })
    )
  )
}
