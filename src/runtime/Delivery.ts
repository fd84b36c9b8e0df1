/**
 * Delivery of what is due to one Session: resolve outside the FIFO; decide, followup, flush and commit in one slot of it.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as DeliveryPlan from "../domain/DeliveryPlan.ts"
import type { MessageId, ScheduleId, SessionId } from "../domain/Identifiers.ts"
import * as Instant from "../domain/Instant.ts"
import type { TaskSummary } from "../domain/ScheduleTask.ts"
import type { DeliveryCommit, ScheduleDomain } from "../storage/ScheduleDomain.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { type AgentResolver, AgentUnavailable, type ResolvedAgent } from "./AgentResolver.ts"
import type { Fifo } from "./Fifo.ts"
import { historyBounds, type Settings } from "./ScheduleConfig.ts"
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
  /** Run after every commit. */
  readonly onCommit: Effect.Effect<void>
}

/**
 * Delivers what is due to a Session now. Interruption is honoured while the Agent is being resolved and while the delivery
 * waits for its turn; a delivery whose turn has come completes.
 *
 * @since 0.1.0
 * @category models
 */
export type Deliver = (sessionId: SessionId) => Effect.Effect<void, DeliveryFailed | StorageError | ServiceStopping>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ domain, fifo, onCommit, resolver, settings }: Options): Deliver => {
  const dueNow = Effect.fnUntraced(function* (sessionId: SessionId) {
    const now = yield* Clock.currentTimeMillis
    return { now, tasks: yield* domain.dueOf(sessionId, Instant.format(now)) }
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

  const sendInTime = (agent: ResolvedAgent, messages: ReadonlyArray<DeliveryPlan.Message>) =>
    send(agent, messages).pipe(
      // in this order: only what is interruptible can be left behind when its time is up
      Effect.disconnect,
      Effect.interruptible,
      Effect.timeoutFail({
        duration: settings.flushTimeout,
        onTimeout: () => new AgentUnavailable({ message: "the Session did not acknowledge its messages in time" })
      }),
      Effect.catchAllDefect((cause) => new AgentUnavailable({ message: "the Agent threw", cause }))
    )

  // One write for all; should it fail, each row on its own, so that one row does not hold back the others.
  const commit = Effect.fnUntraced(function* (commits: ReadonlyArray<DeliveryCommit>) {
    const write = (rows: ReadonlyArray<DeliveryCommit>) =>
      Effect.zipRight(domain.commit(rows, historyBounds(settings)), onCommit)
    const all = yield* Effect.either(write(commits))
    const failures = new Map<ScheduleId, StorageError>()
    if (all._tag === "Left" && commits.length === 1) failures.set(commits[0]!.id, all.left)
    if (all._tag === "Left" && commits.length > 1) {
      for (const row of commits) {
        const one = yield* Effect.either(write([row]))
        if (one._tag === "Left") failures.set(row.id, one.left)
      }
    }
    return failures
  })

  const inSlot = Effect.fnUntraced(function* (sessionId: SessionId, agent: ResolvedAgent) {
    const { now, tasks } = yield* dueNow(sessionId)
    if (tasks.length === 0) return
    const { failure, sent } = yield* Effect.catchAll(sendInTime(agent, DeliveryPlan.make(tasks, now)), failed(tasks))
    const deliveredAt = Instant.format(yield* Clock.currentTimeMillis)
    const unrecorded = yield* commit(sent.map((one) => toCommit(one, deliveredAt)))
    if (unrecorded.size > 0) {
      const [cause] = unrecorded.values()
      return yield* new DeliveryFailed({
        taskIds: [...unrecorded.keys()],
        message: "the deliveries were made, but their receipts could not be stored",
        cause
      })
    }
    if (failure !== undefined) {
      const delivered = new Set(sent.map(({ member }) => member.task))
      return yield* failed(tasks.filter((task) => !delivered.has(task)))(failure)
    }
  })

  return Effect.fn("Delivery.deliver")(function* (sessionId) {
    yield* Effect.annotateCurrentSpan({ sessionId })
    const { tasks } = yield* dueNow(sessionId)
    if (tasks.length === 0) return
    const agent = yield* Effect.catchAll(resolve(sessionId), failed(tasks))
    yield* fifo.run(inSlot(sessionId, agent))
  }, Effect.scoped)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Sent {
  readonly member: DeliveryPlan.Member
  readonly messageId: MessageId
}

// Sends the messages in order up to the first that the Agent refuses, and waits until the Session has them on disk. A member
// whose occurrence the Session holds already is not sent again.
const send = Effect.fnUntraced(function* (agent: ResolvedAgent, messages: ReadonlyArray<DeliveryPlan.Message>) {
  const sent: Array<Sent> = []
  const held = yield* heldMessages(agent, messages)
  const followups = Effect.gen(function* () {
    for (const { kind, members } of messages) {
      const fresh: Array<DeliveryPlan.Member> = []
      for (const member of members) {
        const messageId = held.get(member.key)
        if (messageId === undefined) fresh.push(member)
        else sent.push({ member, messageId })
      }
      if (fresh.length === 0) continue
      const keys = fresh.map(({ key }) => key)
      const messageId = yield* agent.followup({ text: DeliveryPlan.render(kind, fresh), keys })
      for (const member of fresh) sent.push({ member, messageId })
    }
  })
  const failure = yield* Effect.match(followups, { onFailure: (error) => error, onSuccess: () => undefined })
  if (failure !== undefined && sent.length === 0) return yield* failure
  if (!(yield* agent.flush)) {
    return yield* new AgentUnavailable({ message: "the Session did not acknowledge its messages" })
  }
  return { sent, failure }
})

const heldMessages = (
  agent: ResolvedAgent,
  messages: ReadonlyArray<DeliveryPlan.Message>
): Effect.Effect<ReadonlyMap<string, MessageId>, AgentUnavailable> => {
  const unrecorded = messages.flatMap(({ members }) => members.filter(DeliveryPlan.isUnrecorded))
  return agent.heldKeys === undefined || unrecorded.length === 0
    ? Effect.succeed(new Map())
    : agent.heldKeys(unrecorded.map(({ key }) => key))
}

const failed =
  (tasks: ReadonlyArray<TaskSummary>) =>
  ({ cause, message }: AgentUnavailable): Effect.Effect<never, DeliveryFailed> =>
    new DeliveryFailed({ taskIds: tasks.map(({ record }) => record.id), message, cause })

const toCommit = ({ member, messageId }: Sent, deliveredAt: Instant.Instant): DeliveryCommit => ({
  id: member.task.record.id,
  receipt: { scheduledAt: member.occurrenceAt, deliveredAt, messageId },
  prompt: member.task.record.prompt,
  next: member.next
})
