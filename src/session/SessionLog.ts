/**
 * The log of one Session, open for appending.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { HeldMessage } from "./Agent.ts"
import type { LogFiles } from "./LogFiles.ts"
import * as LogLine from "./LogLine.ts"
import * as LogReader from "./LogReader.ts"
import { LogWriter } from "./LogWriter.ts"
import type { SessionCorrupt, SessionError, SessionIoError, SessionNotFound } from "./SessionError.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import { firstOwnSeq, type SessionHeader, type SessionId } from "./SessionHeader.ts"
import { SessionState } from "./SessionState.ts"

/**
 * One process has one of these per Session at most. Nothing here checks that.
 *
 * @since 0.1.0
 * @category models
 */
export class SessionLog {
  readonly state: SessionState
  private readonly writer: LogWriter
  /** How many events the file held in complete lines when it was opened. */
  private readonly stored: number

  constructor(state: SessionState, writer: LogWriter, stored: number) {
    this.state = state
    this.writer = writer
    this.stored = stored
  }

  get header(): SessionHeader {
    return this.state.header
  }

  /** Appends an event to memory, at once. `data` that is no JSON value is a defect. */
  append(type: string, data: unknown, time: number): SessionEvent {
    const event: SessionEvent = { seq: this.state.events, time, type, data }
    this.writer.append(LogLine.encode(event))
    this.state.apply(event)
    return event
  }

  /** Whether everything appended so far is on disk; tries to bring it there. */
  get flush(): Effect.Effect<boolean> {
    return this.writer.flush
  }

  /** Whether anything was appended that is not known to be on disk. */
  get dirty(): boolean {
    return this.writer.dirty
  }

  /** Why the last flush answered false. */
  get lastFailure(): unknown {
    return this.writer.lastFailure
  }

  /** Which of the keys the own messages carry. */
  heldKeys(keys: Iterable<string>): ReadonlyMap<string, HeldMessage> {
    const held = new Map<string, HeldMessage>()
    for (const key of keys) {
      const found = this.state.keys.get(key)
      if (found !== undefined) held.set(key, { messageId: found.messageId, durable: this.isDurable(found.seq) })
    }
    return held
  }

  /** The events that a filter lets through, from disk and memory, as they are when the reading begins. */
  read(filter: (event: SessionEvent) => boolean): Effect.Effect<ReadonlyArray<SessionEvent>, SessionError> {
    return Effect.suspend(() => {
      const { size, lines } = this.writer.snapshot()
      const events: Array<SessionEvent> = []
      const visitor = () => (event: SessionEvent) => {
        if (filter(event)) events.push(event)
      }
      return Effect.as(
        LogReader.scan(this.header.id, this.writer.path, visitor, { limit: size, rest: lines.join("") }),
        events
      )
    })
  }

  /** Closes the file; what is not on disk is dropped. */
  close(): void {
    this.writer.close()
  }

  private isDurable(seq: number): boolean {
    return seq < this.stored ? this.writer.synced : seq < this.stored + this.writer.durableLines
  }
}

/**
 * Reads a whole log, checks it, and opens it for appending. A torn last line is cut before the first write; the rest of the
 * file is never touched. `collect` sees the Session's own events.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (
  id: SessionId,
  path: string,
  files: LogFiles,
  collect: (event: SessionEvent) => void = () => {}
): Effect.Effect<SessionLog, SessionNotFound | SessionCorrupt | SessionIoError> =>
  Effect.suspend(() => {
    let state: SessionState
    return LogReader.scan(id, path, (header) => {
      const folded = new SessionState(header)
      const firstOwn = firstOwnSeq(header)
      state = folded
      return (event) => {
        folded.apply(event)
        if (event.seq >= firstOwn) collect(event)
      }
    }).pipe(
      Effect.map((scan) => {
        const writer = new LogWriter(path, files, scan.bytes, scan.torn)
        const whole = scan.unterminated !== undefined
        if (whole) writer.append(`${scan.unterminated}\n`)
        return new SessionLog(state, writer, whole ? scan.events - 1 : scan.events)
      })
    )
  })
