/**
 * The first line of a Session's log: who the Session is. It never changes.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The id of a Session, as its owner spells it: any non-empty text without surrounding whitespace.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionId = Schema.String.pipe(
  Schema.filter((text) => (text.length > 0 && text.trim() === text) || "must be non-empty and trimmed"),
  Schema.brand("SessionId")
)

/**
 * @since 0.1.0
 * @category models
 */
export type SessionId = typeof SessionId.Type

/**
 * The format version that this program writes and reads.
 *
 * @since 0.1.0
 * @category constants
 */
export const version = 1

const Count = Schema.Int.pipe(Schema.nonNegative())

/**
 * @since 0.1.0
 * @category schemas
 */
export const SessionHeader = Schema.Struct({
  type: Schema.Literal("session"),
  version: Schema.Literal(version),
  id: SessionId,
  /** Epoch milliseconds. */
  createdAt: Schema.Int,
  /** The title at creation; a later `session/renamed` event replaces it. */
  title: Schema.optional(Schema.String),
  /** The working directory that turns run in. */
  cwd: Schema.optional(Schema.String),
  /** The Session that this one was forked or delegated from. */
  parentSession: Schema.optional(SessionId),
  /** How many leading events were copied from the parent: they are not this Session's own. Default 0. */
  seedLength: Schema.optional(Count),
  /** 0 for a top-level Session; above 0 the Session is a delegated child. */
  delegationDepth: Count
})

/**
 * @since 0.1.0
 * @category models
 */
export type SessionHeader = typeof SessionHeader.Type

/**
 * The `seq` of the first event that is the Session's own.
 *
 * @since 0.1.0
 * @category getters
 */
export const firstOwnSeq = (header: SessionHeader): number => header.seedLength ?? 0
