/**
 * The Agent that this process runs for a Session.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Agent, AgentBusy, AgentReleased } from "./Agent.ts"
import type { AgentDriver, DriverFailure, TurnAnswer } from "./AgentDriver.ts"
import { SessionIsArchived } from "./SessionError.ts"
import { MessageId, type SessionEvent, type UserMessage } from "./SessionEvent.ts"
import { firstOwnSeq } from "./SessionHeader.ts"
import type { SessionLog } from "./SessionLog.ts"
import type { ActivityFamily } from "./WorkspaceRegistry.ts"

/**
 * Invariants:
 * 1. at most one of a turn and maintenance owns the Agent; turns take the messages of the inbox one by one, oldest first;
 * 2. a turn begins only with a message that is on disk;
 * 3. a message leaves the inbox when its turn has ended, whether it answered or failed; a turn that is interrupted leaves its
 *    message there, so that it comes again after a restart;
 * 4. a message that cannot be brought to disk waits for the next follow-up or the next flush that succeeds.
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveAgent {
  readonly agent: Agent
  /** Appends an event of the Session's own life. */
  readonly record: (type: string, data: unknown) => Effect.Effect<SessionEvent>
  /** Lets turns begin. */
  readonly start: Effect.Effect<void>
  /** Ends the running turn and gives up the messages that wait for theirs, each with a `turn/failed`. */
  readonly stop: Effect.Effect<void>
  /** The messages that wait for a turn or have it. */
  readonly activity: () => ActivityFamily["items"]
  readonly isIdle: () => boolean
}

