/**
 * One side of a JSON-RPC 2.0 conversation over lines. Both sides are alike: each may ask, notify and answer.
 *
 * @since 0.1.0
 */
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import type * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as Places from "../concurrency/Places.ts"
import * as JsonLines from "../tools/JsonLines.ts"
import * as JsonRpc from "../tools/JsonRpc.ts"
import * as SdkFailure from "./SdkFailure.ts"

/**
 * What a method does. Whatever it fails with is the answer; its defects are `internal_error`.
 *
 * @since 0.1.0
 * @category models
 */
export type Handle = (method: string, params: JsonRpc.Params) => Effect.Effect<unknown, SdkFailure.SdkFailure>

/**
 * Invariants:
 * 1. every request of the other side that has an id is answered exactly once, whatever it is, unless that side stops reading;
 * 2. notifications and answers are never answered;
 * 3. no line ends the conversation; only the end of the input does.
 *
 * @since 0.1.0
 * @category models
 */
export interface Peer {
  /** Asks the other side. Interruption tells it so with the notification {@link cancel}. Without the other side: `client_gone`. */
  readonly request: (method: string, params: JsonRpc.Params) => Effect.Effect<unknown, SdkFailure.SdkFailure>

  /** Waits while the other side reads too slowly. */
  readonly notify: (method: string, params: JsonRpc.Params) => Effect.Effect<void, SdkFailure.SdkFailure>

  /** Answers the other side until its input ends. To be run once. */
  readonly serve: (handle: Handle) => Effect.Effect<void>

  /** Waits until the other side can say nothing more. */
  readonly gone: Effect.Effect<void>

  /** Waits until nothing that was asked is unanswered. */
  readonly idle: Effect.Effect<void>

  /** Waits until all is answered and written; nothing can be said after it. */
  readonly finish: Effect.Effect<void>
}

/**
 * The notification `{id}` that withdraws a request, which is then answered as `cancelled`, unless it was done already.
 *
 * @since 0.1.0
 * @category constants
 */
export const cancel = "sdk.cancel"

