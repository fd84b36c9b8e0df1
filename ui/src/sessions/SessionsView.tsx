import { Atom, useAtom, useAtomValue } from "@effect-atom/atom-react"
import { useDeferredValue, useMemo, useState } from "react"
import type { SessionList, SessionSummary } from "../../../src/remote/SessionRpcs.ts"
import { href } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Search } from "../design/Search.tsx"
import { Empty, PaneHeading, Read } from "../design/State.tsx"
import { VirtualList } from "../design/VirtualList.tsx"
import { useReading } from "../host/Live.ts"
import { sessions } from "../host/Sessions.ts"
import { useTexts } from "../language/Language.ts"
import { Relative } from "../time/Moment.tsx"
import { NameSession } from "./NameSession.tsx"
import { SessionDetail } from "./SessionDetail.tsx"

/** The search outlives a look at another view. */
const searchAtom = Atom.keepAlive(Atom.make(""))

// as the style sheet has it
const rowHeight = 66

/** The Sessions of the Host and the one that is chosen. */
export const SessionsView = (props: {
  readonly id: string | undefined
  readonly onNewTask: (sessionId: string) => void
}) => {
  const texts = useTexts()
  const reading = useReading(sessions)
  return (
    <div className={props.id === undefined ? "panes" : "panes chosen"}>
      <section className="pane list" aria-label={texts.sessions.title}>
        <PaneHeading text={texts.sessions.title} first={props.id === undefined} />
        <SessionTools />
        <Read reading={reading}>{(list) => <Sessions list={list} current={props.id} />}</Read>
      </section>
      <section className="pane detail" aria-label={texts.tasks.session}>
        {props.id === undefined ? (
          <Empty title={texts.sessions.pick} />
        ) : (
          <SessionDetail key={props.id} id={props.id} onNewTask={props.onNewTask} />
        )}
      </section>
    </div>
  )
}

const SessionTools = () => {
  const texts = useTexts().sessions
  const [search, setSearch] = useAtom(searchAtom)
  const [naming, setNaming] = useState(false)
  return (
    <>
      <div className="list-tools">
        <Search label={texts.search} value={search} onChange={setSearch} />
        <Button icon="plus" onClick={() => setNaming(true)}>
          {texts.new}
        </Button>
      </div>
      {naming && <NameSession onClose={() => setNaming(false)} />}
    </>
  )
}

const Sessions = ({ current, list }: { readonly list: SessionList; readonly current: string | undefined }) => {
  const texts = useTexts().sessions
  const words = useDeferredValue(useAtomValue(searchAtom)).toLocaleLowerCase()
  const shown = useMemo(
    () =>
      list.sessions.filter(({ header, title = "" }) =>
        `${title}\n${header.id}`.toLocaleLowerCase().includes(words.trim())
      ),
    [list, words]
  )
  return (
    <>
      {list.unreadable.length > 0 && (
        <details className="unreadable">
          <summary>{texts.unreadable(list.unreadable.length)}</summary>
          <ul>
            {list.unreadable.map(({ message, path }) => (
              <li key={path} className="wrap">
                {path}: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      {list.sessions.length === 0 ? (
        <Empty title={texts.empty} hint={texts.emptyHint} />
      ) : (
        <VirtualList
          label={texts.list}
          items={shown}
          keyOf={({ header }) => header.id}
          height={rowHeight}
          current={current}
        >
          {(session, tabIndex) => (
            <SessionRow session={session} current={session.header.id === current} tabIndex={tabIndex} />
          )}
        </VirtualList>
      )}
    </>
  )
}

const SessionRow = (props: {
  readonly session: SessionSummary
  readonly current: boolean
  readonly tabIndex: number
}) => {
  const { archived, header, pending, title, updatedAt } = props.session
  const texts = useTexts().sessions
  return (
    <a
      className={archived ? "row inactive" : "row"}
      href={href({ view: "sessions", id: header.id })}
      tabIndex={props.tabIndex}
      aria-current={props.current ? "true" : undefined}
    >
      <i className={pending > 0 ? "status-mark waiting" : "status-mark none"} aria-hidden="true" />
      <span className="row-title" dir="auto">
        {title || texts.untitled}
      </span>
      <span className="row-when">
        <Relative at={updatedAt} />
      </span>
      <span className="row-rule">
        {[
          ...(archived ? [texts.archived] : []),
          ...(header.delegationDepth > 0 ? [texts.child] : []),
          ...(pending > 0 ? [texts.waiting(pending)] : [])
        ].join(" · ")}
      </span>
      <span className="row-session" dir="auto">
        {header.id}
      </span>
    </a>
  )
}
