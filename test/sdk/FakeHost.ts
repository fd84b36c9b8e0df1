import { Effect, Mailbox, Sink, Stream } from "effect"
import * as SdkClient from "../../src/sdk/SdkClient.ts"
import type { Message } from "./Wire.ts"

export const greeting = { protocol: 1, version: "1.2.3", flushTimeout: 10_000 }

/** What a client talks to when a test plays the Host: it reads what the client writes, and says whatever it likes. */
export const make = Effect.gen(function* () {
  const toClient = yield* Mailbox.make<string, "broken">()
  const fromClient = yield* Mailbox.make<string>()
  const read = (line: string) => fromClient.offer(line)
  const connection: SdkClient.Connection = {
    input: Stream.encodeText(Mailbox.toStream(toClient)),
    output: Sink.ensuring(Sink.forEach(read), fromClient.end)
  }
  const received: Array<Message> = []
  const next = (fits: (message: Message) => boolean): Effect.Effect<Message> =>
    Effect.suspend(() => {
      const at = received.findIndex(fits)
      if (at >= 0) return Effect.succeed(received.splice(at, 1)[0]!)
      return Effect.flatMap(Effect.orDie(fromClient.take), (line) => {
        received.push(JSON.parse(line))
        return next(fits)
      })
    })
  const write = (text: string) => Effect.asVoid(toClient.offer(text))
  const say = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const asked = (method: string) => next((message) => message.method === method)
  const answer = (method: string, result: unknown) => Effect.flatMap(asked(method), ({ id }) => say({ id, result }))
  return {
    connection,
    write,
    say,
    /** Waits for a message of the client that fits; others are kept for later. */
    next,
    asked,
    answer,
    deliver: (deliveryId: string, sessionId: string) =>
      say({ method: "sdk.delivery", params: { deliveryId, sessionId, message: { id: "m", text: "t", keys: ["k"] } } }),
    /** Everything that the client has said and nobody looked at. */
    rest: Effect.map(fromClient.clear, (lines) => [...received, ...Array.from(lines, (line) => JSON.parse(line))]),
    die: toClient.end,
    breakDown: toClient.fail("broken"),
    /** Waits until the client writes no more. */
    inputEnded: fromClient.await,
    /** A client that has been made ready. */
    client: (handlers: SdkClient.Handlers) =>
      Effect.zipWith(
        SdkClient.make(connection, handlers),
        Effect.zipRight(answer("sdk.ready", greeting), answer("sdk.deliveries", null)),
        (client) => client,
        { concurrent: true }
      )
  }
})
