import { Tab, TabList, TabPanel, TabProvider } from "@ariakit/react/tab"
import { useState } from "react"
import * as Instant from "../../../src/domain/Instant.ts"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { go, href } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Icon } from "../design/Icon.tsx"
import { Empty } from "../design/State.tsx"
import { useDrafts } from "../editor/Drafts.ts"
import { OrphanDraft, Rules } from "../editor/Rules.tsx"
import { useSentence } from "../editor/Sentence.ts"
import { useTexts } from "../language/Language.ts"
import { Moment } from "../time/Moment.tsx"
import { DeleteTask } from "./DeleteTask.tsx"
import { Records } from "./Records.tsx"
import { StatusMark, useStatus } from "./Status.tsx"

/** One task: what it is, its rules to edit, its records to read. */
export const TaskDetail = (props: {
  readonly id: string
  readonly tab: "rules" | "records"
  readonly task: TaskSummary | undefined
}) => {
  const { id, tab, task } = props
  const texts = useTexts()
  const kept = useDrafts().get(id)
  return (
    <>
      <BackToList view="tasks" />
      {task !== undefined ? (
        <>
          <Summary task={task} />
          <TabProvider selectedId={tab} setSelectedId={(chosen) => go({ view: "tasks", id, tab: chosen ?? "rules" })}>
            <TabList className="tabs" aria-label={texts.detail.tabs}>
              <Tab id="rules">{texts.detail.rules}</Tab>
              <Tab id="records">{texts.detail.records}</Tab>
            </TabList>
            <TabPanel unmountOnHide tabId="rules" className="tab-panel">
              <Rules task={task} />
            </TabPanel>
            <TabPanel unmountOnHide tabId="records" className="tab-panel">
              <Records task={task} />
            </TabPanel>
          </TabProvider>
        </>
      ) : kept !== undefined ? (
        <OrphanDraft id={id} kept={kept} />
      ) : (
        <Empty title={texts.tasks.missing} />
      )}
    </>
  )
}

/** On a narrow screen the list and the chosen one take turns. */
export const BackToList = ({ view }: { readonly view: "tasks" | "sessions" }) => {
  const texts = useTexts()
  return (
    <a className="back" href={href({ view })}>
      <Icon name="back" />
      {texts.nav[view]}
    </a>
  )
}

const Summary = ({ task }: { readonly task: TaskSummary }) => {
  const { lastDelivery, record, sessionId } = task
  const texts = useTexts()
  const sentence = useSentence()
  const status = useStatus(task)
  const [deleting, setDeleting] = useState(false)
  const zone = "timeZone" in record ? record.timeZone : undefined
  return (
    <header className="summary">
      <div className="summary-head">
        <h1 dir="auto">{record.title}</h1>
        <Button look="quiet" icon="trash" label={texts.deleteTask.action} onClick={() => setDeleting(true)} />
      </div>
      <p className="summary-rule">
        <StatusMark status={status} />
        <span>
          {texts.tasks.status[status]} · {sentence(record)}
        </span>
      </p>
      <dl className="facts">
        <div>
          <dt>{status === "inactive" ? texts.records.occurrence : texts.tasks.next}</dt>
          <dd>
            <Moment at={Instant.toMillis(record.scheduledAt)} zone={zone} />
          </dd>
        </div>
        <div>
          <dt>{texts.tasks.last}</dt>
          <dd>
            {lastDelivery === undefined ? (
              texts.tasks.never
            ) : (
              <Moment at={Instant.toMillis(lastDelivery.deliveredAt)} zone={zone} />
            )}
          </dd>
        </div>
        <div>
          <dt>{texts.tasks.session}</dt>
          <dd>
            <a className="wrap" dir="auto" href={href({ view: "sessions", id: sessionId })}>
              {sessionId}
            </a>
          </dd>
        </div>
      </dl>
      {deleting && <DeleteTask task={task} onClose={() => setDeleting(false)} />}
    </header>
  )
}
