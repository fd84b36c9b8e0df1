import { readFileSync, watch } from "node:fs"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { RpcClient } from "@effect/rpc"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { SessionId } from "../../../src/domain/Identifiers.ts"
import * as Instant from "../../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import * as RemoteClient from "../../../src/remote/RemoteClient.ts"
import * as RpcLines from "../../../src/remote/RpcLines.ts"
import { ScheduleClient } from "../../../src/remote/ScheduleClient.ts"
import { rpcPath } from "../../../src/web/Paths.ts"
import type { Host, TestHome } from "../Command.ts"

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

/** A client of a running Host. It does not come back: once the Host is gone, every call fails. */
export const connect = async (home: TestHome, host: Host) => {
  const { url } = await host.ready
  const token = readFileSync(home.path("token"), "utf8").trim()
  return ManagedRuntime.make(
    RemoteClient.layer.pipe(
      Layer.provide(
        RpcClient.layerProtocolHttp({
          url: url + rpcPath,
          transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
        })
      ),
      Layer.provide([FetchHttpClient.layer, RpcLines.layerClient])
    )
  )
}

/** A Host under a client that keeps it busy, killed again and again; and all that the client knows. */
export class Chaos {
  readonly tasks: Array<Known> = []
  readonly problems: Array<string> = []
  readonly sessions: ReadonlyArray<string>
  kills = 0
  inactiveRemovals = 0
  private readonly home: TestHome
  private readonly random: () => number
  private readonly targets = new Map<string, string>()

  constructor(home: TestHome, sessions: ReadonlyArray<string>, seed: number) {
    this.home = home
    this.sessions = sessions
    this.random = mulberry32(seed)
  }

  /** Starts a Host, works on it for a random while, and kills it. */
  async round(storage: "sqlite" | "json"): Promise<void> {
    const host = await this.home.serve("--storage", storage)
    const client = await connect(this.home, host)
    const working = client.runPromise(this.work)
    await this.momentToKill()
    await host.stop("SIGKILL")
    this.kills++
    await working
    await client.dispose()
  }

  /** Any time; and every other time right when a Session's log grows, between a message and its receipt. */
  private async momentToKill(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 20 + this.random() * 700))
    if (this.random() < 0.5) return
    const patience = AbortSignal.timeout(1_000)
    await new Promise<void>((resolve) => {
      const watcher = watch(this.home.path("sessions"), { recursive: true, signal: patience })
      watcher.once("change", () => watcher.close())
      watcher.once("error", () => resolve())
      watcher.once("close", () => resolve())
    })
  }

  /** Starts a Host once more, lets it deliver what is due, and stops it in order. */
  async settle(storage: "sqlite" | "json"): Promise<void> {
    const host = await this.home.serve("--storage", storage)
    const client = await connect(this.home, host)
    await client.runPromise(
      Effect.gen(this, function* () {
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
    )
    await client.dispose()
    const { code, stderr } = await host.stop("SIGTERM")
    if (code !== 0) this.problems.push(`the last Host ended with ${code}: ${stderr}`)
  }

  /** Four callers at once, until the Host is gone. */
  private get work() {
    const caller = Effect.forever(Effect.suspend(() => this.step()))
    return Effect.all(
      [1, 2, 3, 4].map(() => Effect.ignore(caller)),
      { concurrency: "unbounded" }
    )
  }

  private step(): Effect.Effect<void, unknown, ScheduleClient> {
    const dice = this.random()
    if (dice < 0.55) return this.create()
    if (dice < 0.7) return this.retime()
    if (dice < 0.8) return this.reword()
    if (dice < 0.9) return this.delete()
    if (dice < 0.92) return this.deleteInactive()
    return this.look()
  }

  private create() {
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
      this.see(record)
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

  private look() {
    return Effect.flatMap(ScheduleClient, ({ catalog }) =>
      Effect.map(catalog(), (tasks) => {
        for (const { record } of tasks) this.see(record)
      })
    )
  }

  /** Rule 5: the target of a task that nobody moved only goes forward. */
  see(record: ScheduleRecord): void {
    const known = this.tasks.find(({ title }) => title === record.title)
    if (known === undefined || known.retimed > 0) return
    const before = this.targets.get(record.title)
    if (before !== undefined && record.scheduledAt < before) {
      this.problems.push(`rule 5: ${record.title} went from ${before} back to ${record.scheduledAt}`)
    }
    this.targets.set(record.title, record.scheduledAt)
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

  private pick<A>(from: ReadonlyArray<A>): A {
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
