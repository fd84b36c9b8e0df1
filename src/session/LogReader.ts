/**
 * The reading half of a Session's log.
 *
 * @since 0.1.0
 */
import { isUtf8 } from "node:buffer"
import * as fs from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as LogLine from "./LogLine.ts"
import { SessionCorrupt, SessionIoError, SessionNotFound } from "./SessionError.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import type { SessionHeader, SessionId } from "./SessionHeader.ts"

/**
 * Gets the header, and answers what gets each event, in order. It is called without any Effect around it, because a log may
 * hold a million events.
 *
 * @since 0.1.0
 * @category models
 */
export type Visitor = (header: SessionHeader) => (event: SessionEvent) => void

/**
 * What was read.
 *
 * @since 0.1.0
 * @category models
 */
export interface LogScan {
  readonly header: SessionHeader
  /** How many events there are, the unterminated one included. */
  readonly events: number
  /** The length of the complete lines in bytes. */
  readonly bytes: number
  /** The last event without its line feed, when a crash lost only that; it was visited. */
  readonly unterminated: string | undefined
  /** Whether the file goes on after `bytes` with a line that a crash tore. It was not visited. */
  readonly torn: boolean
}

/**
 * Reads a log in pieces, `limit` bytes of the file at most and then `rest`, and checks every line of it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const scan = (
  id: SessionId | undefined,
  path: string,
  visitor: Visitor,
  { limit = Number.POSITIVE_INFINITY, rest = "" }: { readonly limit?: number; readonly rest?: string } = {}
): Effect.Effect<LogScan, SessionNotFound | SessionCorrupt | SessionIoError> =>
  withFile(id, path, (file) => {
    const parser = new Parser(id, path, visitor)
    const next = (position: number): Effect.Effect<void, SessionCorrupt | SessionIoError> => {
      const size = position === 0 ? firstSize : chunkSize
      return Effect.flatMap(read(file, path, position, Math.min(size, limit - position)), (chunk) => {
        // Fewer bytes than wanted are the last ones.
        const last = chunk.length < size
        const corrupt = parser.push(last ? Buffer.concat([chunk, Buffer.from(rest)]) : chunk)
        if (corrupt !== undefined) return corrupt
        return last ? Effect.void : next(position + chunk.length)
      })
    }
    return Effect.zipRight(
      next(0),
      Effect.suspend(() => parser.end())
    )
  })

/**
 * Reads the header alone.
 *
 * @since 0.1.0
 * @category constructors
 */
