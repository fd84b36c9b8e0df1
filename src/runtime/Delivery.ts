/**
 * Delivery of what is due to one Session: resolve outside the FIFO; decide, followup, flush and commit in one slot of it.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Places from "../concurrency/Places.ts"
import * as TimeLimit from "../concurrency/TimeLimit.ts"
import * as DeliveryPlan from "../domain/DeliveryPlan.ts"
import type { MessageId, ScheduleId, SessionId } from "../domain/Identifiers.ts"
import * as Instant from "../domain/Instant.ts"
import type { TaskSummary } from "../domain/ScheduleTask.ts"
import type { DeliveryCommit, ScheduleDomain } from "../storage/ScheduleDomain.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { type AgentResolver, AgentUnavailable, type ResolvedAgent } from "./AgentResolver.ts"
import type { Fifo } from "./Fifo.ts"
import * as Metrics from "./Metrics.ts"
import * as RowWrites from "./RowWrites.ts"
import { historyBounds, type Settings } from "./ScheduleConfig.ts"
import * as Send from "./Send.ts"
import type { ServiceStopping } from "./ServiceStopping.ts"

/**
 * Some of what was due to a Session was not delivered, or not recorded. Its tasks stay as they were; a later drive tries
 * them again.
 *
 * @since 0.1.0
 * @category errors
 */
export class DeliveryFailed extends Schema.TaggedError<DeliveryFailed>("host-schedule/runtime/DeliveryFailed")(
  "DeliveryFailed",
  { taskIds: Schema.Array(Schema.String), message: Schema.String, cause: Schema.optional(Schema.Defect) }
) {}

/**
 * What delivery works with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly domain: ScheduleDomain["Type"]
  readonly resolver: AgentResolver["Type"]
  readonly fifo: Fifo
  readonly settings: Settings
  /** Run after every write that committed something. */
  readonly onCommit: Effect.Effect<void>
}

/**
 * Delivers what is due to a Session now, and answers whether anything was. Interruption is honoured while the Agent is being
 * resolved and while the delivery waits for its turn; a delivery whose turn has come completes.
 *
 * @since 0.1.0
 * @category models
 */
