/**
 * The Session controller over logs on this machine's disk.
 *
 * @since 0.1.0
 */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Agent } from "./Agent.ts"
import { AgentDriver } from "./AgentDriver.ts"
import * as Disk from "./Disk.ts"
import * as LiveAgent from "./LiveAgent.ts"
import * as LiveSessions from "./LiveSessions.ts"
import * as LogClaim from "./LogClaim.ts"
import * as LogFiles from "./LogFiles.ts"
import * as LogReader from "./LogReader.ts"
import * as NewSessionHeader from "./NewSessionHeader.ts"
import * as SessionContents from "./SessionContents.ts"
import { type NewSession, type OpenObserver, SessionController } from "./SessionController.ts"
import {
  DelegatedChild,
  SessionActive,
  type SessionCorrupt,
  type SessionError,
  SessionExists,
  SessionInvalid,
  SessionIoError,
  SessionIsArchived,
  SessionNotFound
} from "./SessionError.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import * as SessionFiles from "./SessionFiles.ts"
import type { SessionId } from "./SessionHeader.ts"
import * as SessionLog from "./SessionLog.ts"
import { segment } from "./SessionPath.ts"
import { SessionState } from "./SessionState.ts"
import * as SessionSummary from "./SessionSummary.ts"
import * as Summaries from "./Summaries.ts"
import { WorkspaceRegistry } from "./WorkspaceRegistry.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The home directory: logs are under `sessions/`, what is remembered of them in `workspace.json`. */
  readonly home: string
  /** The directory of the logs, if it is another. */
  readonly root?: string | undefined
  /** What is remembered of the logs, if others in this process remember it too. */
  readonly summaries?: Summaries.Summaries | undefined
  /** For a process that has the Sessions of a directory in turn with others. */
  readonly share?: Share | undefined
  /** How long an Agent that nobody uses stays live at least; at most twice as long. Default 5 minutes. */
  readonly idleAfter?: Duration.DurationInput | undefined
  /** How many logs stay open for their next write. Default 256. */
  readonly openFiles?: number | undefined
}

/**
 * The part of the Sessions that a process takes over from others.
 *
 * @since 0.1.0
 * @category models
 */
export interface Share {
  /** Greater than that of everyone who had these Sessions before; see {@link LogClaim}. */
  readonly token: number
  /** Whose waiting messages are taken up at the start. */
  readonly owns: (id: SessionId) => boolean
}

/**
 * Nothing else in this process or another may write to the same logs, but for those that share them. When the driver runs turns,
 * messages that were not consumed before a crash get theirs after the start.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<SessionController, never, AgentDriver | WorkspaceRegistry> =>
  Layer.provide(layerDisk(options), Disk.layer)

/**
 * @since 0.1.0
 * @category layers
 */
