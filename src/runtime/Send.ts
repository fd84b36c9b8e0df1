/**
 * Putting a delivery's messages into a Session's inbox, and having them on disk.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as DeliveryPlan from "../domain/DeliveryPlan.ts"
import type { MessageId } from "../domain/Identifiers.ts"
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
 * Sends messages in order up to the first that the Agent refuses, and waits until the Session has them on disk. A member
 * whose occurrence the Session holds already, from a delivery that was never recorded, is not sent again.
 *
 * Answers what is on disk, and the refusal that ended it early, if one did. Fails when nothing is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const send = Effect.fnUntraced(function* (agent: ResolvedAgent, messages: ReadonlyArray<DeliveryPlan.Message>) {
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
  const refusal = yield* Effect.match(followups, { onFailure: (error) => error, onSuccess: () => undefined })
  if (refusal !== undefined && sent.length === 0) return yield* refusal
  if (!(yield* agent.flush)) {
    return yield* new AgentUnavailable({ message: "the Session did not acknowledge its messages" })
  }
  return { sent, refusal }
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const heldMessages = (
  agent: ResolvedAgent,
  messages: ReadonlyArray<DeliveryPlan.Message>
): Effect.Effect<ReadonlyMap<string, MessageId>, AgentUnavailable> => {
  const unrecorded = messages.flatMap(({ members }) => members.filter(DeliveryPlan.isUnrecorded))
  return agent.heldKeys === undefined || unrecorded.length === 0
    ? Effect.succeed(new Map())
    : agent.heldKeys(unrecorded.map(({ key }) => key))
}
