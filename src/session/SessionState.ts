/**
 * What a Session's log adds up to.
 *
 * @since 0.1.0
 */
import type { InboxConsumed, MessageId, SessionEvent, SessionRenamed, TurnFailed, UserMessage } from "./SessionEvent.ts"
import { firstOwnSeq, type SessionHeader } from "./SessionHeader.ts"

/**
 * The fold of a log, event by event; built anew whenever the log is read.
 *
 * Invariants:
 * 1. events of a fork's seed count in `events` and `updatedAt` and nowhere else: its parent's inbox, titles, archive marks and
 *    keys are not its own;
 * 2. a key names the last message that carried it: an occurrence that came again has a message of its own;
 * 3. `inbox` holds, in order, the messages that no `inbox/consumed` or `turn/failed` names.
 *
 * @since 0.1.0
 * @category models
 */
export class SessionState {
  readonly header: SessionHeader
  title: string | undefined
  archived = false
  events = 0
  updatedAt: number
  readonly inbox = new Map<MessageId, UserMessage>()
  /** Each occurrence key with its message and the `seq` of that message. */
  readonly keys = new Map<string, { readonly messageId: MessageId; readonly seq: number }>()

  constructor(header: SessionHeader) {
    this.header = header
    this.title = header.title
    this.updatedAt = header.createdAt
  }

  apply(event: SessionEvent): void {
    this.events = event.seq + 1
    this.updatedAt = event.time
    if (event.seq < firstOwnSeq(this.header)) return
    switch (event.type) {
      case "message/user": {
        const message = event.data as UserMessage
        this.inbox.set(message.id, message)
        for (const key of message.keys ?? []) this.keys.set(key, { messageId: message.id, seq: event.seq })
        return
      }
      case "inbox/consumed":
        for (const id of (event.data as typeof InboxConsumed.Type).messageIds) this.inbox.delete(id)
        return
      case "turn/failed":
        this.inbox.delete((event.data as typeof TurnFailed.Type).messageId)
        return
      case "session/renamed":
        this.title = (event.data as typeof SessionRenamed.Type).title
        return
      case "session/archived":
        this.archived = true
        return
      case "session/unarchived":
        this.archived = false
        return
    }
  }
}
