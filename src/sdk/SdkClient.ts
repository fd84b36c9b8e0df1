/**
 * A client of the SDK protocol: the `schedule` namespace of a Host that delivers to this program.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as PubSub from "effect/PubSub"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { MessageId, SessionId } from "../domain/Identifiers.ts"
import { InputCode, ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { ScheduleClient } from "../remote/ScheduleClient.ts"
import * as Rpcs from "../remote/ScheduleRpcs.ts"
import * as ScheduleUnavailable from "../remote/ScheduleUnavailable.ts"
import { SessionRefused } from "../remote/SessionRefused.ts"
import { DelegationDepth } from "./DelegationDepth.ts"
import * as Peer from "./Peer.ts"
import * as ScheduleMethods from "./ScheduleMethods.ts"
import * as SdkFailure from "./SdkFailure.ts"
import * as SdkProtocol from "./SdkProtocol.ts"

/**
 * The two ends of a Host's stdio.
 *
 * @since 0.1.0
 * @category models
 */
export interface Connection {
  /** What the Host writes. */
  readonly input: Stream.Stream<Uint8Array, unknown>
  /** What the Host reads. */
  readonly output: Sink.Sink<void, string, unknown, unknown>
}

/**
 * What this program does for its Sessions. Deliveries to different Sessions may come side by side.
 *
 * @since 0.1.0
 * @category models
 */
export interface Handlers {
  /**
   * Puts a message into a Session's inbox and answers whether it is durably there. False, a failure and a defect refuse it;
   * the Host tries again later.
   */
  readonly deliver: (delivery: SdkProtocol.Delivery) => Effect.Effect<boolean, unknown>

  /**
   * Which of these keys a Session holds already, each with its message's id. Without it, a message whose acknowledgement got
   * lost comes again.
   */
  readonly alreadyHas?: (query: {
    readonly sessionId: SessionId
    readonly keys: ReadonlyArray<string>
  }) => Effect.Effect<ReadonlyMap<string, MessageId>, unknown>
}

/**
 * A Host that is ready and delivers. A call on behalf of a delegated child is made with `DelegationDepth` provided.
 *
 * @since 0.1.0
 * @category models
 */
export interface SdkClient {
  readonly schedule: ScheduleClient["Type"]

  /** The version of the Host's program. */
  readonly version: string

  /** How long the Host waits for an acknowledgement, in milliseconds. */
  readonly flushTimeout: number

  /** Waits until the Host is gone, after which every call fails as `host_unreachable`. */
  readonly gone: Effect.Effect<void>
}

/**
 * Makes a Host ready and takes its deliveries until the scope closes. Fails as `SdkFailure` when the Host cannot be made ready:
 * its code and message say why.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  connection: Connection,
  handlers: Handlers
): Effect.Effect<SdkClient, SdkFailure.SdkFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const peer = yield* Peer.make({ ...connection, maxLine: Number.POSITIVE_INFINITY, urgent: told })
    const changed = yield* PubSub.sliding<void>(1)
    yield* Effect.forkScoped(peer.serve(handle(peer, handlers, changed)))
    const greeting = yield* peer.request("sdk.ready", { alreadyHas: handlers.alreadyHas !== undefined })
    const { flushTimeout, protocol, version } = yield* Effect.mapError(decodeReady(greeting), notUnderstood)
    if (protocol !== SdkProtocol.protocol) return yield* otherProtocol(version)
    yield* peer.request("sdk.deliveries", {})
    return { schedule: namespace(peer, changed), version, flushTimeout, gone: peer.gone }
  }).pipe(Effect.annotateLogs({ module: "SdkClient" }))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const decodeReady = Schema.decodeUnknown(SdkProtocol.Ready.result)
const decodeDelivery = ScheduleMethods.decodeParams(SdkProtocol.Delivery)
const decodeQuery = ScheduleMethods.decodeParams(SdkProtocol.AlreadyHas.params)
const isInputCode = Schema.is(InputCode)
const isUnavailable = Schema.is(ScheduleUnavailable.UnavailableCode)
const isSessionCode = Schema.is(SessionRefused.fields.code)
const Refusal = Schema.Struct({ code: Schema.String, message: Schema.String })
const isRefusal = Schema.is(Refusal)

/** The Host bounds what it says at a time; here, a handler that hangs must keep nothing back that is meant for another. */
const told = new Set(["sdk.delivery", "sdk.alreadyHas", "schedule.changed"])

const otherProtocol = (version: string) =>
  SdkFailure.make("unsupported_protocol", `the Host, version ${version}, speaks another version of the protocol`)

const notUnderstood = () => SdkFailure.make("internal_error", "the Host's answer is not understood")

