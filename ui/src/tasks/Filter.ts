/** Which tasks the list shows. */
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"

export const statuses = ["all", "active", "inactive"] as const

export type StatusFilter = (typeof statuses)[number]

export interface Filter {
  readonly search: string
  readonly status: StatusFilter
}

export const everything: Filter = { search: "", status: "all" }

/** The tasks that match: every word of the search is in the title, the prompt or the Session's id, whatever its case. */
export const apply = (tasks: ReadonlyArray<TaskSummary>, { search, status }: Filter): ReadonlyArray<TaskSummary> => {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && status === "all") return tasks
  return tasks.filter((task) => {
    if (status !== "all" && task.status !== status) return false
    if (words.length === 0) return true
    const text = `${task.record.title}\n${task.record.prompt}\n${task.sessionId}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** How many tasks there are of each status. */
export const counts = (tasks: ReadonlyArray<TaskSummary>): { readonly [status in StatusFilter]: number } => {
  const active = tasks.reduce((n, task) => n + (task.status === "active" ? 1 : 0), 0)
  return { all: tasks.length, active, inactive: tasks.length - active }
}
