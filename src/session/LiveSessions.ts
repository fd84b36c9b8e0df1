/**
 * The Sessions whose logs are open in this process.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { Agent } from "./Agent.ts"
import type { LiveAgent } from "./LiveAgent.ts"
import { type SessionError, SessionIoError } from "./SessionError.ts"
import type { SessionId } from "./SessionHeader.ts"
import type { SessionLog } from "./SessionLog.ts"

/**
 * An open Session. Its Agent has been made, and takes part in nothing before `activate`.
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveSession {
  readonly log: SessionLog
  readonly live: LiveAgent
  /** Mounts what is to be mounted on the Agent and lets turns begin, once, however often it is run. */
  readonly activate: Effect.Effect<void>
  readonly isActive: () => boolean
}

/**
 * At most one {@link LiveSession} per Session, whoever asks and however many at once. One is released between `idleAfter` and
 * twice that after it was used last; never while something holds it, its Agent is busy, or its log cannot be flushed.
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveSessions {
  /** The open Session, opened if need be, held until the scope closes. */
  readonly acquire: (id: SessionId) => Effect.Effect<LiveSession, SessionError, Scope.Scope>
  /** The Session if it is open now. */
  readonly peek: (id: SessionId) => LiveSession | undefined
  /** Every Session that is open now. */
  readonly open: () => ReadonlyArray<LiveSession>
  /** Runs work while the Session is not open; none if it is. Work on one Session runs one at a time. */
  readonly whileClosed: <A, E>(
    id: SessionId,
    work: Effect.Effect<A, E>
  ) => Effect.Effect<Option.Option<A>, E | SessionIoError>
}

/**
 * Releases every Session when the scope closes. `open` runs in a scope that closes before its Session's log does, and is given
 * what holds the Session.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly open: (id: SessionId, hold: Agent["hold"]) => Effect.Effect<LiveSession, SessionError, Scope.Scope>
  readonly idleAfter: Duration.DurationInput
}): Effect.Effect<LiveSessions, never, Scope.Scope> =>
  Effect.gen(function* () {
    const idleAfter = Duration.toMillis(options.idleAfter)
    const slots = new Map<SessionId, OpenSlot | BusySlot>()
    const anyOpen = Effect.unsafeMakeLatch(false)
    let closing = false

    const openings = yield* Effect.acquireRelease(Scope.make(), (openings, exit) =>
      Effect.gen(function* () {
        closing = true
        yield* Scope.close(openings, exit)
        const release = (slot: OpenSlot | BusySlot) => (slot._tag === "open" ? close(slot, true) : Effect.void)
        yield* Effect.forEach(slots.values(), release, { concurrency: 16, discard: true })
      })
    )

    /** Keeps others from a Session until the work has ended, which leaves it open or not. The slot is taken at once. */
    const occupy = <A, E>(id: SessionId, work: Effect.Effect<A, E>, left: (value: A) => OpenSlot | undefined) => {
      const settled = Deferred.unsafeMake<void>(FiberId.none)
      slots.set(id, { _tag: "busy", settled })
      return Effect.onExit(work, (exit) => {
        const slot = Exit.isSuccess(exit) ? left(exit.value) : undefined
        if (slot === undefined) slots.delete(id)
        else slots.set(id, slot)
        return Deferred.succeed(settled, undefined)
      })
    }

    const open = (id: SessionId): Effect.Effect<OpenSlot, SessionError> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const use: Use = { holds: 0, usedAt: yield* Clock.currentTimeMillis }
          const session = yield* restore(Scope.extend(options.open(id, hold(use)), scope)).pipe(
            Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
          )
          anyOpen.unsafeOpen()
          return { _tag: "open", id, session, scope, use }
        })
      )

    const close = (slot: OpenSlot, forced: boolean): Effect.Effect<void> => {
      const { log } = slot.session
      const work = Effect.gen(function* () {
        if (!(yield* log.flush) && !forced) return slot
        yield* Scope.close(slot.scope, Exit.void)
        if (!(yield* log.flush)) {
          yield* Effect.logError("a Session is closed with events that are not on disk", log.lastFailure).pipe(
            Effect.annotateLogs({ session: slot.id })
          )
        }
        log.close()
        return undefined
      })
      return Effect.uninterruptible(occupy(slot.id, work, (still) => still))
    }

    /** Every look at a slot and what follows from it happen in one step, so that nobody comes in between. */
    const acquire = (id: SessionId): Effect.Effect<LiveSession, SessionError, Scope.Scope> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          if (closing) return shuttingDown(id)
          const slot = slots.get(id)
          if (slot?._tag === "open") return Effect.as(hold(slot.use), slot.session)
          if (slot?._tag === "busy") return Effect.zipRight(restore(Deferred.await(slot.settled)), restore(acquire(id)))
          // In a fiber of its own, because others may wait for it when this caller is interrupted.
          return occupy(id, Effect.interruptible(open(id)), (opened) => opened).pipe(
            Effect.forkIn(openings),
            Effect.flatMap((fiber) => restore(Fiber.await(fiber))),
            Effect.flatMap((exit) =>
              Exit.isFailure(exit) && !Exit.isInterrupted(exit) ? Effect.failCause(exit.cause) : restore(acquire(id))
            )
          )
        })
      )

    const whileClosed = <A, E>(
      id: SessionId,
      work: Effect.Effect<A, E>
    ): Effect.Effect<Option.Option<A>, E | SessionIoError> =>
      Effect.suspend(() => {
        if (closing) return shuttingDown(id)
        const slot = slots.get(id)
        if (slot?._tag === "open") return Effect.succeedNone
        if (slot?._tag === "busy") return Effect.zipRight(Deferred.await(slot.settled), whileClosed(id, work))
        return Effect.asSome(occupy(id, work, () => undefined))
      })

    const sweep = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const closeIfIdle = (slot: OpenSlot | BusySlot) =>
        Effect.suspend(() => {
          if (slot._tag !== "open" || slots.get(slot.id) !== slot) return Effect.void
          if (!slot.session.live.isIdle()) slot.use.usedAt = now
          return slot.use.holds === 0 && now - slot.use.usedAt >= idleAfter ? close(slot, false) : Effect.void
        })
      yield* Effect.forEach(Array.from(slots.values()), closeIfIdle, { discard: true })
      if (slots.size === 0) anyOpen.unsafeClose()
    })

    yield* anyOpen.await.pipe(
      Effect.zipRight(Effect.sleep(idleAfter)),
      Effect.zipRight(sweep),
      Effect.forever,
      Effect.annotateLogs({ module: "LiveSessions", fiber: "sweep" }),
      Effect.forkScoped
    )

    return {
      acquire,
      whileClosed,
      peek: (id) => {
        const slot = slots.get(id)
        return slot?._tag === "open" ? slot.session : undefined
      },
      open: () => Array.from(slots.values()).flatMap((slot) => (slot._tag === "open" ? [slot.session] : []))
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Use {
  holds: number
  usedAt: number
}

interface OpenSlot {
  readonly _tag: "open"
  readonly id: SessionId
  readonly session: LiveSession
  readonly scope: Scope.CloseableScope
  readonly use: Use
}

/** Being opened, closed or created. */
interface BusySlot {
  readonly _tag: "busy"
  readonly settled: Deferred.Deferred<void>
}

const hold = (use: Use): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      use.holds++
    }),
    () =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        use.holds--
        use.usedAt = now
      })
  )

const shuttingDown = (id: SessionId) =>
  new SessionIoError({ path: id, cause: new Error("the Host is closing its Sessions") })
