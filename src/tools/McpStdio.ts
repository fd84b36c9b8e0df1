/**
 * The Model Context Protocol over stdio: one JSON message per line.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as FiberMap from "effect/FiberMap"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import type * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as JsonLines from "./JsonLines.ts"
import * as JsonRpc from "./JsonRpc.ts"
import type { Answer } from "./McpServer.ts"

/**
 * What the lines are answered with: a server of this process, or another one that they are passed on to.
 *
 * @since 0.1.0
 * @category models
 */
export type Answerer = (value: unknown) => Effect.Effect<Option.Option<Answer>>

/**
 * The longest line in UTF-16 code units: 1 Mi.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxLine = 1024 * 1024

/**
 * Serves one client until its input ends; what was asked by then is still answered. Requests run side by side, at most
 * `concurrency` (default 16), and `notifications/cancelled` interrupts one, which is then not answered. Nothing but messages
 * goes to `stdout`, so log elsewhere.
 *
 * @since 0.1.0
 * @category constructors
 */
export const run = <EIn, RIn, EOut, ROut>(options: {
  readonly answer: Answerer
  readonly stdin: Stream.Stream<Uint8Array, EIn, RIn>
  readonly stdout: Sink.Sink<void, string, unknown, EOut, ROut>
  readonly concurrency?: number
}): Effect.Effect<void, EIn | EOut, RIn | ROut> =>
  Effect.gen(function* () {
    const output = yield* Mailbox.make<string>()
    const running = yield* FiberMap.make<JsonRpc.Id | symbol, void, never>()
    const permits = yield* Effect.makeSemaphore(options.concurrency ?? 16)
    const send = (answer: Answer) => output.offer(JsonLines.encode(answer))

    const start = (value: unknown) => {
      const key = keyOf(value)
      return FiberMap.run(
        running,
        // no client may use an id twice, but one that does so withdraws nothing by it
        FiberMap.unsafeHas(running, key) ? Symbol() : key,
        options
          .answer(value)
          .pipe(
            Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: send })),
            Effect.ensuring(permits.release(1))
          )
      )
    }

    const receive = (line: Either.Either<unknown, JsonLines.Unreadable>) => {
      if (Either.isLeft(line)) return send(JsonRpc.parseError)
      const cancelled = cancelledBy(line.right)
      return cancelled === undefined
        ? // The client is not read further than it can be served.
          Effect.zipRight(permits.take(1), start(line.right))
        : FiberMap.remove(running, cancelled)
    }

    const writing = yield* Effect.forkScoped(Stream.run(Mailbox.toStream(output), options.stdout))
    const reading = Stream.runForEach(JsonLines.decode(options.stdin, { maxLine }), receive).pipe(
      Effect.zipRight(FiberMap.awaitEmpty(running)),
      Effect.zipRight(output.end),
      Effect.zipRight(Fiber.join(writing))
    )
    // When nobody reads the answers any more, there is no use in waiting for more questions.
    yield* Effect.raceFirst(reading, Fiber.join(writing))
  }).pipe(Effect.scoped)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** A request is known by its id, so that it can be cancelled; anything else by itself. */
const keyOf = (value: unknown): JsonRpc.Id | symbol => {
  const message = JsonRpc.decode(value)
  return message._tag === "Request" ? message.id : Symbol()
}

const cancelledBy = (value: unknown): JsonRpc.Id | undefined => {
  const message = JsonRpc.decode(value)
  if (message._tag !== "Notification" || message.method !== "notifications/cancelled") return undefined
  const { requestId } = message.params
  return typeof requestId === "string" || typeof requestId === "number" ? requestId : undefined
}