export type Deliver = (sessionId: SessionId) => Effect.Effect<boolean, DeliveryFailed | StorageError | ServiceStopping>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { domain, resolver, settings } = options
  const places = Places.make(settings.deliveryConcurrency)

  // Deliveries that are ready together share one write; the failure of one row stays with its own delivery.
  const commitTogether = options.fifo.share<
    ReadonlyArray<DeliveryCommit>,
    ReadonlyMap<DeliveryCommit, StorageError>,
    never
  >({
    limit: settings.deliveryConcurrency,
    write: (deliveries) => {
      const rows = deliveries.flat()
      const write = (some: ReadonlyArray<DeliveryCommit>) => domain.commit(some, historyBounds(settings))
      return RowWrites.attempt(write, rows).pipe(
        Effect.tap((failures) => (failures.size < rows.length ? options.onCommit : Effect.void)),
        Effect.tap((failures) => measure(rows.filter((row) => !failures.has(row)))),
        Effect.map((failures) => deliveries.map(() => Exit.succeed(failures)))
      )
    }
  })

  const dueNow = Effect.fnUntraced(function* (sessionId: SessionId, limit: number) {
    const now = yield* Clock.currentTimeMillis
    return { now, tasks: yield* domain.dueOf(sessionId, Instant.format(now), limit) }
  })

  const resolve = (sessionId: SessionId) =>
    Effect.suspend(() => resolver.resolve(sessionId)).pipe(
      Effect.disconnect,
      Effect.timeoutFail({
        duration: settings.activationTimeout,
        onTimeout: () => new AgentUnavailable({ message: "the Session was not activated in time" })
      }),
      Effect.catchAllDefect((cause) => new AgentUnavailable({ message: "the resolve-agent handler threw", cause }))
    )

  const unresolved = (sessionId: SessionId) => (error: AgentUnavailable) =>
    Effect.flatMap(dueNow(sessionId, portion), ({ tasks }) => Effect.fail(failed(tasks)(error)))

  const isRecorded = (id: ScheduleId, messageId: MessageId) =>
    Effect.map(domain.historyPage(id, { limit: 1, before: messageId }), Option.isSome)

  const sendInTime = (agent: ResolvedAgent, messages: ReadonlyArray<DeliveryPlan.Message>) =>
    Send.leftovers(agent, messages, isRecorded).pipe(
      Effect.flatMap((left) => Send.send(agent, messages, left)),
      TimeLimit.within({
        duration: settings.flushTimeout,
        onTimeout: () => new AgentUnavailable({ message: "the Session did not acknowledge its messages in time" })
      }),
      Effect.catchAllDefect((cause) => new AgentUnavailable({ message: "the Agent threw", cause }))
    )

  /** One slot's portion; answers whether more may be due. */
  const inSlot = Effect.fnUntraced(function* (sessionId: SessionId, agent: ResolvedAgent) {
    let undelivered: DeliveryFailed | undefined
    const prepare = Effect.gen(function* () {
      const { now, tasks } = yield* dueNow(sessionId, portion)
      if (tasks.length === 0) return []
      yield* Effect.annotateCurrentSpan({ taskIds: tasks.map(({ record }) => record.id) })
      const outcome = yield* Effect.catchTag(
        sendInTime(agent, DeliveryPlan.make(tasks, now)),
        "AgentUnavailable",
        (error) => failed(tasks)(error)
      )
      const delivered = new Set(outcome.sent.map(({ member }) => member.task))
      if (outcome.refusal !== undefined) {
        undelivered = failed(tasks.filter((task) => !delivered.has(task)))(outcome.refusal)
      }
      const deliveredAt = Instant.format(yield* Clock.currentTimeMillis)
      return outcome.sent.map((one) => toCommit(one, deliveredAt))
    })
    const commits: Array<DeliveryCommit> = []
    const failures = yield* commitTogether(Effect.tap(prepare, (rows) => Effect.sync(() => commits.push(...rows))))
    const unrecorded = commits.filter((row) => failures.has(row))
    if (unrecorded.length > 0) {
      return yield* new DeliveryFailed({
        taskIds: unrecorded.map(({ id }) => id),
        message: "the Session has its messages, but their receipts could not be stored",
        cause: failures.get(unrecorded[0]!)
      })
    }
    if (undelivered !== undefined) return yield* undelivered
    return commits.length >= portion
  })

  const inSlots = (sessionId: SessionId, agent: ResolvedAgent) =>
    Effect.repeat(inSlot(sessionId, agent), { while: (more) => more })

  // An activation that takes long gives its place to other Sessions, and takes another when it has succeeded.
  const deliver = Effect.fnUntraced(function* (sessionId: SessionId) {
    if ((yield* dueNow(sessionId, 1)).tasks.length === 0) return false
    const { early, resolving } = yield* Effect.gen(function* () {
      const resolving = yield* Effect.fork(Effect.catchAll(resolve(sessionId), unresolved(sessionId)))
      const early = yield* Effect.timeoutOption(Fiber.await(resolving), patience)
      if (Option.isSome(early)) yield* Effect.flatMap(early.value, (agent) => inSlots(sessionId, agent))
      return { early, resolving }
    }).pipe(places.within)
    if (Option.isNone(early)) {
      const agent = yield* Fiber.join(resolving)
      yield* places.within(inSlots(sessionId, agent))
    }
    return true
  }, Effect.scoped)

  return Effect.fn("Delivery.deliver")(function* (sessionId: SessionId) {
    yield* Effect.annotateCurrentSpan({ sessionId })
    return yield* deliver(sessionId)
  })
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** How many one-shots go into one slot, so that a Session with many does not hold up the others. */
const portion = 256

/**
 * How long an activation may hold a place among the deliveries that run side by side: long enough that activations which only
 * wait for a busy disk are bounded in number, short enough that those which hang do not hold up the others.
 */
const patience = Duration.millis(250)

const failed =
  (tasks: ReadonlyArray<TaskSummary>) =>
  ({ cause, message }: AgentUnavailable): DeliveryFailed =>
    new DeliveryFailed({ taskIds: tasks.map(({ record }) => record.id), message, cause })

const toCommit = ({ member, messageId }: Send.Sent, deliveredAt: Instant.Instant): DeliveryCommit => ({
  id: member.task.record.id,
  receipt: { scheduledAt: member.occurrenceAt, deliveredAt, messageId },
  prompt: member.task.record.prompt,
  next: member.next
})

const measure = (committed: ReadonlyArray<DeliveryCommit>) =>
  Effect.clockWith((clock) =>
    Effect.sync(() => {
      const now = clock.unsafeCurrentTimeMillis()
      Metrics.receipts.unsafeUpdate(committed.length, [])
      for (const { receipt } of committed) {
        Metrics.deliveryLag.unsafeUpdate(Math.max(0, now - Instant.toMillis(receipt.scheduledAt)) / 1000, [])
      }
    })
  )
