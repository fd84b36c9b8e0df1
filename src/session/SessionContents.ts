/**
 * What is in the log of a Session that nobody has open.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as LogReader from "./LogReader.ts"
import type { SessionError } from "./SessionError.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import type { SessionId } from "./SessionHeader.ts"
import { SessionState } from "./SessionState.ts"
import * as SessionSummary from "./SessionSummary.ts"

/**
 * A Session with events of its log.
 *
 * @since 0.1.0
 * @category models
 */
export type SessionContents = SessionSummary.SessionSummary & { readonly log: ReadonlyArray<SessionEvent> }

/**
 * Reads a log with the events that a filter lets through.
 *
 * @since 0.1.0
 * @category decoding
 */
export const read = (
  id: SessionId,
  path: string,
  filter: (event: SessionEvent) => boolean
): Effect.Effect<SessionContents, SessionError> =>
  Effect.suspend(() => {
    const log: Array<SessionEvent> = []
    let state: SessionState
    return LogReader.scan(id, path, (header) => {
      const folded = new SessionState(header)
      state = folded
      return (event) => {
        folded.apply(event)
        if (filter(event)) log.push(event)
      }
    }).pipe(Effect.map(() => ({ ...SessionSummary.ofState(state), log })))
  })
