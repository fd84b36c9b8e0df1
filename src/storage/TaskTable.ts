/**
 * The table `tasks` in memory, with its indexes: what the memory and json backends work on, and the plainest statement of what
 * every backend does.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as History from "../domain/History.ts"
import type { Instant } from "../domain/Instant.ts"
import { isOneShot, type ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { HistoryBounds, ScheduleTask, TaskStatus, TaskSummary } from "../domain/ScheduleTask.ts"
import type { CatalogQuery, DeliveryCommit } from "./ScheduleDriver.ts"
import { SortedRows } from "./SortedRows.ts"

/**
 * What one write does to the table: rows to store, and under `undefined` rows to remove.
 *
 * @since 0.1.0
 * @category models
 */
export type Change = ReadonlyMap<string, ScheduleTask | undefined>

/**
 * A mutable table. A write is computed as a {@link Change} first, so that it can be made durable before `apply` publishes it.
 *
 * @since 0.1.0
 * @category models
 */
export class TaskTable {
  private readonly entries = new Map<string, Entry>()
  private readonly catalogs: Readonly<Record<TaskStatus, SortedRows<Entry>>>
  private readonly sessions: Map<string, SortedRows<Entry>>
  private nextSequence: number

  /** A table of rows in creation order, each with an id of its own. */
  constructor(rows: ReadonlyArray<ScheduleTask> = []) {
    const entries = rows.map((task, sequence): Entry => ({ sequence, task: freeze(task) }))
    const of = (status: TaskStatus) => entries.filter((entry) => statusOf(entry) === status)
    const bySession = new Map<string, Array<Entry>>()
    for (const entry of of("active")) {
      const { sessionId } = entry.task
      const others = bySession.get(sessionId)
      if (others === undefined) bySession.set(sessionId, [entry])
      else others.push(entry)
    }
    for (const entry of entries) this.entries.set(idOf(entry), entry)
    this.catalogs = {
      active: new SortedRows(byTargetThenId, of("active")),
      inactive: new SortedRows(byTargetThenId, of("inactive"))
    }
    this.sessions = new Map([...bySession].map(([id, of]) => [id, new SortedRows(byTargetThenSequence, of)]))
    this.nextSequence = rows.length
  }

  /** Every row in creation order. */
  *rows(): IterableIterator<readonly [id: string, task: ScheduleTask]> {
    for (const [id, { task }] of this.entries) yield [id, task]
  }

  /** The rows as they will be once a change is applied. */
  *rowsAfter(change: Change): IterableIterator<readonly [id: string, task: ScheduleTask]> {
    for (const [id, { task }] of this.entries) {
      const changed = change.has(id) ? change.get(id) : task
      if (changed !== undefined) yield [id, changed]
    }
    for (const [id, task] of change) if (task !== undefined && !this.entries.has(id)) yield [id, task]
  }

  apply(change: Change): void {
    for (const [id, task] of change) {
      const old = this.entries.get(id)
      if (old !== undefined) this.unindex(old)
      if (task === undefined) this.entries.delete(id)
      else {
        const entry = { sequence: old?.sequence ?? this.nextSequence++, task }
        this.entries.set(id, entry)
        this.index(entry)
      }
    }
  }

  get(id: string): Option.Option<TaskSummary> {
    return Option.map(Option.fromNullable(this.entries.get(id)), summary)
  }

  activeOf(sessionId: string): ReadonlyArray<TaskSummary> {
    return this.due(sessionId).toSorted(bySequence).map(summary)
  }

  catalogPage({ after, limit, status }: CatalogQuery): ReadonlyArray<TaskSummary> {
    const before = (entry: Entry) => after !== undefined && compareToCursor(entry, after) <= 0
    const page = (status === undefined ? statuses : [status]).flatMap((of) => this.catalogs[of].from(before, limit))
    return page.sort(byTargetThenId).slice(0, limit).map(summary)
  }

  dueSessions(until: Instant): ReadonlyArray<string> {
    return [...new Set(this.catalogs.active.prefix(isDueAt(until)).map(({ task }) => task.sessionId))]
  }

  dueOf(sessionId: string, until: Instant, limit: number): ReadonlyArray<TaskSummary> {
    const due = this.due(sessionId, until).map(summary)
    const oneShots = due.filter(({ record }) => isOneShot(record))
    return oneShots.length < limit
      ? [...oneShots, ...due.filter(({ record }) => !isOneShot(record))]
      : oneShots.slice(0, limit)
  }

  earliestTarget(after: Option.Option<Instant>): Option.Option<Instant> {
    const isBefore = Option.match(after, { onNone: () => () => false, onSome: isDueAt })
    return Option.map(Option.fromNullable(this.catalogs.active.from(isBefore, 1)[0]), targetOf)
  }

