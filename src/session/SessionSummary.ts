/**
 * A Session at a glance.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SessionHeader } from "./SessionHeader.ts"
import type { SessionState } from "./SessionState.ts"

/**
 * A Session without its events.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionSummary = Schema.Struct({
  header: SessionHeader,
  /** The last title it was given, at creation or by a rename. */
  title: Schema.optional(Schema.String),
  archived: Schema.Boolean,
  /** How many events its log holds, those of its seed included. */
  events: Schema.Int,
  /** How many messages wait in its inbox. */
  pending: Schema.Int,
  /** When its last event was appended, or when it was created, in epoch milliseconds. */
  updatedAt: Schema.Int
})

/**
 * @since 0.1.0
 * @category models
 */
export type SessionSummary = typeof SessionSummary.Type

/**
 * @since 0.1.0
 * @category conversions
 */
export const ofState = (state: SessionState): SessionSummary => ({
  header: state.header,
  ...(state.title === undefined ? {} : { title: state.title }),
  archived: state.archived,
  events: state.events,
  pending: state.inbox.size,
  updatedAt: state.updatedAt
})
