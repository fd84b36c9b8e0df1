import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Chunk, Context, Deferred, Effect, Layer, Option, Queue, TestClock } from "effect"
import type * as SessionLocalOwner from "../../src/legacy/SessionLocalOwner.ts"
import * as SessionLocalSchedule from "../../src/legacy/SessionLocalSchedule.ts"
import type { Agent } from "../../src/session/Agent.ts"
import type { AgentDriver } from "../../src/session/AgentDriver.ts"
import * as Disk from "../../src/session/Disk.ts"
import { SessionController } from "../../src/session/SessionController.ts"
import type { SessionEvent, UserMessage } from "../../src/session/SessionEvent.ts"
import * as SessionFiles from "../../src/session/SessionFiles.ts"
import { WorkspaceRegistry } from "../../src/session/WorkspaceRegistry.ts"
import { realDisk, temporaryDirectory } from "../session/TempLog.ts"
import { sessionId, start } from "../session/TestSessions.ts"

export const one = sessionId("one")
export const begin = Date.UTC(2030, 0, 1)
export const iso = (seconds: number) => new Date(begin + seconds * 1000).toISOString()

/** Which occurrences a message carries, as `id@instant`. */
export const occurrences = (text: string): ReadonlyArray<string> => {
  const batch = /^reminders_json: (.*)$/m.exec(text)?.[1]
  if (batch !== undefined) {
    const members: ReadonlyArray<{ schedule_id: string; occurrence_at: string }> = JSON.parse(batch)
    return members.map(({ schedule_id, occurrence_at }) => `${schedule_id}@${occurrence_at}`)
  }
  const id: string = JSON.parse(/^schedule_id_json: (.*)$/m.exec(text)?.[1] ?? '""')
  return [`${id}@${/^occurrence_at: (.*)$/m.exec(text)?.[1]}`]
}

/** How many syncs the disk has begun and not ended. */
let syncing = 0

/**
 * Waits until the owner sleeps beside the sweep of idle Agents, or for a while when it waits for something else than the disk,
 * which may take its time.
 */
export const settled = Effect.gen(function* () {
  for (let turn = 0; turn < 300; turn = syncing > 0 ? 0 : turn + 1) {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    if (turn > 10 && Chunk.size(yield* TestClock.sleeps()) >= 2) return
  }
})

export const advance = (seconds: number) =>
  settled.pipe(Effect.zipRight(TestClock.adjust(Math.round(seconds * 1000))), Effect.zipRight(settled))

/** Lets the disk work until a condition holds. */
export const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  condition.pipe(
    Effect.zipLeft(Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
    Effect.repeat({ until: (holds) => holds })
  )

/** Whether {@link live} mounts an owner. */
export class Mounting extends Context.Reference<Mounting>()("test/Mounting", { defaultValue: () => true }) {}

export const mounted = (sessions: SessionController["Type"], workspace: WorkspaceRegistry["Type"]) =>
  SessionLocalSchedule.layer.pipe(
    Layer.provide(Layer.succeed(SessionController, sessions)),
    Layer.provide(Layer.succeed(WorkspaceRegistry, workspace)),
    Layer.build,
    Effect.map(Context.get(SessionLocalSchedule.SessionLocalSchedule))
  )

/** An Agent that flushes when it may: `hold` stops the next flush until what it answers is done. */
export const holding = (agent: Agent) => {
  let held: Deferred.Deferred<void> | undefined
  const flush = Effect.suspend(() => {
    const gate = held
    held = undefined
    return gate === undefined ? agent.flush : Effect.zipRight(Deferred.await(gate), agent.flush)
  })
  const hold = Effect.tap(Deferred.make<void>(), (gate) => {
    held = gate
  })
  return { agent: { ...agent, flush }, hold }
}

/** Session `one`, live, on a clock that begins with 2030, over a disk that can be broken. */
export const live = (options: { readonly driver?: Layer.Layer<AgentDriver>; readonly home?: string } = {}) =>
  Effect.gen(function* () {
    const disk = yield* breakableDisk
    const home = options.home ?? (yield* temporaryDirectory)
    const { sessions, workspace } = yield* start(home, {
      disk: disk.layer,
      ...(options.driver && { driver: options.driver })
    })
    const ownerOf = (yield* Mounting) ? (yield* mounted(sessions, workspace)).owner : () => Effect.succeedNone
    if ((yield* sessions.list).sessions.length === 0) {
      yield* TestClock.setTime(begin)
      yield* sessions.create({ id: one })
    }
    const agent: Agent = yield* sessions.resolveAgent(one)
    const queue = yield* Queue.unbounded<UserMessage>()
    yield* agent.onAppend((event: SessionEvent) => {
      if (event.type === "message/user") queue.unsafeOffer(event.data as UserMessage)
    })
    const mine = yield* ownerOf(one)
    return {
      sessions,
      workspace,
      /** What of the Session's log is on disk. */
      stored: () => readFileSync(SessionFiles.logPath(join(home, "sessions"), one), "utf8"),
      agent,
      disk,
      ownerOf,
      owner: Option.getOrElse(mine, (): SessionLocalOwner.SessionLocalOwner => Object.create(null)),
      /** The next message that is queued, once it is. */
      next: Queue.take(queue),
      messages: Queue.size(queue),
      changes: Effect.map(agent.events(["schedule/change"]), (events) =>
        events.map(({ data }) => data as { readonly operation: string })
      )
    }
  })

const breakableDisk = Effect.map(realDisk, (real) => {
  const state = {
    broken: false,
    /** How many more syncs go well before the disk breaks. */
    breakAfter: Number.POSITIVE_INFINITY,
    /** Set, it takes the syncs, which go on when they are called. */
    held: undefined as Array<() => void> | undefined,
    layer: Layer.succeed(Disk.Disk, {
      ...real,
      sync: (file, done) => {
        if (state.breakAfter-- <= 0) {
          state.broken = true
          state.breakAfter = Number.POSITIVE_INFINITY
        }
        const sync = () => {
          syncing++
          real.sync(file, (error) => {
            syncing--
            done(error)
          })
        }
        if (state.broken) done(new Error("EIO"))
        else if (state.held === undefined) sync()
        else state.held.push(sync)
      }
    })
  }
  return state
})
