import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { scheduleView } from "../../../src/domain/View.ts"
import { useTexts } from "../language/Language.ts"
import { useNow } from "../time/Clock.ts"

export type Status = "scheduled" | "overdue" | "inactive"

/** How a task stands now. */
export const useStatus = (task: TaskSummary): Status => {
  const now = useNow()
  return task.status === "inactive" ? "inactive" : scheduleView(task.record, now).state
}

/** A mark in a shape of its own, so that the status is told by more than colour. */
export const StatusMark = ({ status }: { readonly status: Status }) => {
  const texts = useTexts()
  return <i className={`status-mark ${status}`} role="img" aria-label={texts.tasks.status[status]} />
}
