import { Effect } from "effect"
import type { SessionId } from "../../../src/domain/Identifiers.ts"
import * as Instant from "../../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import { ScheduleClient } from "../../../src/remote/ScheduleClient.ts"

/**
 * What is known of a task from the answers that a client got. A call whose Host was killed before it answered leaves the
 * outcome open.
 */
export interface Known {
  readonly title: string
  readonly session: string
  readonly oneShot: boolean
  /** Undefined while the answer to its creation is open. */
  record: ScheduleRecord | undefined
  /** How many changes of its timing were asked for, and whether one of its prompt is open. */
  retimed: number
  prompt: string | undefined
  deleted: "no" | "asked" | "yes"
}

/** What clients do to reminders, chosen at random, and all that they know of them. */
export class Workload {
  readonly tasks: Array<Known> = []
  readonly problems: Array<string> = []
  readonly sessions: ReadonlyArray<string>
  inactiveRemovals = 0
  readonly random: () => number
  private readonly targets = new Map<string, Map<number, string>>()

  constructor(sessions: ReadonlyArray<string>, seed: number) {
    this.sessions = sessions
    this.random = mulberry32(seed)
  }

  /** One call, or none; of one caller, who makes his calls one after the other. */
  step(caller = 0): Effect.Effect<void, unknown, ScheduleClient> {
    const dice = this.random()
    if (dice < 0.55) return this.create(caller)
    if (dice < 0.7) return this.retime()
    if (dice < 0.8) return this.reword()
    if (dice < 0.9) return this.delete()
    if (dice < 0.92) return this.deleteInactive()
    return this.look(caller)
  }

  /** Waits until nothing is overdue, for a while. */
  get delivered(): Effect.Effect<void, unknown, ScheduleClient> {
    return Effect.gen(this, function* () {
      const { catalog } = yield* ScheduleClient
      const overdue = Effect.map(catalog(), (tasks) => {
        const now = Instant.format(Date.now())
        return tasks.filter(({ record, status }) => status === "active" && record.scheduledAt <= now)
      })
      for (let attempt = 0; attempt < 200; attempt++) {
        if ((yield* overdue).length === 0) return
        yield* Effect.sleep("100 millis")
      }
      this.problems.push(`still overdue: ${(yield* overdue).map(({ record }) => record.title).join(" ")}`)
    })
  }

  private create(caller: number) {
    return Effect.gen(this, function* () {
      const { create } = yield* ScheduleClient
      const session = this.pick(this.sessions)
      const [oneShot, selector] = this.selector()
      const title = `task-${this.tasks.length}`
      const known: Known = {
        title,
        session,
        oneShot,
        record: undefined,
        retimed: 0,
        prompt: `prompt of ${title}`,
        deleted: "no"
      }
      this.tasks.push(known)
      const record = yield* create(session as SessionId, { title, prompt: known.prompt, ...selector })
      known.record = record
      this.see(record, caller)
    })
  }

  private retime() {
    return this.edit((known) => {
      known.retimed++
      const at = Date.now() + 50 + this.random() * 1_500
      return known.oneShot
        ? { change: { kind: "at", at: Instant.format(Math.floor(at)) } }
        : { change: { kind: "every", every_seconds: 60 + Math.floor(this.random() * 1_000) } }
    })
  }

  private reword() {
    return this.edit((known) => {
      const prompt = `reworded ${Math.floor(this.random() * 1e9)}`
      known.prompt = undefined
      return { prompt }
    })
  }

  private edit(change: (known: Known) => { readonly prompt?: string; readonly change?: object }) {
    return Effect.gen(this, function* () {
      const { list, update } = yield* ScheduleClient
      const known = this.pickKnown()
      if (known?.record === undefined) return
      const { id } = known.record
      const sessionId = known.session as SessionId
      const expected = (yield* list({ sessionId })).find((record) => record.id === id)
      if (expected === undefined) return
      const request = change(known)
      const answer = yield* update({ sessionId, id, expected, ...request })
      if ("record" in answer) known.prompt = answer.record.prompt
    })
  }

  private delete() {
    return Effect.gen(this, function* () {
      const { delete: remove } = yield* ScheduleClient
      const known = this.pickKnown()
      if (known?.record === undefined || known.deleted === "yes") return
      known.deleted = "asked"
      yield* remove({ sessionId: known.session as SessionId, id: known.record.id })
      known.deleted = "yes"
    })
  }

  private deleteInactive() {
    return Effect.gen(this, function* () {
      const { deleteInactive } = yield* ScheduleClient
      this.inactiveRemovals++
      yield* deleteInactive()
    })
  }

  private look(caller: number) {
    return Effect.flatMap(ScheduleClient, ({ catalog }) =>
      Effect.map(catalog(), (tasks) => {
        for (const { record } of tasks) this.see(record, caller)
      })
    )
  }

  /**
   * Rule 5: the target of a task that nobody moved only goes forward, as each caller sees it, and at the end for all. Answers to
   * different callers may cross each other.
   */
  see(record: ScheduleRecord, caller?: number): void {
    const known = this.tasks.find(({ title }) => title === record.title)
    if (known === undefined || known.retimed > 0) return
    const targets = this.targets.get(record.title) ?? new Map<number, string>()
    this.targets.set(record.title, targets)
    for (const before of caller === undefined ? targets.values() : [targets.get(caller) ?? ""]) {
      if (record.scheduledAt < before) {
        this.problems.push(`rule 5: ${record.title} went from ${before} back to ${record.scheduledAt}`)
      }
    }
    if (caller !== undefined) targets.set(caller, record.scheduledAt)
  }

  private selector(): readonly [oneShot: boolean, selector: object] {
    const soon = Math.floor(Date.now() + 20 + this.random() * 1_500)
    const time = Instant.format(soon).slice(11, 23)
    const dice = this.random()
    if (dice < 0.4) return [true, { at: Instant.format(soon) }]
    if (dice < 0.5) return [true, { after_seconds: 1 }]
    if (dice < 0.75) return [false, { daily: { time, time_zone: "UTC" } }]
    if (dice < 0.9) return [false, { weekly: { time, time_zone: "UTC", weekdays: [1, 2, 3, 4, 5, 6, 7] } }]
    if (dice < 0.95) return [false, { every_seconds: 60 }]
    return [false, { cron: { expression: "* * * * *", time_zone: "UTC" } }]
  }

  pick<A>(from: ReadonlyArray<A>): A {
    return from[Math.floor(this.random() * from.length)]!
  }

  private pickKnown(): Known | undefined {
    const recent = this.tasks.slice(-40)
    return recent.length === 0 ? undefined : this.pick(recent)
  }
}

const mulberry32 = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
