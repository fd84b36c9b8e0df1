import { Effect, Fiber, Mailbox, Sink, Stream } from "effect"
import type { Connection } from "../../src/sdk/SdkClient.ts"
import * as SdkServer from "../../src/sdk/SdkServer.ts"

type Mount = SdkServer.Options<never, never>["mount"]

/** A server at the other end of two pipes in memory. */
export const serve = Effect.fnUntraced(function* (mount: Mount, stop: Effect.Effect<void> = Effect.never) {
  const toServer = yield* Mailbox.make<Uint8Array>()
  const fromServer = yield* Mailbox.make<string>()
  const read = (line: string) => fromServer.offer(line)
  const server = yield* SdkServer.run({
    mount,
    version: "1.2.3",
    stdin: Mailbox.toStream(toServer),
    stdout: Sink.forEach(read),
    stop
  }).pipe(Effect.zipLeft(fromServer.end), Effect.forkScoped)
  const writeBytes = (bytes: Uint8Array) => Effect.asVoid(toServer.offer(bytes))
  const write = (text: string) => writeBytes(new TextEncoder().encode(text))
  const connection: Connection = {
    input: Stream.encodeText(Mailbox.toStream(fromServer)),
    output: Sink.forEach(write)
  }
  return { connection, fromServer, write, writeBytes, hangUp: toServer.end, ended: Fiber.join(server) }
})

/** A client that writes lines and reads them: what any language has. */
export const raw = Effect.fnUntraced(function* (mount: Mount, stop?: Effect.Effect<void>) {
  const wire = yield* serve(mount, stop)
  const received: Array<Message> = []
  const next = (fits: (message: Message) => boolean): Effect.Effect<Message> =>
    Effect.suspend(() => {
      const at = received.findIndex(fits)
      if (at >= 0) return Effect.succeed(received.splice(at, 1)[0]!)
      return Effect.flatMap(Effect.orDie(wire.fromServer.take), (line) => {
        received.push(JSON.parse(line))
        return next(fits)
      })
    })
  const send = (value: unknown) => wire.write(`${JSON.stringify(value)}\n`)
  let calls = 0
  const call = (method: string, params: object = {}) =>
    Effect.suspend(() => {
      const id = ++calls
      return Effect.zipRight(
        send({ jsonrpc: "2.0", id, method, params }),
        next((message) => message.id === id && message.method === undefined)
      )
    })
  const result = (method: string, params: object = {}) =>
    Effect.map(call(method, params), (answer) => {
      if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
      return answer.result
    })
  return {
    ...wire,
    send,
    call,
    result,
    /** Waits for a message that fits; others are kept for later. */
    next,
    /** Waits for what the Host says of itself. */
    said: (method: string) => next((message) => message.method === method),
    /** Everything that was said and not yet looked at. */
    rest: Effect.map(wire.fromServer.clear, (lines) => {
      received.push(...Array.from(lines, (line) => JSON.parse(line)))
      return received
    })
  }
})

/** A message of the server, as JSON. */
export interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: {
    readonly deliveryId: string
    readonly sessionId: string
    readonly message: { readonly id: string; readonly text: string; readonly keys: ReadonlyArray<string> }
    readonly keys: ReadonlyArray<string>
    readonly id: unknown
  }
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data: { readonly code: string } }
}