  historyPage(id: string, query: History.HistoryQuery): Option.Option<History.HistoryPage> {
    return History.page(this.task(id), query)
  }

  counts(): Readonly<Record<TaskStatus, number>> {
    return { active: this.catalogs.active.size, inactive: this.catalogs.inactive.size }
  }

  put(tasks: ReadonlyArray<ScheduleTask>): Change {
    return new Map(tasks.map((task) => [task.record.id, sealed(task)]))
  }

  replaceRecord(record: ScheduleRecord): Change {
    return this.put([{ ...this.task(record.id), record }])
  }

  commit(deliveries: ReadonlyArray<DeliveryCommit>, bounds: HistoryBounds): Change {
    const change = new Map<string, ScheduleTask>()
    for (const delivery of deliveries) {
      change.set(delivery.id, sealed(deliver(change.get(delivery.id) ?? this.task(delivery.id), delivery, bounds)))
    }
    return change
  }

  remove(id: string): Change {
    return this.removal(this.entries.has(id) ? [id] : [])
  }

  removeActiveOf(sessionId: string): Change {
    return this.removal(this.due(sessionId).map(idOf))
  }

  removeInactive(): Change {
    return this.removal(this.catalogs.inactive.from(() => false).map(idOf))
  }

  private task(id: string): ScheduleTask {
    const entry = this.entries.get(id)
    if (entry === undefined) throw new Error(`there is no task ${id}`)
    return entry.task
  }

  private due(sessionId: string, until?: Instant): ReadonlyArray<Entry> {
    return this.sessions.get(sessionId)?.prefix(until === undefined ? () => true : isDueAt(until)) ?? []
  }

  private removal(ids: ReadonlyArray<string>): Change {
    return new Map(ids.map((id) => [id, undefined]))
  }

  private index(entry: Entry): void {
    const { sessionId } = entry.task
    this.catalogs[statusOf(entry)].add(entry)
    if (statusOf(entry) === "inactive") return
    const active = this.sessions.get(sessionId) ?? new SortedRows(byTargetThenSequence)
    active.add(entry)
    this.sessions.set(sessionId, active)
  }

  private unindex(entry: Entry): void {
    const { sessionId } = entry.task
    this.catalogs[statusOf(entry)].delete(entry)
    const active = this.sessions.get(sessionId)
    active?.delete(entry)
    if (active?.size === 0) this.sessions.delete(sessionId)
  }
}

/**
 * A row with a delivery committed: its receipt, its history append pruned to `bounds`, and its next target or its end.
 *
 * @since 0.1.0
 * @category operations
 */
export const deliver = (task: ScheduleTask, delivery: DeliveryCommit, bounds: HistoryBounds): ScheduleTask => {
  const sent = { ...task, record: { ...task.record, prompt: delivery.prompt } }
  const scheduledAt = Option.getOrElse(delivery.next, () => delivery.receipt.scheduledAt)
  return {
    ...History.appendDelivery(sent, delivery.receipt, bounds),
    record: { ...task.record, scheduledAt },
    ...(Option.isNone(delivery.next) && { status: "inactive" as const })
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Entry {
  /** Where the row stands in creation order; replacing it keeps its place. */
  readonly sequence: number
  readonly task: ScheduleTask
}

const statuses = ["active", "inactive"] as const

const idOf = ({ task }: Entry) => task.record.id
const targetOf = ({ task }: Entry) => task.record.scheduledAt
const statusOf = ({ task }: Entry): TaskStatus => task.status ?? "active"

const summary = ({ task: { lastDelivery, record, sessionId, status = "active" } }: Entry): TaskSummary => ({
  sessionId,
  record,
  status,
  ...(lastDelivery && { lastDelivery })
})

// Canonical instants and ids are ASCII: comparing text compares them in time and as the databases do.
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const bySequence = (a: Entry, b: Entry) => a.sequence - b.sequence
const compareToCursor = (entry: Entry, { id, scheduledAt }: NonNullable<CatalogQuery["after"]>) =>
  compareText(targetOf(entry), scheduledAt) || compareText(idOf(entry), id)
const byTargetThenId = (a: Entry, b: Entry) => compareToCursor(a, b.task.record)
const byTargetThenSequence = (a: Entry, b: Entry) => compareText(targetOf(a), targetOf(b)) || bySequence(a, b)
const isDueAt = (until: Instant) => (entry: Entry) => targetOf(entry) <= until

/** A copy that shares nothing with the caller and cannot be changed, as if it had been written and read. */
const sealed = (task: ScheduleTask): ScheduleTask => freeze(JSON.parse(JSON.stringify(task)))

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}