/**
 * The longest line in UTF-16 code units: 1 Mi.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxLine = 1024 * 1024

/**
 * A conversation over bytes in and text out. Requests run side by side, 64 at a time, but for `urgent` ones, which never wait
 * for others; a side with 10 000 unanswered requests is not read further.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <EIn, EOut>(options: {
  readonly input: Stream.Stream<Uint8Array, EIn>
  readonly output: Sink.Sink<void, string, unknown, EOut>
  readonly urgent?: ReadonlySet<string>
  readonly maxLine?: number
}): Effect.Effect<Peer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const gone = yield* Deferred.make<void>()
    const fibers = yield* FiberSet.make<unknown, unknown>()
    const outbox = yield* Mailbox.make<string>(64)
    const turns = Places.make(64)
    const places = yield* Effect.makeSemaphore(10_000)
    const asked = new Map<JsonRpc.Id, Deferred.Deferred<unknown, SdkFailure.SdkFailure>>()
    const answering = new Map<JsonRpc.Id, Fiber.RuntimeFiber<unknown, SdkFailure.SdkFailure>>()
    let requests = 0
    let isGone = false

    const leave = Effect.suspend(() => {
      isGone = true
      for (const call of asked.values()) Deferred.unsafeDone(call, clientGone)
      return Deferred.succeed(gone, undefined)
    })
    const writing = yield* Stream.run(Mailbox.toStream(outbox), options.output).pipe(
      Effect.catchAll((error) => Effect.logDebug("The other side stopped reading.", error)),
      // when nobody reads any more, nobody waits for room to write
      Effect.ensuring(Effect.zipRight(outbox.shutdown, leave)),
      Effect.forkScoped
    )

    const send = (message: object) =>
      Effect.flatMap(outbox.offer(JsonLines.encode(message)), (sent) => (sent ? Effect.void : clientGone))

    const request: Peer["request"] = (method, params) =>
      Effect.suspend(() => {
        if (isGone) return clientGone
        const id = `${++requests}`
        const call = Deferred.unsafeMake<unknown, SdkFailure.SdkFailure>(Fiber.id(writing))
        asked.set(id, call)
        return send({ jsonrpc: "2.0", id, method, params }).pipe(
          Effect.zipRight(Deferred.await(call)),
          // a side that is not even reading is not told
          Effect.onInterrupt(() =>
            Effect.sync(() => outbox.unsafeOffer(JsonLines.encode({ jsonrpc: "2.0", method: cancel, params: { id } })))
          ),
          Effect.ensuring(Effect.sync(() => asked.delete(id)))
        )
      })

    const settle = (answer: object) => {
      const id = Predicate.hasProperty(answer, "id") ? answer.id : undefined
      const call = typeof id === "string" || typeof id === "number" ? asked.get(id) : undefined
      if (call === undefined) return
      Deferred.unsafeDone(
        call,
        Predicate.hasProperty(answer, "error")
          ? Effect.fail(SdkFailure.fromResponse(answer.error))
          : Effect.succeed(Predicate.hasProperty(answer, "result") ? answer.result : null)
      )
    }

    /** Starts what a message asks for, and answers with the effect that waits for its response. */
    const begin = Effect.fnUntraced(function* (value: unknown, handle: Handle): Effect.fn.Return<Outcome> {
      if (isAnswer(value)) {
        settle(value)
        return Effect.succeedNone
      }
      const message = JsonRpc.decode(value)
      if (message._tag === "Answer") return Effect.succeedNone
      if (message._tag === "Invalid") return Effect.succeedSome(invalid(message.id, message.error))
      const { method, params } = message
      if (method === cancel) {
        const running = typeof params.id === "string" || typeof params.id === "number" ? answering.get(params.id) : null
        if (running) yield* Fiber.interruptFork(running)
        return message._tag === "Request" ? Effect.succeedSome(JsonRpc.success(message.id, null)) : Effect.succeedNone
      }
      const work = Effect.suspend(() => handle(method, params))
      const fiber = yield* FiberSet.run(fibers, options.urgent?.has(method) ? work : turns.within(work))
      if (message._tag === "Notification") return Effect.as(Fiber.await(fiber), Option.none())
      const { id } = message
      answering.set(id, fiber)
      return Effect.map(Fiber.await(fiber), (exit) => {
        if (answering.get(id) === fiber) answering.delete(id)
        return Option.some(respond(id, exit))
      })
    })

    const waits = (value: unknown) =>
      Predicate.hasProperty(value, "method") &&
      typeof value.method === "string" &&
      value.method !== cancel &&
      !options.urgent?.has(value.method)

    const receive = (handle: Handle) =>
      Effect.fnUntraced(function* (line: Either.Either<unknown, JsonLines.Unreadable>) {
        if (Either.isLeft(line))
          return yield* Effect.asVoid(FiberSet.run(fibers, Effect.ignore(send(unreadable[line.left]))))
        const batch = isBatch(line.right)
        const values = isBatch(line.right) ? line.right : [line.right]
        const place = values.some(waits) ? 1 : 0
        yield* places.take(place)
        const outcomes = yield* Effect.forEach(values, (value) => begin(value, handle))
        const answer = Effect.flatMap(Effect.all(outcomes), (outcomes) => {
          const responses = Array.getSomes(outcomes)
          const [first] = responses
          return first === undefined ? Effect.void : send(batch ? responses : first)
        })
        yield* FiberSet.run(fibers, answer.pipe(Effect.ignore, Effect.ensuring(places.release(place))))
      })

    return {
      request,
      notify: (method, params) => send({ jsonrpc: "2.0", method, params }),
      serve: (handle) =>
        Stream.runForEach(
          JsonLines.decode(options.input, { maxLine: options.maxLine ?? maxLine }),
          receive(handle)
        ).pipe(
          Effect.catchAll((error) => Effect.logDebug("The other side cannot be read.", error)),
          Effect.ensuring(leave)
        ),
      gone: Deferred.await(gone),
      idle: FiberSet.awaitEmpty(fibers),
      finish: FiberSet.awaitEmpty(fibers).pipe(Effect.zipRight(outbox.end), Effect.zipRight(Fiber.await(writing)))
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Outcome = Effect.Effect<Option.Option<JsonRpc.Response>>

const clientGone = SdkFailure.make("client_gone", "the other side has gone")

const isBatch = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.length > 0

/** Also an answer to nothing: answering it could go back and forth for ever. */
const isAnswer = (value: unknown): value is object =>
  Predicate.isRecord(value) && !("method" in value) && ("result" in value || "error" in value)

const unreadable = {
  malformed: SdkFailure.toResponse(null, SdkFailure.make("parse_error", "the line is not JSON")),
  "too long": SdkFailure.toResponse(null, SdkFailure.make("invalid_request", "the line is too long"))
} as const

const invalid = (id: JsonRpc.Id | null, { code, message }: JsonRpc.RpcError): JsonRpc.Response =>
  SdkFailure.toResponse(
    id,
    SdkFailure.make(code === JsonRpc.codes.invalidParams ? "invalid_params" : "invalid_request", message)
  )

const respond = (id: JsonRpc.Id, exit: Exit.Exit<unknown, SdkFailure.SdkFailure>): JsonRpc.Response =>
  Exit.match(exit, {
    onSuccess: (result) => JsonRpc.success(id, result === undefined ? null : result),
    onFailure: (cause) => {
      for (const failure of Array.fromIterable(Cause.failures(cause))) return SdkFailure.toResponse(id, failure)
      return SdkFailure.toResponse(id, Cause.isInterrupted(cause) ? cancelled : internalError)
    }
  })

const cancelled = SdkFailure.make("cancelled", "the call was cancelled")

const internalError = SdkFailure.make("internal_error", "The schedule operation failed.")
