/**
 * One line of a Session's log, to text and back.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import {
  AssistantMessage,
  InboxConsumed,
  SessionArchived,
  type SessionEvent,
  SessionRenamed,
  TurnFailed,
  UserMessage
} from "./SessionEvent.ts"
import { SessionHeader, type SessionId } from "./SessionHeader.ts"

/**
 * The line of a header or event, with its line feed. `data` that is no JSON value is a defect.
 *
 * @since 0.1.0
 * @category conversions
 */
export const encode = (line: SessionHeader | SessionEvent): string => `${JSON.stringify(line)}\n`

/**
 * The header in a line without its line feed, or what is wrong with it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const header = (id: SessionId | undefined, text: string): Either.Either<SessionHeader, string> =>
  Either.flatMap(parse(text), (value) =>
    Either.flatMap(Either.mapLeft(decodeHeader(value), oneLine), (decoded) =>
      id === undefined || decoded.id === id
        ? Either.right(decoded)
        : Either.left(`the header is that of Session ${JSON.stringify(decoded.id)}`)
    )
  )

/**
 * The event in a line without its line feed, or what is wrong with it: a text.
 *
 * @since 0.1.0
 * @category conversions
 */
export const event = (text: string, seq: number): SessionEvent | string => {
  const parsed = parse(text)
  if (Either.isLeft(parsed)) return parsed.left
  const value = parsed.right
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "an event must be an object"
  if (!("seq" in value) || value.seq !== seq) return `seq must be ${seq}`
  if (!("time" in value) || !Number.isSafeInteger(value.time)) return "time must be epoch milliseconds"
  if (!("type" in value) || typeof value.type !== "string" || value.type === "") return "type must be non-empty text"
  if (!("data" in value)) return "data is missing"
  const check = known.get(value.type)
  if (check !== undefined) {
    const wrong = check(value.data)
    if (Either.isLeft(wrong)) return `data of ${value.type}: ${oneLine(wrong.left)}`
  }
  return value as SessionEvent
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const strict = { onExcessProperty: "error" } as const

const decodeHeader = Schema.decodeUnknownEither(SessionHeader, strict)

const known = new Map<string, (data: unknown) => Either.Either<unknown, ParseResult.ParseError>>([
  ["message/user", Schema.decodeUnknownEither(UserMessage, strict)],
  ["message/assistant", Schema.decodeUnknownEither(AssistantMessage, strict)],
  ["inbox/consumed", Schema.decodeUnknownEither(InboxConsumed, strict)],
  ["turn/failed", Schema.decodeUnknownEither(TurnFailed, strict)],
  ["session/renamed", Schema.decodeUnknownEither(SessionRenamed, strict)],
  ["session/archived", Schema.decodeUnknownEither(SessionArchived, strict)],
  ["session/unarchived", Schema.decodeUnknownEither(SessionArchived, strict)]
])

const parse = (text: string): Either.Either<unknown, string> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => "is not JSON" })

const oneLine = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ")
