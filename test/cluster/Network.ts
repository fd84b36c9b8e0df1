import { EntityNotAssignedToRunner, RunnerUnavailable } from "@effect/cluster/ClusterError"
import * as Message from "@effect/cluster/Message"
import * as Reply from "@effect/cluster/Reply"
import type { RunnerAddress } from "@effect/cluster/RunnerAddress"
import * as Runners from "@effect/cluster/Runners"
import type { Sharding } from "@effect/cluster/Sharding"
import * as Snowflake from "@effect/cluster/Snowflake"
import { Deferred, Effect, Layer, Option, Schema } from "effect"
import * as AtMostOnce from "../../src/cluster/AtMostOnce.ts"

/**
 * What a connection does with a call: `refused` before it leaves, `lost` after it was answered, `frozen` for ever; or it reaches a
 * Host that is not the owner, `misled`.
 */
export type Fault = "refused" | "lost" | "frozen" | "misled" | undefined

/** The connections between the Hosts of a test, all in one process, with the same encoding as on a wire. */
export class Network {
  readonly hosts = new Map<string, Sharding["Type"]>()
  fault: (to: RunnerAddress, tag: string) => Fault = () => undefined
  /** The calls that reached a Host. */
  readonly arrived: Array<string> = []

  /** The other Hosts as one of them reaches them. */
  get layer(): Layer.Layer<Runners.Runners, never, Layer.Layer.Context<typeof Runners.layerNoop>> {
    const send: Runners.Runners["Type"]["send"] = ({ address, message }) =>
      Effect.gen(this, function* () {
        const host = this.hosts.get(String(address))
        const gone = new RunnerUnavailable({ address })
        if (message._tag === "OutgoingEnvelope") {
          if (host === undefined) return yield* gone
          return yield* host.send(new Message.IncomingEnvelope({ envelope: message.envelope }))
        }
        const fault = this.fault(address, message.envelope.tag)
        if (host === undefined || fault === "refused") return yield* gone
        yield* AtMostOnce.note(true)
        if (fault === "frozen") return yield* Effect.never
        if (fault === "misled") return yield* new EntityNotAssignedToRunner({ address: message.envelope.address })
        const request = yield* Effect.orDie(Message.serializeRequest(message))
        const answered = yield* Deferred.make<unknown>()
        this.arrived.push(message.envelope.tag)
        yield* host.send(
          new Message.IncomingRequest({
            envelope: request,
            lastSentReply: Option.none(),
            respond: (reply) =>
              Effect.flatMap(Effect.orDie(Reply.serialize(reply)), (encoded) => Deferred.succeed(answered, encoded))
          })
        )
        const encoded = yield* Deferred.await(answered)
        if (fault === "lost") return yield* gone
        const reply = yield* Effect.orDie(Schema.decodeUnknown(Reply.Reply(message.rpc))(encoded))
        yield* message.respond(reply)
      })
    return Layer.scoped(
      Runners.Runners,
      Runners.make({ send, notify: () => Effect.void, ping: () => Effect.void, onRunnerUnavailable: () => Effect.void })
    ).pipe(Layer.provide(Snowflake.layerGenerator))
  }
}
