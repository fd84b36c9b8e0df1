import { useState } from "react"
import type { SessionDetail as Detail } from "../../../src/remote/SessionRpcs.ts"
import { href } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Empty, Read } from "../design/State.tsx"
import { catalog } from "../host/Catalog.ts"
import { useReading } from "../host/Live.ts"
import { transcript } from "../host/Sessions.ts"
import { useTexts } from "../language/Language.ts"
import { BackToList } from "../tasks/TaskDetail.tsx"
import { TaskRow } from "../tasks/TaskRow.tsx"
import { ArchiveSession } from "./ArchiveSession.tsx"
import { NameSession } from "./NameSession.tsx"
import { Transcript } from "./Transcript.tsx"

/** One Session: its reminders and what was said in it. */
export const SessionDetail = (props: { readonly id: string; readonly onNewTask: (sessionId: string) => void }) => {
  const { id } = props
  const [pages, setPages] = useState(1)
  const reading = useReading(transcript(`${pages} ${id}`))
  const previous = useReading(transcript(`${Math.max(1, pages - 1)} ${id}`))
  const shown = reading.value === undefined && reading.failure === undefined ? previous : reading
  const texts = useTexts()
  return (
    <>
      <BackToList view="sessions" />
      {shown.failure?.code === "session_not_found" ? (
        <Empty title={texts.sessions.missing} />
      ) : (
        <Read reading={shown}>
          {(session) => (
            <>
              <Summary session={session} onNewTask={() => props.onNewTask(id)} />
              <Reminders sessionId={id} />
              <Transcript session={session} onOlder={() => setPages(pages + 1)} />
            </>
          )}
        </Read>
      )}
    </>
  )
}

const Summary = ({ onNewTask, session }: { readonly session: Detail; readonly onNewTask: () => void }) => {
  const { archived, header, pending, title } = session
  const texts = useTexts()
  const [renaming, setRenaming] = useState(false)
  const isChild = header.delegationDepth > 0
  return (
    <header className="summary">
      <div className="summary-head">
        <h1 dir="auto">{title || texts.sessions.untitled}</h1>
        <Button look="quiet" icon="edit" label={texts.sessions.rename} onClick={() => setRenaming(true)} />
      </div>
      <p className="summary-rule">
        <span className="wrap mono" dir="auto">
          {header.id}
        </span>
      </p>
      <p className="badges">
        {archived && <span className="badge">{texts.sessions.archived}</span>}
        {isChild && <span className="badge">{texts.sessions.child}</span>}
        {pending > 0 && <span className="badge accent">{texts.sessions.waiting(pending)}</span>}
      </p>
      <div className="summary-actions">
        {!archived && !isChild && (
          <Button icon="plus" onClick={onNewTask}>
            {texts.tasks.new}
          </Button>
        )}
        <ArchiveSession id={header.id} archived={archived} />
      </div>
      {renaming && <NameSession session={{ id: header.id, title: title ?? "" }} onClose={() => setRenaming(false)} />}
    </header>
  )
}

const Reminders = ({ sessionId }: { readonly sessionId: string }) => {
  const texts = useTexts()
  const { value = [] } = useReading(catalog)
  const tasks = value.filter((task) => task.sessionId === sessionId && task.status === "active")
  return (
    <section className="session-tasks" aria-label={texts.sessions.tasks(tasks.length)}>
      <h2>{tasks.length === 0 ? texts.sessions.noTasks : texts.sessions.tasks(tasks.length)}</h2>
      <ul>
        {tasks.slice(0, most).map((task) => (
          <li key={task.record.id}>
            <TaskRow task={task} href={href({ view: "tasks", id: task.record.id })} current={false} tabIndex={0} />
          </li>
        ))}
      </ul>
      {tasks.length > most && <p className="hint">+ {tasks.length - most}</p>}
    </section>
  )
}

// A look; the task list has them all.
const most = 20
