/**
 * The calls of this process that wait for the owner of a shard.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Whether a call may have had an effect: false for as long as it certainly reached nobody.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  readonly name: string
  sent: boolean
}

/**
 * @since 0.1.0
 * @category services
 */
export class Outstanding extends Context.Tag("host-schedule/cluster/Outstanding")<
  Outstanding,
  {
    /** Runs a call under a name of its own, which travels with it. */
    readonly run: <A, E, R>(use: (call: Call) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

    /** The call of a name, if it is one of this process that still waits. */
    readonly find: (name: string) => Call | undefined

    /** A call reached its owner, in this process or another. */
    readonly arrived: (name: string) => void
  }
>() {}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Outstanding> = Layer.sync(Outstanding, () => {
  const calls = new Map<string, Call>()
  return Outstanding.of({
    run: (use) =>
      Effect.suspend(() => {
        const call: Call = { name: randomUUID(), sent: false }
        calls.set(call.name, call)
        return Effect.ensuring(
          use(call),
          Effect.sync(() => calls.delete(call.name))
        )
      }),
    find: (name) => calls.get(name),
    arrived: (name) => {
      const call = calls.get(name)
      if (call !== undefined) call.sent = true
    }
  })
})