const handle = (peer: Peer.Peer, { alreadyHas, deliver }: Handlers, changed: PubSub.PubSub<void>): Peer.Handle => {
  const onDelivery = (delivery: SdkProtocol.Delivery) =>
    Effect.sandbox(Effect.suspend(() => deliver(delivery))).pipe(
      Effect.tapError((cause) => Effect.logWarning("A delivery failed.", cause)),
      Effect.match({
        onFailure: () => ({ flushed: false, error: "the client's handler failed" }),
        onSuccess: (flushed) => ({ flushed })
      }),
      Effect.flatMap((outcome) => peer.request("sdk.acknowledge", { deliveryId: delivery.deliveryId, ...outcome }))
    )
  return (method, params) => {
    switch (method) {
      case "sdk.delivery":
        return Effect.flatMap(decodeDelivery(params), onDelivery)
      case "schedule.changed":
        return PubSub.publish(changed, undefined)
      case "sdk.alreadyHas":
        return alreadyHas === undefined
          ? SdkFailure.make("method_not_found", "the method is not known here")
          : Effect.flatMap(decodeQuery(params), alreadyHas).pipe(
              Effect.map((held) => Object.fromEntries(held)),
              Effect.tapErrorCause((cause) => Effect.logWarning("A question for keys failed.", cause)),
              Effect.mapError(() => SdkFailure.make("internal_error", "the client's handler failed"))
            )
      default:
        return SdkFailure.make("method_not_found", "the method is not known here")
    }
  }
}

const namespace = (peer: Peer.Peer, changed: PubSub.PubSub<void>): ScheduleClient["Type"] => {
  const ask = (method: string, params: object) =>
    Effect.mapError(peer.request(method, { ...params }), (failure) => ScheduleUnavailable.make(codeOf(failure)))

  const call = <A, I>(method: string, params: object, success: Schema.Schema<A, I>) =>
    Effect.flatMap(ask(method, params), (answer) => Effect.mapError(Schema.decodeUnknown(success)(answer), internal))

  /** A call whose answer can be a refusal. Only a task's own answers have its id. */
  const refusable = <A, I, E>(
    method: string,
    params: object,
    success: Schema.Schema<A, I>,
    refuse: (refusal: typeof Refusal.Type) => E
  ): Effect.Effect<A, E | ScheduleUnavailable.ScheduleUnavailable> =>
    Effect.flatMap(
      ask(method, params),
      (answer): Effect.Effect<A, E | ScheduleUnavailable.ScheduleUnavailable> =>
        isRefusal(answer) && !Predicate.hasProperty(answer, "id")
          ? Effect.fail(refuse(answer))
          : Effect.mapError(Schema.decodeUnknown(success)(answer), internal)
    )

  return {
    create: (sessionId, request) =>
      Effect.flatMap(DelegationDepth, (delegationDepth) =>
        refusable("schedule.create", { sessionId, request, delegationDepth }, Rpcs.Create.successSchema, createError)
      ),
    list: (query) => call("schedule.list", query, Rpcs.List.successSchema),
    catalog: () => call("schedule.catalog", {}, Rpcs.Catalog.successSchema),
    catalogPage: (query) => refusable("schedule.catalogPage", query, Rpcs.CatalogPage.successSchema, inputError),
    history: (query) => refusable("schedule.history", query, Rpcs.History.successSchema, inputError),
    update: (request) =>
      Effect.flatMap(DelegationDepth, (delegationDepth) =>
        call("schedule.update", { ...request, delegationDepth }, Rpcs.Update.successSchema)
      ),
    delete: (address) => call("schedule.delete", address, Rpcs.Delete.successSchema),
    deleteInactive: () => call("schedule.deleteInactive", {}, Rpcs.DeleteInactive.successSchema),
    preview: (request) => refusable("schedule.preview", { request }, Rpcs.Preview.successSchema, inputError),
    changes: Stream.unwrapScoped(
      Effect.gen(function* () {
        const queue = yield* PubSub.subscribe(changed)
        yield* ask("schedule.changed", {})
        return Stream.concat(Stream.succeed(undefined), Stream.fromQueue(queue)).pipe(
          Stream.interruptWhen(peer.gone),
          Stream.concat(Stream.fail(ScheduleUnavailable.make("host_unreachable")))
        )
      })
    )
  }
}

const codeOf = ({ code }: SdkFailure.SdkFailure): ScheduleUnavailable.UnavailableCode =>
  code === "client_gone" ? "host_unreachable" : isUnavailable(code) ? code : "internal_error"

const internal = () => ScheduleUnavailable.make("internal_error")

const inputError = ({ code, message }: typeof Refusal.Type) =>
  isInputCode(code) ? new ScheduleInputError({ code, message }) : internal()

const createError = ({ code, message }: typeof Refusal.Type) =>
  isSessionCode(code) && !isInputCode(code) ? new SessionRefused({ code, message }) : inputError({ code, message })