export const header = (
  id: SessionId | undefined,
  path: string
): Effect.Effect<SessionHeader, SessionNotFound | SessionCorrupt | SessionIoError> =>
  withFile(id, path, (file) => {
    const next = (text: Buffer): Effect.Effect<SessionHeader, SessionCorrupt | SessionIoError> =>
      Effect.flatMap(read(file, path, text.length, headerSize), (chunk) => {
        const more = Buffer.concat([text, chunk])
        const end = more.indexOf(lineFeed)
        if (end < 0 && chunk.length > 0) return next(more)
        const line = end < 0 ? more : more.subarray(0, end)
        if (line.length === 0 && end < 0) return new SessionCorrupt({ path, line: 1, reason: "the file is empty" })
        const decoded = isUtf8(line) ? LogLine.header(id, line.toString()) : Either.left("is not UTF-8")
        return Either.mapLeft(decoded, (reason) => new SessionCorrupt({ path, line: 1, reason }))
      })
    return next(Buffer.alloc(0))
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// Parsing one piece keeps the Host busy for about two milliseconds.
const chunkSize = 256 * 1024

// Most logs are short, and memory outside of V8's heap makes it collect garbage.
const firstSize = 16 * 1024

const headerSize = 4096

const lineFeed = 0x0a

const withFile = <A, E>(
  id: SessionId | undefined,
  path: string,
  use: (file: fs.FileHandle) => Effect.Effect<A, E>
): Effect.Effect<A, E | SessionNotFound | SessionIoError> =>
  Effect.acquireUseRelease(
    Effect.tryPromise({
      try: () => fs.open(path, "r"),
      catch: (cause) =>
        id !== undefined && isMissing(cause)
          ? new SessionNotFound({ sessionId: id })
          : new SessionIoError({ path, cause })
    }),
    use,
    // Nobody needs to wait for it: reading leaves nothing behind that a failing close could lose.
    (file) => Effect.sync(() => void file.close().catch(() => {}))
  )

const isMissing = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const read = (file: fs.FileHandle, path: string, position: number, length: number) =>
  Effect.tryPromise({
    try: async () => {
      const buffer = Buffer.allocUnsafe(length)
      const { bytesRead } = await file.read(buffer, 0, length, position)
      return buffer.subarray(0, bytesRead)
    },
    catch: (cause) => new SessionIoError({ path, cause })
  })

/** Cuts pieces into lines, and counts. */
class Parser {
  private readonly id: SessionId | undefined
  private readonly path: string
  private readonly visitor: Visitor
  private header: SessionHeader | undefined
  private visit: ((event: SessionEvent) => void) | undefined
  private line = 0
  private bytes = 0
  private partial: Array<Buffer> = []

  constructor(id: SessionId | undefined, path: string, visitor: Visitor) {
    this.id = id
    this.path = path
    this.visitor = visitor
  }

  push(chunk: Buffer): SessionCorrupt | undefined {
    const end = chunk.lastIndexOf(lineFeed) + 1
    if (end > 0) {
      const block = Buffer.concat([...this.partial, chunk.subarray(0, end)])
      this.partial = []
      const corrupt = isUtf8(block) ? this.lines(block.toString()) : this.lineByLine(block)
      if (corrupt !== undefined) return corrupt
      this.bytes += block.length
    }
    if (end < chunk.length) this.partial.push(chunk.subarray(end))
    return undefined
  }

  /** A last line without its line feed is what a crash left, and was never acknowledged: it counts only if it is whole. */
  end(): Effect.Effect<LogScan, SessionCorrupt> {
    const rest = Buffer.concat(this.partial)
    const text = isUtf8(rest) ? rest.toString() : ""
    const whole = rest.length > 0 && this.take(text) === undefined
    if (this.header === undefined) {
      return this.corrupt(1, rest.length === 0 ? "the file is empty" : "the header is not whole")
    }
    return Effect.succeed({
      header: this.header,
      events: this.line - 1,
      bytes: this.bytes,
      unterminated: whole ? text : undefined,
      torn: rest.length > 0 && !whole
    })
  }

  private lines(block: string): SessionCorrupt | undefined {
    let from = 0
    for (let to = block.indexOf("\n"); to >= 0; from = to + 1, to = block.indexOf("\n", from)) {
      const reason = this.take(block.slice(from, to))
      if (reason !== undefined) return this.corrupt(this.line + 1, reason)
    }
    return undefined
  }

  /** Finds the line that is not UTF-8, unless one before it is wrong in another way. */
  private lineByLine(block: Buffer): SessionCorrupt | undefined {
    let from = 0
    for (let to = block.indexOf(lineFeed); to >= 0; from = to + 1, to = block.indexOf(lineFeed, from)) {
      const line = block.subarray(from, to)
      const reason = isUtf8(line) ? this.take(line.toString()) : "is not UTF-8"
      if (reason !== undefined) return this.corrupt(this.line + 1, reason)
    }
    return undefined
  }

  /** Takes a line, or answers why not. */
  private take(text: string): string | undefined {
    if (this.visit === undefined) {
      const header = LogLine.header(this.id, text)
      if (Either.isLeft(header)) return header.left
      this.header = header.right
      this.visit = this.visitor(header.right)
    } else {
      const event = LogLine.event(text, this.line - 1)
      if (typeof event === "string") return event
      this.visit(event)
    }
    this.line++
    return undefined
  }

  private corrupt(line: number, reason: string) {
    return new SessionCorrupt({ path: this.path, line, reason })
  }
}
