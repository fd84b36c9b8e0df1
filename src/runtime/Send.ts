/**
 * Putting a delivery's messages into a Session's inbox, and having them on disk.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as DeliveryPlan from "../domain/DeliveryPlan.ts"
import type { MessageId, ScheduleId } from "../domain/Identifiers.ts"
import { AgentUnavailable, type ResolvedAgent } from "./AgentResolver.ts"

/**
 * A task's occurrence and the message that carries it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sent {
  readonly member: DeliveryPlan.Member
  readonly messageId: MessageId
}

/**
 * The messages that a Session holds from deliveries that were never recorded, by the keys of the members that they carry.
 * `isRecorded` says whether a message is in a task's history: then its occurrence comes again, because the clock went back, and
 * is a new one.
 *
 * @since 0.1.0
 * @category getters
 */
export const leftovers = Effect.fnUntraced(function* <E>(
  agent: ResolvedAgent,
  messages: ReadonlyArray<DeliveryPlan.Message>,
  isRecorded: (id: ScheduleId, messageId: MessageId) => Effect.Effect<boolean, E>
) {
  const left = new Map<string, MessageId>()
  const unrecorded = messages.flatMap(({ members }) => members.filter(DeliveryPlan.isUnrecorded))
  if (agent.heldKeys === undefined || unrecorded.length === 0) return left
  const held = yield* agent.heldKeys(unrecorded.map(({ key }) => key))
  for (const { key, task } of unrecorded) {
    const messageId = held.get(key)
    if (messageId === undefined) continue
    if (task.lastDelivery !== undefined && (yield* isRecorded(task.record.id, messageId))) continue
    left.set(key, messageId)
  }
  return left
})

/**
 * Sends messages in order up to the first that the Agent refuses, and waits until the Session has them on disk. A member
 * that one of the {@link leftovers} carries is not sent again.
 *
 * Answers what is on disk, and the refusal that ended it early, if one did. Fails when nothing is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const send = Effect.fnUntraced(function* (
  agent: ResolvedAgent,
  messages: ReadonlyArray<DeliveryPlan.Message>,
  left: ReadonlyMap<string, MessageId>
) {
  const sent: Array<Sent> = []
  const followups = Effect.gen(function* () {
    for (const { kind, members } of messages) {
      const fresh: Array<DeliveryPlan.Member> = []
      for (const member of members) {
        const messageId = left.get(member.key)
        if (messageId === undefined) fresh.push(member)
        else sent.push({ member, messageId })
      }
      if (fresh.length === 0) continue
      const keys = fresh.map(({ key }) => key)
      const messageId = yield* agent.followup({ text: DeliveryPlan.render(kind, fresh), keys })
      for (const member of fresh) sent.push({ member, messageId })
    }
  })
  const refusal = yield* Effect.match(followups, { onFailure: (error) => error, onSuccess: () => undefined })
  if (refusal !== undefined && sent.length === 0) return yield* refusal
  if (!(yield* agent.flush)) {
    return yield* new AgentUnavailable({ message: "the Session did not acknowledge its messages" })
  }
  return { sent, refusal }
})
