/**
 * What the service is supposed to do, in the plainest terms: arithmetic on numbers, no queue, no fibers.
 */

/** A rule in milliseconds: once, at a fixed rate, or at a time of every UTC day. */
export type Rule =
  | { readonly kind: "once" }
  | { readonly kind: "every"; readonly interval: number }
  | { readonly kind: "daily"; readonly time: number }

export interface Task {
  readonly name: string
  readonly session: string
  readonly sequence: number
  rule: Rule
  target: number
  active: boolean
  /** The occurrences with a receipt, oldest first, each with its message. */
  receipts: Array<readonly [occurrence: number, message: number]>
}

/** The keys of one message, `name@occurrence`. */
export type Message = ReadonlyArray<string>

export const day = 86_400_000

export class ScheduleModel {
  readonly tasks: Array<Task> = []
  readonly inboxes = new Map<string, Array<Message>>()
  readonly brokenAgents = new Set<string>()
  readonly brokenDisks = new Set<string>()
  storeFails = false
  readonly maxSleep: number
  /** How many receipts of a task are remembered. */
  private readonly kept: number
  now = 0
  /** Time that naps notice, while `now` also jumps. */
  private elapsed = 0
  private drivenTo = Number.NEGATIVE_INFINITY
  private armed = Number.POSITIVE_INFINITY
  private napEnd = Number.POSITIVE_INFINITY
  private created = 0

  constructor(maxSleep: number, kept: number) {
    this.maxSleep = maxSleep
    this.kept = kept
  }

  firstTarget(rule: Rule, delay: number): number {
    if (rule.kind === "once") return this.now + delay
    if (rule.kind === "every") return this.now + rule.interval
    const today = Math.floor(this.now / day) * day + rule.time
    return today > this.now ? today : today + day
  }

  create(name: string, session: string, rule: Rule, delay: number): void {
    const target = this.firstTarget(rule, delay)
    this.tasks.push({ name, session, sequence: this.created++, rule, target, active: true, receipts: [] })
    this.drive()
  }

  retime(task: Task, rule: Rule, delay: number): void {
    const same =
      (rule.kind === "every" && task.rule.kind === "every" && rule.interval === task.rule.interval) ||
      (rule.kind === "daily" && task.rule.kind === "daily" && rule.time === task.rule.time) ||
      (rule.kind === "once" && task.rule.kind === "once" && this.now + delay === task.target)
    if (same) return
    task.target = this.firstTarget(rule, delay)
    task.rule = rule
    this.drive()
  }

  remove(task: Task): void {
    this.tasks.splice(this.tasks.indexOf(task), 1)
    this.drive()
  }

  removeInactive(): number {
    const kept = this.tasks.filter(({ active }) => active)
    return this.tasks.splice(0, this.tasks.length, ...kept).length - kept.length
  }

  restart(): void {
    this.drivenTo = Number.NEGATIVE_INFINITY
    this.drive()
  }

  drive(): void {
    this.cycle(true)
  }

  jump(millis: number): void {
    this.now += millis
  }

  advance(millis: number): void {
    const end = this.elapsed + millis
    while (this.napEnd <= end) {
      this.now += this.napEnd - this.elapsed
      this.elapsed = this.napEnd
      if (this.now >= this.armed) this.cycle(false)
      else this.nap()
    }
    this.now += end - this.elapsed
    this.elapsed = end
  }

  private nap(): void {
    this.napEnd =
      this.armed === Number.POSITIVE_INFINITY
        ? Number.POSITIVE_INFINITY
        : this.elapsed + Math.min(this.armed - this.now, this.maxSleep)
  }

  private cycle(requested: boolean): void {
    this.drivenTo = Math.min(this.drivenTo, this.now)
    if (requested || this.earliestAfter(this.drivenTo) <= this.now) {
      this.drivenTo = this.now
      for (const session of new Set(this.tasks.map((task) => task.session))) this.deliver(session)
    }
    this.armed = this.earliestAfter(this.drivenTo)
    this.nap()
  }

  private earliestAfter(instant: number): number {
    return Math.min(
      ...this.tasks.filter(({ active, target }) => active && target > instant).map(({ target }) => target)
    )
  }

  private deliver(session: string): void {
    const due = this.tasks
      .filter((task) => task.active && task.session === session && task.target <= this.now)
      .sort((a, b) => a.target - b.target || a.sequence - b.sequence)
    if (due.length === 0 || this.brokenAgents.has(session)) return
    const inbox = this.inboxes.get(session) ?? []
    this.inboxes.set(session, inbox)
    const delivered: Array<readonly [Task, number, number]> = []
    const send = (tasks: ReadonlyArray<Task>) => {
      const fresh: Array<string> = []
      for (const task of tasks) {
        const occurrence = latest(task, this.now)
        const key = `${task.name}@${occurrence}`
        const found =
          (task.receipts.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY) < occurrence
            ? inbox.findLastIndex((keys) => keys.includes(key))
            : -1
        const held = task.receipts.slice(-this.kept).some(([, message]) => message === found) ? -1 : found
        if (held === -1) fresh.push(key)
        delivered.push([task, occurrence, held])
      }
      if (fresh.length > 0) inbox.push(fresh)
    }
    for (const task of due) if (task.rule.kind === "once") send([task])
    send(due.filter(({ rule }) => rule.kind !== "once"))
    if (this.brokenDisks.has(session) || this.storeFails) return
    for (const [task, occurrence, held] of delivered) {
      const key = `${task.name}@${occurrence}`
      task.receipts.push([occurrence, held === -1 ? inbox.findLastIndex((keys) => keys.includes(key)) : held])
      if (task.rule.kind === "once") task.active = false
      else task.target = nextAfter(task, occurrence, this.now)
    }
  }
}

/** The latest occurrence at or before now, walked one by one from the committed target. */
const latest = (task: Task, now: number): number => {
  let occurrence = task.target
  while (task.rule.kind !== "once" && occurrence + step(task.rule) <= now) occurrence += step(task.rule)
  return occurrence
}

const nextAfter = (task: Task, occurrence: number, now: number): number => {
  let next = occurrence
  while (next <= now && task.rule.kind !== "once") next += step(task.rule)
  return next
}

const step = (rule: Exclude<Rule, { kind: "once" }>): number => (rule.kind === "every" ? rule.interval : day)
