/** What a domain answers, worked out the slowest and plainest way from the list of its rows in creation order. */
import { Option, Order } from "effect"
import * as History from "../../src/domain/History.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import type { HistoryBounds, ScheduleTask, TaskStatus, TaskSummary } from "../../src/domain/ScheduleTask.ts"
import type { CatalogQuery, DeliveryCommit } from "../../src/storage/ScheduleDomain.ts"

export type Rows = ReadonlyArray<ScheduleTask>

export const summary = ({ lastDelivery, record, sessionId, status }: ScheduleTask): TaskSummary => ({
  sessionId,
  record,
  status: status ?? "active",
  ...(lastDelivery && { lastDelivery })
})

const isActive = (task: ScheduleTask) => task.status !== "inactive"
const byTarget = Order.mapInput(Order.string, (task: ScheduleTask) => task.record.scheduledAt as string)
const byId = Order.mapInput(Order.string, (task: ScheduleTask) => task.record.id as string)

export const get = (rows: Rows, id: string) => rows.filter((task) => task.record.id === id).map(summary)[0]
export const activeOf = (rows: Rows, session: string) =>
  rows.filter((task) => isActive(task) && task.sessionId === session).map(summary)
export const dueOf = (rows: Rows, session: string, until: string, limit: number) => {
  const due = rows
    .filter((task) => isActive(task) && task.sessionId === session && task.record.scheduledAt <= until)
    .toSorted(byTarget)
    .map(summary)
  const oneShots = due.filter(({ record }) => record.kind === "after" || record.kind === "at")
  const recurring = due.filter((task) => !oneShots.includes(task))
  return oneShots.length < limit ? [...oneShots, ...recurring] : oneShots.slice(0, limit)
}
export const dueSessions = (rows: Rows, until: string) => [
  ...new Set(
    rows
      .filter((task) => isActive(task) && task.record.scheduledAt <= until)
      .toSorted(byTarget)
      .map((task) => task.sessionId)
  )
]
export const catalog = (rows: Rows, query?: CatalogQuery) =>
  rows
    .toSorted(Order.combine(byTarget, byId))
    .map(summary)
    .filter(({ record, status }) => {
      const { after } = query ?? {}
      if (query?.status !== undefined && status !== query.status) return false
      if (after === undefined || record.scheduledAt > after.scheduledAt) return true
      return record.scheduledAt === after.scheduledAt && record.id > after.id
    })
    .slice(0, query?.limit)
export const earliestTarget = (rows: Rows, after?: string) =>
  rows
    .filter((task) => isActive(task) && (after === undefined || task.record.scheduledAt > after))
    .toSorted(byTarget)
    .map((task) => task.record.scheduledAt)[0]
export const counts = (rows: Rows): Record<TaskStatus, number> => ({
  active: rows.filter(isActive).length,
  inactive: rows.filter((task) => !isActive(task)).length
})
export const historyPage = (rows: Rows, id: string, query: History.HistoryQuery) =>
  History.page(rows.find((task) => task.record.id === id)!, query)

export const put = (rows: Rows, tasks: Rows): Rows =>
  tasks.reduce(
    (rows, task) =>
      get(rows, task.record.id) === undefined
        ? rows.concat(task)
        : rows.map((old) => (old.record.id === task.record.id ? task : old)),
    rows
  )
export const replaceRecord = (rows: Rows, record: ScheduleRecord): Rows =>
  rows.map((task) => (task.record.id === record.id ? { ...task, record } : task))
export const commit = (rows: Rows, deliveries: ReadonlyArray<DeliveryCommit>, bounds: HistoryBounds): Rows =>
  deliveries.reduce(
    (rows, { id, next, prompt, receipt }) =>
      rows.map((task) => {
        if (task.record.id !== id) return task
        const sent = { ...task, record: { ...task.record, prompt } }
        const scheduledAt = Option.getOrElse(next, () => receipt.scheduledAt)
        const row = { ...History.appendDelivery(sent, receipt, bounds), record: { ...task.record, scheduledAt } }
        return Option.isSome(next) ? row : { ...row, status: "inactive" }
      }),
    rows
  )
export const remove = (rows: Rows, id: string): Rows => rows.filter((task) => task.record.id !== id)
export const removeActiveOf = (rows: Rows, session: string): Rows =>
  rows.filter((task) => !isActive(task) || task.sessionId !== session)
export const removeInactive = (rows: Rows): Rows => rows.filter(isActive)
