import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SessionDetail } from "../../../src/remote/SessionRpcs.ts"
import * as SessionEvent from "../../../src/session/SessionEvent.ts"
import { href } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Clamp } from "../design/Clamp.tsx"
import { Empty } from "../design/State.tsx"
import { catalog } from "../host/Catalog.ts"
import { useReading } from "../host/Live.ts"
import { useTexts } from "../language/Language.ts"
import { Moment } from "../time/Moment.tsx"

type Event = SessionDetail["log"][number]

/** What was said in a Session, in its order. */
export const Transcript = ({ onOlder, session }: { readonly session: SessionDetail; readonly onOlder: () => void }) => {
  const texts = useTexts().sessions
  const first = session.log[0]
  return (
    <section className="transcript" aria-label={texts.transcript}>
      <h2>{texts.transcript}</h2>
      {first === undefined && <Empty title={texts.noEvents} />}
      {first !== undefined && first.seq > 0 && <Button onClick={onOlder}>{texts.older}</Button>}
      <ol>
        {session.log.map((event) => (
          <Entry key={event.seq} event={event} />
        ))}
      </ol>
    </section>
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const Entry = ({ event }: { readonly event: Event }) => {
  const texts = useTexts().sessions.events
  const user = decode.user(event)
  if (user !== undefined) {
    const isReminder = user.source === "schedule"
    return (
      <li className={isReminder ? "said reminder" : "said user"}>
        <Head who={isReminder ? texts.schedule : user.source === "user" ? texts.user : user.source} at={event.time} />
        <Clamp text={user.text} />
        {isReminder && <Reminded keys={user.keys ?? []} />}
      </li>
    )
  }
  const assistant = decode.assistant(event)
  if (assistant !== undefined) {
    return (
      <li className="said assistant">
        <Head who={texts.assistant} at={event.time} />
        <Clamp text={assistant.text} />
        {assistant.truncated && <p className="hint">{texts.truncated}</p>}
      </li>
    )
  }
  const failed = decode.failed(event)
  if (failed !== undefined) {
    return (
      <li className="said failed">
        <Head who={`${texts.failed} · ${failed.driver}`} at={event.time} />
        <Clamp text={failed.reason} />
      </li>
    )
  }
  return <Happened event={event} />
}

const Happened = ({ event }: { readonly event: Event }) => (
  <li className="happened">
    <span className="wrap" dir="auto">
      {useHappened(event)}
    </span>
    <Moment at={event.time} />
  </li>
)

const Head = ({ at, who }: { readonly who: string; readonly at: number }) => (
  <p className="said-head">
    <strong dir="auto">{who}</strong>
    <Moment at={at} />
  </p>
)

/** The tasks that a message came from: each key is `<task>@<occurrence>`. */
const Reminded = ({ keys }: { readonly keys: ReadonlyArray<string> }) => {
  const { value = [] } = useReading(catalog)
  const tasks = keys.flatMap((key) => value.filter(({ record }) => key.startsWith(`${record.id}@`)))
  if (tasks.length === 0) return null
  return (
    <p className="reminded">
      {tasks.map(({ record }) => (
        <a key={record.id} href={href({ view: "tasks", id: record.id })} className="wrap" dir="auto">
          {record.title}
        </a>
      ))}
    </p>
  )
}

const useHappened = (event: Event): string => {
  const texts = useTexts().sessions.events
  switch (event.type) {
    case "inbox/consumed":
      return texts.consumed(decode.consumed(event)?.messageIds.length ?? 0)
    case "session/renamed":
      return texts.renamed(decode.renamed(event)?.title ?? "")
    case "session/archived":
      return texts.archived
    case "session/unarchived":
      return texts.unarchived
    default:
      return event.type
  }
}

const of = <A, I>(type: string, schema: Schema.Schema<A, I>) => {
  const read = Schema.decodeUnknownOption(schema)
  return (event: Event): A | undefined => (event.type === type ? Option.getOrUndefined(read(event.data)) : undefined)
}

const decode = {
  user: of("message/user", SessionEvent.UserMessage),
  assistant: of("message/assistant", SessionEvent.AssistantMessage),
  failed: of("turn/failed", SessionEvent.TurnFailed),
  consumed: of("inbox/consumed", SessionEvent.InboxConsumed),
  renamed: of("session/renamed", SessionEvent.SessionRenamed)
}
