/**
 * What is known of Sessions without reading their logs again: `workspace.json`.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as LogReader from "./LogReader.ts"
import { SessionCorrupt, type SessionIoError, type SessionNotFound } from "./SessionError.ts"
import * as SessionFiles from "./SessionFiles.ts"
import { segment } from "./SessionPath.ts"
import { SessionState } from "./SessionState.ts"
import * as SessionSummary from "./SessionSummary.ts"

/**
 * Summaries by directory. The logs are the only source of truth: a log only grows, so what is remembered of it holds for as
 * long as it is the same file and has the length that it was read with, and a `workspace.json` that is lost, stale or broken costs reading
 * the logs once more and nothing else.
 *
 * @since 0.1.0
 * @category models
 */
export interface Summaries {
  /** The summary of the Session in a directory; none when there is no log. */
  readonly of: (
    directory: string
  ) => Effect.Effect<Option.Option<SessionSummary.SessionSummary>, SessionCorrupt | SessionIoError | SessionNotFound>
  /** Writes down what was learnt since the last time. Never fails: a warning is logged. */
  readonly save: Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (root: string, file: string): Effect.Effect<Summaries> =>
  Effect.gen(function* () {
    const known = new Map(Object.entries((yield* load(file)).sessions))
    let changed = false

    const of: Summaries["of"] = (directory) =>
      Effect.gen(function* () {
        const path = SessionFiles.logPathOf(root, directory)
        const now = yield* SessionFiles.stat(path)
        if (now === undefined) return Option.none()
        const remembered = known.get(directory)
        if (remembered?.size === now.size && remembered.file === now.file) return Option.some(remembered.summary)
        const summary = yield* read(directory, path, now.size)
        known.set(directory, { ...now, summary })
        changed = true
        return Option.some(summary)
      })

    const save = Effect.suspend(() => {
      if (!changed) return Effect.void
      changed = false
      const text = JSON.stringify({
        version: 1,
        sessions: Object.fromEntries(known)
      } satisfies typeof Remembered.Encoded)
      return Effect.tryPromise(async () => {
        const draft = `${file}.${randomUUID()}.new`
        await fs.writeFile(draft, text, { mode: 0o600 })
        await fs.rename(draft, file)
      }).pipe(Effect.catchAll((error) => Effect.logWarning(`${file} was not written`, error)))
    })

    return { of, save }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const Remembered = Schema.Struct({
  version: Schema.Literal(1),
  sessions: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      size: Schema.Int,
      file: Schema.optional(Schema.Int),
      summary: SessionSummary.SessionSummary
    })
  })
})

const load = (file: string): Effect.Effect<typeof Remembered.Type> =>
  Effect.tryPromise(() => fs.readFile(file, "utf8")).pipe(
    Effect.flatMap(Schema.decode(Schema.parseJson(Remembered))),
    Effect.orElseSucceed(() => ({ version: 1 as const, sessions: {} }))
  )

const read = (directory: string, path: string, size: number) =>
  Effect.gen(function* () {
    let state: SessionState | undefined
    yield* LogReader.scan(
      undefined,
      path,
      (header) => {
        const folded = new SessionState(header)
        state = folded
        return (event) => folded.apply(event)
      },
      { limit: size }
    )
    if (state === undefined || segment(state.header.id) !== directory) {
      return yield* new SessionCorrupt({ path, line: 1, reason: "the log is in another Session's directory" })
    }
    return SessionSummary.ofState(state)
  })
