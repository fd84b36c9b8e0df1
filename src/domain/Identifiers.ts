/**
 * The identities of tasks, Sessions and messages.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The id of a task, unique in the Host: `schedule-` and a lowercase UUID.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ScheduleId = Schema.String.pipe(
  Schema.pattern(/^schedule-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
    message: () => "must be schedule-<uuid>"
  }),
  Schema.brand("ScheduleId")
)

/**
 * @since 0.1.0
 * @category models
 */
export type ScheduleId = typeof ScheduleId.Type

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