export const layerDisk = (
  options: Options
): Layer.Layer<SessionController, never, AgentDriver | WorkspaceRegistry | Disk.Disk> =>
  Layer.scoped(SessionController, make(options))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const make = (options: Options) =>
  Effect.gen(function* () {
    const { home, idleAfter = "5 minutes", openFiles = 256, root = join(home, "sessions"), share } = options
    const driver = yield* AgentDriver
    const workspace = yield* WorkspaceRegistry
    const bare = yield* Disk.Disk
    const claim = share === undefined ? undefined : LogClaim.make(bare, share.token)
    const disk = claim?.disk ?? bare
    const files = LogFiles.make(disk, openFiles)
    const summaries =
      options.summaries ??
      (yield* Effect.acquireRelease(Summaries.make(root, join(home, "workspace.json")), ({ save }) => save))
    const changes = yield* PubSub.sliding<SessionId>(256)
    const observers = new Set<OpenObserver>()
    const mounts = new Set<Mount>()

    const openLog = (id: SessionId) =>
      Effect.gen(function* () {
        const watching = Array.from(observers)
        const types = new Set(watching.flatMap((observer) => observer.types))
        const seen: Array<SessionEvent> = []
        if (claim !== undefined) yield* claim.take(SessionFiles.logPath(root, id))
        const log = yield* SessionLog.open(id, SessionFiles.logPath(root, id), files, (event) => {
          if (types.has(event.type)) seen.push(event)
        })
        for (const { types, opened } of watching) {
          const events = seen.filter(({ type }) => types.includes(type))
          yield* contained(opened(log.header, events), "an observer of opened Sessions failed")
        }
        return log
      })

    const sessions = yield* LiveSessions.make({
      idleAfter,
      open: (id, hold) =>
        Effect.gen(function* () {
          const log = yield* openLog(id)
          const live = yield* LiveAgent.make(log, driver, hold, () => changes.unsafeOffer(id))
          // Mounts are closed before the Agent, which still works for them then.
          const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
          const mountAll = Effect.forEach(mounts, (mount) => contained(mount(live.agent), "a mount failed"), {
            discard: true
          }).pipe(Scope.extend(scope), Effect.zipRight(live.start))
          let activation: Fiber.RuntimeFiber<void> | undefined
          // In a fiber of its own, which goes on for the others when the one who asked first is interrupted.
          const activate = Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              activation ??= yield* Effect.forkIn(Effect.interruptible(mountAll), scope)
              yield* restore(Fiber.await(activation))
            })
          )
          return { log, live, activate, isActive: () => activation !== undefined }
        })
    })

    /** Appends to a Session's log unless its state says that it is so already, and makes sure that it is on disk. */
    const record = (id: SessionId, type: string, data: unknown, already: (state: SessionState) => boolean) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { log, live } = yield* sessions.acquire(id)
          if (!already(log.state)) yield* live.record(type, data)
          if (yield* log.flush) return SessionSummary.ofState(log.state)
          return yield* new SessionIoError({ path: SessionFiles.logPath(root, id), cause: log.lastFailure })
        })
      )

    const read = (id: SessionId, filter: (event: SessionEvent) => boolean) =>
      Effect.suspend((): Effect.Effect<SessionContents.SessionContents, SessionError> => {
        const open = sessions.peek(id)
        if (open !== undefined) {
          const summary = SessionSummary.ofState(open.log.state)
          return Effect.map(open.log.read(filter), (log) => ({ ...summary, log }))
        }
        return SessionContents.read(id, SessionFiles.logPath(root, id), filter)
      })

    const get = (id: SessionId): Effect.Effect<SessionSummary.SessionSummary, SessionError> =>
      Effect.suspend(() => {
        const open = sessions.peek(id)
        if (open !== undefined) return Effect.succeed(SessionSummary.ofState(open.log.state))
        return Effect.flatMap(summaries.of(segment(id)), (summary) =>
          Option.isSome(summary) ? Effect.succeed(summary.value) : new SessionNotFound({ sessionId: id })
        )
      })

    const depths = new Map<SessionId, number>()

    const delegationDepth = (id: SessionId): Effect.Effect<number, SessionError> =>
      Effect.suspend(() => {
        const known = sessions.peek(id)?.log.header.delegationDepth ?? depths.get(id)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.map(LogReader.header(id, SessionFiles.logPath(root, id)), ({ delegationDepth }) => {
          if (depths.size >= 10_000) depths.clear()
          depths.set(id, delegationDepth)
          return delegationDepth
        })
      })

    const create = Effect.fn("SessionController.create")(function* (session: NewSession) {
      const header = yield* NewSessionHeader.make(session, yield* Clock.currentTimeMillis)
      const seedLength = header.seedLength ?? 0
      const parent = header.parentSession
      const seed =
        seedLength === 0 || parent === undefined ? [] : (yield* read(parent, ({ seq }) => seq < seedLength)).log
      if (seed.length < seedLength) {
        return yield* new SessionInvalid({ reason: `the parent has ${seed.length} events, fewer than seedLength` })
      }
      const created = yield* sessions.whileClosed(header.id, SessionFiles.create(disk, root, header, seed))
      if (Option.isNone(created)) return yield* new SessionExists({ sessionId: header.id })
      changes.unsafeOffer(header.id)
      const state = new SessionState(header)
      for (const event of seed) state.apply(event)
      return SessionSummary.ofState(state)
    })

    const list = Effect.gen(function* () {
      const unreadable: Array<SessionCorrupt | SessionIoError> = []
      const live = new Map<string, SessionSummary.SessionSummary>()
      for (const { log } of sessions.open()) live.set(segment(log.header.id), SessionSummary.ofState(log.state))
      const summaryOf = (directory: string) => {
        const known = live.get(directory)
        return known === undefined ? summaries.of(directory) : Effect.succeedSome(known)
      }
      const found = yield* Effect.forEach(
        yield* SessionFiles.directories(root),
        (directory) =>
          Effect.catchAll(summaryOf(directory), (error) => {
            if (error._tag !== "SessionNotFound") unreadable.push(error)
            return Effect.succeedNone
          }),
        { concurrency: 16 }
      )
      yield* summaries.save
      return { sessions: found.flatMap(Option.toArray).sort((a, b) => b.updatedAt - a.updatedAt), unreadable }
    })

    const resolveAgent = Effect.fn("SessionController.resolveAgent")(function* (id: SessionId) {
      const session = yield* sessions.acquire(id)
      const { delegationDepth } = session.log.header
      if (delegationDepth > 0) return yield* new DelegatedChild({ sessionId: id, delegationDepth })
      if (session.log.state.archived) return yield* new SessionIsArchived({ sessionId: id })
      yield* session.activate
      return session.live.agent
    })

    const archive = Effect.fn("SessionController.archive")(function* (
      id: SessionId,
      { stopActivity = false }: { readonly stopActivity?: boolean | undefined } = {}
    ) {
      if (!stopActivity && !(yield* get(id)).archived) {
        const activity = yield* workspace.activity(id)
        if (activity.length > 0) return yield* new SessionActive({ sessionId: id, activity })
      }
      const archived = record(id, "session/archived", {}, ({ archived }) => archived)
      // what is archived is also stopped, even if the caller has gone
      return yield* stopActivity ? Effect.uninterruptible(Effect.zipLeft(archived, workspace.stop(id))) : archived
    })

    yield* workspace.register({
      family: "agent",
      activity: (id) => Effect.sync(() => sessions.peek(id)?.live.activity() ?? []),
      stop: (id) => Effect.suspend(() => sessions.peek(id)?.live.stop ?? Effect.void)
    })

    // Messages whose turn a crash prevented or cut short.
    const resume = Effect.flatMap(list, ({ sessions }) =>
      Effect.forEach(
        sessions.filter(
          ({ header, archived, pending }) =>
            pending > 0 && !archived && header.delegationDepth === 0 && (share?.owns(header.id) ?? true)
        ),
        ({ header }) =>
          Effect.catchAll(Effect.scoped(resolveAgent(header.id)), (error) =>
            Effect.logWarning("the messages of a Session wait", error)
          ),
        { concurrency: 4, discard: true }
      )
    )
    if (Option.isSome(driver.turn)) {
      yield* resume.pipe(
        Effect.catchAll((error) => Effect.logWarning("messages from before the start wait", error)),
        Effect.forkScoped
      )
    }

    return SessionController.of({
      create,
      list,
      get,
      show: (id, { from = 0, limit = Number.POSITIVE_INFINITY } = {}) =>
        read(id, ({ seq }) => seq >= from && seq < from + limit),
      rename: (id, title) => {
        const trimmed = title.trim()
        if (trimmed === "") return new SessionInvalid({ reason: "a title must not be empty" })
        return record(id, "session/renamed", { title: trimmed }, (state) => state.title === trimmed)
      },
      archive,
      append: (id, type, data) => Effect.asVoid(record(id, type, data, () => false)),
      unarchive: (id) => record(id, "session/unarchived", {}, ({ archived }) => !archived),
      resolveAgent,
      liveAgent: (id) =>
        Effect.sync(() => Option.map(Option.fromNullable(sessions.peek(id)), ({ live }) => live.agent)),
      delegationDepth,
      onOpen: (observer) => registered(observers, observer),
      onAgent: (mount) => registered(mounts, mount),
      changes: Stream.fromPubSub(changes)
    })
  })

type Mount = (agent: Agent) => Effect.Effect<void, never, Scope.Scope>

const registered = <A>(all: Set<A>, one: A): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      all.add(one)
    }),
    () => Effect.sync(() => all.delete(one))
  )

/** What others hook into a Session never stops it from opening. */
const contained = <R>(effect: Effect.Effect<void, never, R>, message: string) =>
  effect.pipe(
    Effect.sandbox,
    Effect.catchAll((cause) => Effect.logError(message, cause))
  )
