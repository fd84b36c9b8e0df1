/**
 * The Host's side of the SDK protocol: one client over bytes in and lines out.
 *
 * @since 0.1.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { ScheduleClient } from "../remote/ScheduleClient.ts"
import { ScheduleRpcs } from "../remote/ScheduleRpcs.ts"
import * as ScheduleUnavailable from "../remote/ScheduleUnavailable.ts"
import { AgentResolver, type Handler } from "../runtime/AgentResolver.ts"
import { ScheduleConfig, type Settings } from "../runtime/ScheduleConfig.ts"
import type { OpenError } from "../storage/StorageError.ts"
import type * as JsonRpc from "../tools/JsonRpc.ts"
import type { Mounted } from "./Composition.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Peer from "./Peer.ts"
import * as ScheduleMethods from "./ScheduleMethods.ts"
import * as SdkFailure from "./SdkFailure.ts"
import * as SdkProtocol from "./SdkProtocol.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options<EIn, EOut> {
  /** Schedule around the client's handler, which is built when the client is ready. */
  readonly mount: (handler: (settings: Settings) => Handler) => Layer.Layer<Mounted, OpenError | ConfigError>
  /** Of this program, as the client learns it. */
  readonly version: string
  readonly stdin: Stream.Stream<Uint8Array, EIn>
  /** Gets nothing but messages, so log elsewhere. */
  readonly stdout: Sink.Sink<void, string, unknown, EOut>
  /** Ends when the server is to stop before its client does; the default never. */
  readonly stop?: Effect.Effect<void>
}

/**
 * Serves until the client's input ends, answering what was asked by then, or until `stop`, while acknowledgements still come
 * in; in either case what was accepted is finished before it returns. A client that does not read its answers holds a stop up
 * for 5 s at most.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = <EIn, EOut>(options: Options<EIn, EOut>): Effect.Effect<void> =>
  Effect.gen(function* () {
    const stop = options.stop ?? Effect.never
    const peer = yield* Peer.make({ input: options.stdin, output: options.stdout, urgent })
    const host = yield* make(peer, options)
    const reading = yield* Effect.forkScoped(peer.serve(host.handle))
    yield* Effect.raceFirst(Effect.zipRight(Fiber.await(reading), peer.idle), stop)
    yield* host.close
    yield* Fiber.interrupt(reading)
    yield* Effect.raceFirst(peer.finish, Effect.zipRight(stop, Effect.sleep(patience)))
  }).pipe(Effect.scoped, Effect.annotateLogs({ module: "SdkServer" }))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const patience = "5 seconds"

/** An acknowledgement must not wait behind calls that themselves wait for the delivery which it ends. */
const urgent = new Set(["sdk.acknowledge"])

interface Mount {
  readonly scope: Scope.CloseableScope
  readonly methods: Readonly<Record<string, ScheduleMethods.Method>>
}

