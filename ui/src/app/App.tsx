import { useState } from "react"
import { Notices } from "../design/Notice.tsx"
import { NewTask } from "../editor/NewTask.tsx"
import { useTexts } from "../language/Language.ts"
import { SessionsView } from "../sessions/SessionsView.tsx"
import { TasksView } from "../tasks/TasksView.tsx"
import { TimelineView } from "../timeline/TimelineView.tsx"
import { Broken } from "./Broken.tsx"
import { ConnectionLost } from "./Connection.tsx"
import { Header } from "./Header.tsx"
import { go, href, useRoute } from "./Route.ts"
import { useLeaveWarning, useShortcuts } from "./Shortcuts.ts"

/** The page: a header, one view, and what lies over it. */
export const App = () => {
  const texts = useTexts()
  const route = useRoute()
  const [creating, setCreating] = useState<{ readonly sessionId?: string }>()
  const create = (sessionId?: string) => setCreating(sessionId === undefined ? {} : { sessionId })
  useShortcuts({ onNew: () => create() })
  useLeaveWarning()
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        {texts.nav.skip}
      </button>
      <Header view={route.view} onNew={() => create()} />
      <ConnectionLost />
      <main id="main" tabIndex={-1} className={`view-${route.view}`}>
        <Broken place={href(route)}>
          {route.view === "tasks" && <TasksView id={route.id} tab={route.tab} onNew={() => create()} />}
          {route.view === "timeline" && <TimelineView onNew={() => create()} />}
          {route.view === "sessions" && <SessionsView id={route.id} onNewTask={create} />}
        </Broken>
      </main>
      {creating && (
        <NewTask
          sessionId={creating.sessionId}
          onClose={() => setCreating(undefined)}
          onCreated={(id) => {
            setCreating(undefined)
            go({ view: "tasks", id })
          }}
        />
      )}
      <Notices />
    </>
  )
}
