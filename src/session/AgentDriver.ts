/**
 * What a turn does.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { UserMessage } from "./SessionEvent.ts"
import type { SessionHeader } from "./SessionHeader.ts"

/**
 * A turn failed for good. It is written to the Session's log as `turn/failed`, and the message counts as consumed.
 *
 * @since 0.1.0
 * @category errors
 */
export class DriverFailure extends Schema.TaggedError<DriverFailure>("host-schedule/session/DriverFailure")(
  "DriverFailure",
  { reason: Schema.String }
) {
  override get message() {
    return this.reason
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Turn {
  readonly header: SessionHeader
  /** It is on disk already. After a crash in the middle of a turn the same message comes again. */
  readonly message: UserMessage
}

/**
 * What the assistant says, if anything.
 *
 * @since 0.1.0
 * @category models
 */
export interface TurnAnswer {
  readonly text: Option.Option<string>
  readonly truncated: boolean
}

/**
 * @since 0.1.0
 * @category services
 */
export class AgentDriver extends Context.Tag("host-schedule/session/AgentDriver")<
  AgentDriver,
  {
    /** Such as `inbox`, `command` or `webhook`. */
    readonly name: string
    /** Runs one message to its end; none leaves messages in the inbox for a person or program to consume. */
    readonly turn: Option.Option<(turn: Turn) => Effect.Effect<TurnAnswer, DriverFailure>>
  }
>() {}
