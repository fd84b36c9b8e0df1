/**
 * The reminders of one live Agent, whose Session's log is their only state.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { ScheduleLogError } from "../domain/ScheduleLogError.ts"
import { type Agent, AgentReleased } from "../session/Agent.ts"
import type { SessionError } from "../session/SessionError.ts"
import type { SessionEvent } from "../session/SessionEvent.ts"
import * as DuePlan from "./DuePlan.ts"
import * as LegacyCreation from "./LegacyCreation.ts"
import { LegacyId } from "./LegacyRecord.ts"
import { type LegacyView, legacyView } from "./LegacyView.ts"
import { eventType, type ScheduleChange } from "./ScheduleChange.ts"
import { type FoldedSchedules, foldScheduleEvents, nextId } from "./ScheduleFold.ts"

/**
 * Nobody could say that the Session's log is on disk, so nothing is known: what was asked for may have been done or not. List
 * the reminders before asking again.
 *
 * @since 0.1.0
 * @category errors
 */
export class PersistenceUncertain extends Schema.TaggedError<PersistenceUncertain>(
  "host-schedule/legacy/PersistenceUncertain"
)("PersistenceUncertain", {
  operation: Schema.Literal("create", "list", "delete"),
  /** The reminder that was created or deleted in memory at least. */
  id: Schema.optional(Schema.String)
}) {
  readonly code = "persistence_uncertain" as const
  override get message() {
    return "it is not known whether the Session's log is on disk; list the reminders before trying again"
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export type DeleteAnswer =
  | { readonly id: LegacyId; readonly deleted: true }
  | { readonly id: LegacyId; readonly deleted: false; readonly code: "schedule_not_found" }

/**
 * @since 0.1.0
 * @category models
 */
export type ManagementError = ScheduleLogError | PersistenceUncertain | AgentReleased

/**
 * Management and due work of one Agent run one at a time, in the order in which they were asked for. Each reads the log anew,
 * after a flush that must succeed.
 *
 * @since 0.1.0
 * @category models
 */
export interface SessionLocalOwner {
  /** Stores a reminder `{prompt, <one of after_seconds, at, every_seconds>}` and confirms it once it is on disk. */
  readonly create: (request: unknown) => Effect.Effect<LegacyView, ScheduleInputError | ManagementError>
  /** The active reminders, in the order of their creation. */
  readonly list: Effect.Effect<ReadonlyArray<LegacyView>, ManagementError>
  /** Deletes an active reminder and confirms it once that is on disk. */
  readonly delete: (id: unknown) => Effect.Effect<DeleteAnswer, ScheduleInputError | ManagementError>
  /** Deletes every active reminder, which is on disk when this returns. */
  readonly clear: Effect.Effect<void, ManagementError>
}

/**
 * The owner of an Agent's reminders, until the scope closes: then it begins nothing new and waits for what it is doing. It
 * keeps its Agent live for as long as a reminder is active.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (agent: Agent): Effect.Effect<SessionLocalOwner, SessionError, Scope.Scope> =>
  Effect.gen(function* () {
    const transactions = yield* Effect.makeSemaphore(1)
    const changes = yield* mirror(agent)
    const keepLive = yield* keeper(agent)
    yield* agent.onAppend(() => Deferred.unsafeDone(stirred, Exit.void))
    let due = Deferred.unsafeMake<void>(FiberId.none)
    let stirred = Deferred.unsafeMake<void>(FiberId.none)
    let faulted = false
    let closed = false

    const fold = Effect.suspend(() => foldScheduleEvents(changes()))

    const append = (change: ScheduleChange) => agent.append(eventType, change)

    const recompute = Effect.sync(() => Deferred.unsafeDone(due, Exit.void))

    /** One management transaction. Its caller can be interrupted until the log has been read. */
    const transaction = <A, E>(
      operation: PersistenceUncertain["operation"],
      work: (folded: FoldedSchedules) => Effect.Effect<A, E>
    ): Effect.Effect<A, E | ManagementError> =>
      Effect.gen(function* () {
        if (closed) return yield* new AgentReleased({ sessionId: agent.sessionId })
        if (!(yield* agent.flush)) return yield* new PersistenceUncertain({ operation })
        yield* recompute
        return yield* Effect.uninterruptible(Effect.flatMap(fold, work))
      }).pipe(transactions.withPermits(1))

    const confirm = (operation: PersistenceUncertain["operation"], id: LegacyId) =>
      Effect.flatMap(agent.flush, (done) => (done ? recompute : new PersistenceUncertain({ operation, id })))

    /** Queues the next message, if one is still due, and records it. Runs as the owner of the idle phase. */
    const dispatch = Effect.gen(function* () {
      const { active } = yield* fold
      const plan = yield* DuePlan.make(active, yield* Clock.currentTimeMillis)
      if (Option.isNone(plan)) return
      yield* agent.followup({ text: plan.value.text, source: "schedule" })
      yield* Effect.forEach(plan.value.changes, append, { discard: true }).pipe(
        Effect.tapErrorCause(() =>
          Effect.sync(() => {
            // The message may be on its way: sending it again would be wrong, too.
            faulted = true
          })
        )
      )
    })

    /** Does what is due, and answers what to wait for before looking again. */
    const drive: Effect.Effect<Effect.Effect<void>> = Effect.gen(function* () {
      while (!faulted && !closed) {
        if (!(yield* agent.flush)) {
          yield* Effect.logWarning("the Session's log cannot be written; its reminders wait")
          return Deferred.await(stirred)
        }
        const { active } = yield* fold
        yield* keepLive(active.length > 0)
        const now = yield* Clock.currentTimeMillis
        const earliest = DuePlan.earliest(active)
        if (Option.isNone(earliest)) return Effect.never
        if (earliest.value > now) return Effect.sleep(Math.min(earliest.value - now, maxNap))
        const busy = yield* Effect.as(agent.runMaintenance(dispatch), false).pipe(
          Effect.catchTag("AgentBusy", () => Effect.succeed(true))
        )
        if (busy) return agent.whenIdle
      }
      return Effect.never
    }).pipe(
      Effect.catchAllCause((cause) =>
        Effect.map(
          Effect.logWarning("reminders were not delivered; they wait for the next call or event", cause),
          () => (faulted ? Effect.never : Deferred.await(stirred))
        )
      )
    )

    // In the reverse of this order: nothing new begins, the drive ends, and what a caller has begun is waited for.
    yield* Effect.addFinalizer(() => transactions.withPermits(1)(Effect.void))
    yield* Effect.gen(function* () {
      while (true) {
        due = yield* Deferred.make<void>()
        stirred = yield* Deferred.make<void>()
        const wait = yield* Effect.uninterruptible(transactions.withPermits(1)(drive))
        yield* Effect.raceFirst(wait, Deferred.await(due))
      }
    }).pipe(Effect.annotateLogs({ module: "SessionLocalOwner", session: agent.sessionId }), Effect.forkScoped)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        closed = true
      })
    )

    return {
      create: (request) =>
        Effect.flatMap(LegacyCreation.decodeRequest(request), (decoded) =>
          transaction("create", (folded) =>
            Effect.gen(function* () {
              const now = yield* Clock.currentTimeMillis
              const record = yield* LegacyCreation.createLegacyRecord(decoded, { id: nextId(folded), now })
              yield* append({ version: 1, operation: "create", schedule: record })
              yield* confirm("create", record.id)
              return legacyView(record, yield* Clock.currentTimeMillis)
            })
          )
        ),
      list: transaction("list", ({ active }) =>
        Effect.map(Clock.currentTimeMillis, (now) => active.map((record) => legacyView(record, now)))
      ),
      delete: (input) =>
        Effect.flatMap(decodeId(input), (id) =>
          transaction("delete", ({ active }) =>
            Effect.gen(function* () {
              if (!active.some((record) => record.id === id))
                return { id, deleted: false, code: "schedule_not_found" } as const
              yield* append({ version: 1, operation: "delete", id })
              yield* confirm("delete", id)
              return { id, deleted: true } as const
            })
          )
        ),
      clear: transaction("delete", ({ active }) =>
        Effect.gen(function* () {
          yield* Effect.forEach(active, ({ id }) => append({ version: 1, operation: "delete", id }), { discard: true })
          const [first] = active
          if (first !== undefined) yield* confirm("delete", first.id)
        })
      )
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// After each the clock is read again, so that a machine that slept or a clock that was set is noticed this soon. No timer could
// run longer than 2_147_483_647 anyway.
const maxNap = 30_000

const decodeId = (input: unknown): Either.Either<LegacyId, ScheduleInputError> =>
  Either.orElse(Schema.decodeUnknownEither(LegacyId)(input), () =>
    refuse("invalid_rule", "id must be a text that is not empty and has no outer spaces")
  )

/** The changes in the Session's log as they are now: what was there, and what was appended since. */
const mirror = (agent: Agent): Effect.Effect<() => ReadonlyArray<SessionEvent>, SessionError, Scope.Scope> =>
  Effect.gen(function* () {
    let events: Array<SessionEvent> = []
    yield* agent.onAppend((event) => {
      if (event.type === eventType) events.push(event)
    })
    const stored = yield* agent.events([eventType])
    const next = (stored.at(-1)?.seq ?? -1) + 1
    events = [...stored, ...events.filter(({ seq }) => seq >= next)]
    return () => events
  })

/** Holds the Agent while it is told to. */
const keeper = (agent: Agent): Effect.Effect<(hold: boolean) => Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    let held: Scope.CloseableScope | undefined
    const release = Effect.suspend(() => {
      const scope = held
      held = undefined
      return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
    })
    yield* Effect.addFinalizer(() => release)
    return (hold) =>
      Effect.suspend(() => {
        if (!hold) return release
        if (held !== undefined) return Effect.void
        return Effect.flatMap(Scope.make(), (scope) => {
          held = scope
          return Scope.extend(agent.hold, scope)
        })
      })
  })
