import * as Instant from "../../../src/domain/Instant.ts"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { useDrafts } from "../editor/Drafts.ts"
import { useSentence } from "../editor/Sentence.ts"
import { useTexts } from "../language/Language.ts"
import { Relative } from "../time/Moment.tsx"
import { StatusMark, useStatus } from "./Status.tsx"

/** The height of a row in pixels, as the style sheet has it. */
export const rowHeight = 66

/** A task in a list: its name, when it comes next, how often, and where. */
export const TaskRow = (props: {
  readonly task: TaskSummary
  readonly href: string
  readonly current: boolean
  readonly tabIndex: number
}) => {
  const { record, sessionId } = props.task
  const texts = useTexts()
  const sentence = useSentence()
  const status = useStatus(props.task)
  const hasDraft = useDrafts().has(record.id)
  const at = Instant.toMillis(record.scheduledAt)
  return (
    <a
      className={`row ${status}`}
      href={props.href}
      tabIndex={props.tabIndex}
      aria-current={props.current ? "true" : undefined}
    >
      <StatusMark status={status} />
      <span className="row-title" dir="auto">
        {record.title}
      </span>
      <span className="row-when">
        {hasDraft && <i className="draft-mark" role="img" aria-label={texts.tasks.draft} title={texts.tasks.draft} />}
        {status === "overdue" ? texts.tasks.status.overdue : <Relative at={at} />}
      </span>
      <span className="row-rule">{sentence(record)}</span>
      <span className="row-session" dir="auto">
        {sessionId}
      </span>
    </a>
  )
}
