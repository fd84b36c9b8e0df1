/**
 * The events of a Session's log. Types that are not named here are kept as they are.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * One line of a Session's log after the header.
 *
 * @since 0.1.0
 * @category models
 */
export interface SessionEvent {
  /** The position in the log, from 0, without gaps. */
  readonly seq: number
  /** When it was appended, in epoch milliseconds. */
  readonly time: number
  readonly type: string
  /** Any JSON value; for the types of this module, what their schema says. */
  readonly data: unknown
}

/**
 * The id of a message in a Session's inbox: any non-empty text.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MessageId = Schema.String.pipe(
  Schema.filter((text) => text.length > 0 || "must be non-empty"),
  Schema.brand("MessageId")
)

/**
 * @since 0.1.0
 * @category models
 */
export type MessageId = typeof MessageId.Type

/**
 * `message/user`: a message that was put into the inbox.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UserMessage = Schema.Struct({
  id: MessageId,
  text: Schema.String,
  /** Who produced it, such as `user` or `schedule`. */
  source: Schema.String,
  /** What the producer knows the message by, so that it does not send the same thing twice. */
  keys: Schema.optional(Schema.Array(Schema.String))
})

/**
 * @since 0.1.0
 * @category models
 */
export type UserMessage = typeof UserMessage.Type

/**
 * `message/assistant`: what a turn answered.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AssistantMessage = Schema.Struct({
  id: MessageId,
  text: Schema.String,
  /** The message that the turn was about. */
  replyTo: Schema.optional(MessageId),
  /** The answer was longer than the driver keeps; `text` is its beginning. */
  truncated: Schema.optional(Schema.Literal(true))
})

/**
 * @since 0.1.0
 * @category models
 */
export type AssistantMessage = typeof AssistantMessage.Type

/**
 * `inbox/consumed`: messages that are no longer waiting in the inbox. A message without it is run again after a restart.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InboxConsumed = Schema.Struct({ messageIds: Schema.Array(MessageId) })

/**
 * `turn/failed`: a driver could not run a message. The message is consumed; nothing runs it again by itself.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TurnFailed = Schema.Struct({
  messageId: MessageId,
  /** The name of the driver. */
  driver: Schema.String,
  /** What a person can act on, such as an exit status and the end of what the command wrote. */
  reason: Schema.String
})

/**
 * `session/renamed`: the Session's new title.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionRenamed = Schema.Struct({ title: Schema.String })

/**
 * `session/archived` and `session/unarchived`: the last of them tells.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionArchived = Schema.Struct({})