const make = Effect.fnUntraced(function* (peer: Peer.Peer, options: Pick<Options<never, never>, "mount" | "version">) {
  const deliveries = yield* Deliveries.make(peer)
  const changing = yield* Effect.makeSemaphore(1)
  let mount: Mount | undefined
  let isStopping = false

  const build = Effect.fnUntraced(function* (
    { alreadyHas = false }: typeof SdkProtocol.Ready.params.Type,
    scope: Scope.Scope
  ) {
    const layer = options.mount(({ flushTimeout }) => deliveries.handler({ flushTimeout, alreadyHas }))
    const context = yield* Layer.buildWithScope(layer, scope).pipe(
      Effect.tapErrorCause((cause) => Effect.logWarning("The store of this home did not open.", cause)),
      Effect.mapError(SdkFailure.fromOpening)
    )
    const client = Context.get(context, ScheduleClient)
    const { flushTimeout } = Context.get(context, ScheduleConfig)
    const { register } = Context.get(context, AgentResolver)
    const changes = yield* watch(client, scope)
    let takesDeliveries = false
    const takeDeliveries = Effect.suspend(() => {
      if (takesDeliveries) return Effect.void
      takesDeliveries = true
      // registered once more, so that what is overdue by then is reconsidered
      const again = Scope.extend(register(deliveries.handler({ flushTimeout, alreadyHas })), scope)
      return Effect.zipRight(deliveries.subscribe, again)
    })
    const methods: Mount["methods"] = {
      ...ScheduleMethods.make(client),
      "schedule.changed": method(ScheduleMethods.Nothing, () => changes),
      "sdk.deliveries": method(ScheduleMethods.Nothing, () => Effect.uninterruptible(takeDeliveries))
    }
    return { methods, flushTimeout: Duration.toMillis(flushTimeout) }
  })

  /** Listens from the start, so that no change falls between a subscription and its answer. */
  const watch = Effect.fnUntraced(function* (client: ScheduleClient["Type"], scope: Scope.Scope) {
    const stands = yield* Deferred.make<void, SdkFailure.SdkFailure>()
    let isWanted = false
    const announce = Effect.suspend(() => (isWanted ? peer.notify("schedule.changed", {}) : Effect.void))
    yield* Stream.runForEach(client.changes, () => Effect.zipLeft(announce, Deferred.succeed(stands, undefined))).pipe(
      Effect.catchTag("ScheduleUnavailable", (error) => Deferred.fail(stands, SdkFailure.fromUnavailable(error))),
      Effect.ignore,
      Effect.forkIn(scope)
    )
    yield* Deferred.await(stands)
    return Effect.sync(() => {
      isWanted = true
    })
  })

  const ready = (params: typeof SdkProtocol.Ready.params.Type) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        if (isStopping) return yield* hostStopping
        if (mount !== undefined) return yield* alreadyReady
        const scope = yield* Scope.make()
        const { flushTimeout, methods } = yield* restore(build(params, scope)).pipe(
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        mount = { scope, methods }
        const answer: typeof SdkProtocol.Ready.result.Type = {
          protocol: SdkProtocol.protocol,
          version: options.version,
          flushTimeout
        }
        return answer
      })
    )

  const own: Readonly<Record<string, ScheduleMethods.Method>> = {
    "sdk.ready": method(SdkProtocol.Ready.params, (params) => changing.withPermits(1)(ready(params))),
    "sdk.acknowledge": method(SdkProtocol.Acknowledge.params, deliveries.acknowledge)
  }

  const handle: Peer.Handle = (name, params) => {
    if (Object.hasOwn(own, name)) return own[name]!(params)
    if (!names.has(name)) return SdkFailure.make("method_not_found", "the method is not known here")
    const call = Effect.suspend(() => {
      if (isStopping) return hostStopping
      return mount === undefined ? notReady : mount.methods[name]!(params)
    })
    // what was sent right behind sdk.ready waits for it
    return mount === undefined ? Effect.zipRight(changing.withPermits(1)(Effect.void), call) : call
  }

  const close = Effect.suspend(() => {
    isStopping = true
    return changing.withPermits(1)(
      Effect.suspend(() => (mount === undefined ? Effect.void : Scope.close(mount.scope, Exit.void)))
    )
  })
  yield* Effect.addFinalizer(() => close)
  return { handle, close }
})

const names: ReadonlySet<string> = new Set([...ScheduleRpcs.requests.keys(), "sdk.deliveries"])

const method = <P, I>(
  schema: Schema.Schema<P, I>,
  call: (params: P) => Effect.Effect<unknown, SdkFailure.SdkFailure>
) => {
  const decode = ScheduleMethods.decodeParams(schema)
  return (params: JsonRpc.Params) => Effect.flatMap(decode(params), call)
}

const notReady = SdkFailure.make("not_ready", "call sdk.ready first")

const alreadyReady = SdkFailure.make("already_ready", "sdk.ready was called already")

const hostStopping = SdkFailure.fromUnavailable(ScheduleUnavailable.make("host_stopping"))