/**
 * An Agent that is released when the scope closes: its turn is interrupted, and it takes nothing more.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  log: SessionLog,
  driver: AgentDriver["Type"],
  hold: Agent["hold"],
  changed: () => void
): Effect.Effect<LiveAgent, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const sessionId = log.header.id
    const { inbox } = log.state
    const listeners = new Set<(event: SessionEvent) => void>()
    let owner: "nobody" | "turn" | "maintenance" = "nobody"
    let idle = Deferred.unsafeMake<void>(FiberId.none)
    let started = false
    let released = false
    let running: Fiber.RuntimeFiber<void> | undefined

    yield* Effect.addFinalizer(() => Effect.sync(() => (released = true)))

    const unlessReleased = <A, E, R>(use: () => Effect.Effect<A, E, R>): Effect.Effect<A, E | AgentReleased, R> =>
      Effect.suspend(
        (): Effect.Effect<A, E | AgentReleased, R> => (released ? new AgentReleased({ sessionId }) : use())
      )

    const append = (type: string, data: unknown): Effect.Effect<SessionEvent> =>
      Effect.clockWith((clock) =>
        Effect.sync(() => {
          const event = log.append(type, data, clock.unsafeCurrentTimeMillis())
          for (const listener of listeners) listener(event)
          changed()
          return event
        })
      )

    const own = (by: "turn" | "maintenance") => {
      owner = by
      idle = Deferred.unsafeMake(FiberId.none)
    }

    const disown = () => {
      owner = "nobody"
      running = undefined
      Deferred.unsafeDone(idle, Exit.void)
    }

    const settle = (message: UserMessage, exit: Exit.Exit<TurnAnswer, DriverFailure>): Effect.Effect<unknown> => {
      if (Exit.isFailure(exit)) {
        return append("turn/failed", { messageId: message.id, driver: driver.name, reason: reasonOf(exit.cause) })
      }
      const { text, truncated } = exit.value
      const answer = Option.isSome(text)
        ? append("message/assistant", {
            id: randomUUID(),
            text: text.value,
            replyTo: message.id,
            ...(truncated ? { truncated } : {})
          })
        : Effect.void
      return Effect.zipRight(answer, append("inbox/consumed", { messageIds: [message.id] }))
    }

    const turns = (turn: TurnOf) =>
      Effect.gen(function* () {
        while (true) {
          const message = first(inbox)
          if (!(yield* log.flush)) {
            yield* Effect.logWarning("the Session's log cannot be written; its messages wait", log.lastFailure)
            return disown()
          }
          if (log.state.archived || inbox.size === 0) return disown()
          // It came while the flush was on its way, or somebody consumed it.
          if (message === undefined || !inbox.has(message.id)) continue
          const exit = yield* Effect.exit(turn({ header: log.header, message }))
          if (Exit.isFailure(exit) && Cause.isDie(exit.cause)) yield* Effect.logError("a turn died", exit.cause)
          yield* Effect.uninterruptible(settle(message, exit))
        }
      }).pipe(Effect.annotateLogs({ module: "Agent", session: sessionId }))

    // Between the decision and the fork nothing may interrupt, or the Agent would have an owner that does not exist.
    const wake: Effect.Effect<void> = Effect.uninterruptible(
      Effect.suspend(() => {
        const { turn } = driver
        if (!started || released || owner !== "nobody" || log.state.archived) return Effect.void
        if (inbox.size === 0 || Option.isNone(turn)) return Effect.void
        own("turn")
        return turns(turn.value).pipe(
          Effect.interruptible,
          Effect.onExit((exit) => (Exit.isFailure(exit) ? Effect.sync(disown) : Effect.void)),
          Effect.forkIn(scope),
          Effect.flatMap((fiber) =>
            Effect.sync(() => {
              if (owner === "turn") running = fiber
            })
          )
        )
      })
    )

    const agent: Agent = {
      sessionId,
      header: log.header,
      followup: (message) =>
        unlessReleased(() => {
          if (log.state.archived) return new SessionIsArchived({ sessionId })
          const { text, source, keys } = message
          const id = MessageId.make(randomUUID())
          const data: UserMessage = keys === undefined ? { id, text, source } : { id, text, source, keys }
          return append("message/user", data).pipe(Effect.zipRight(wake), Effect.as(id), Effect.uninterruptible)
        }),
      flush: Effect.tap(log.flush, (done) => (done ? wake : Effect.void)),
      heldKeys: (keys) => log.heldKeys(keys),
      inbox: Effect.sync(() => Array.from(inbox.values())),
      consume: (ids) =>
        unlessReleased(() => {
          const messageIds = ids.filter((id) => inbox.has(id))
          return messageIds.length === 0
            ? Effect.succeed(messageIds)
            : Effect.as(append("inbox/consumed", { messageIds }), messageIds)
        }),
      append: (type, data) => unlessReleased(() => append(type, data)),
      events: (types) => {
        const firstOwn = firstOwnSeq(log.header)
        const wanted = types === undefined ? undefined : new Set(types)
        return log.read(({ seq, type }) => seq >= firstOwn && (wanted?.has(type) ?? true))
      },
      onAppend: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            listeners.add(listener)
          }),
          () => Effect.sync(() => listeners.delete(listener))
        ),
      whenIdle: Effect.suspend(() => (owner === "nobody" ? Effect.void : Effect.interruptible(Deferred.await(idle)))),
      runMaintenance: <A, E, R>(task: Effect.Effect<A, E, R>) =>
        Effect.uninterruptibleMask((restore) =>
          unlessReleased((): Effect.Effect<A, E | AgentBusy, R> => {
            if (owner !== "nobody") return new AgentBusy({ sessionId })
            own("maintenance")
            return Effect.ensuring(restore(task), Effect.zipRight(Effect.sync(disown), wake))
          })
        ),
      hold
    }

    return {
      agent,
      record: append,
      start: Effect.suspend(() => {
        started = true
        return wake
      }),
      stop: Effect.gen(function* () {
        if (Option.isNone(driver.turn)) return
        if (running !== undefined) yield* Fiber.interrupt(running)
        for (const messageId of [...inbox.keys()]) {
          yield* append("turn/failed", { messageId, driver: driver.name, reason: "the Session was archived" })
        }
      }),
      activity: () =>
        Option.isNone(driver.turn) || !started
          ? []
          : Array.from(inbox.values(), ({ id, source }) => ({ id, label: `a message from ${source}` })),
      isIdle: () => owner === "nobody"
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type TurnOf = Option.Option.Value<AgentDriver["Type"]["turn"]>

const first = (inbox: ReadonlyMap<MessageId, UserMessage>): UserMessage | undefined => inbox.values().next().value

const reasonOf = (cause: Cause.Cause<DriverFailure>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () =>
      Cause.isInterruptedOnly(cause) ? "the turn was interrupted" : "the driver failed in an unexpected way",
    onSome: ({ reason }) => reason
  })
