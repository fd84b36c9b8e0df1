/**
 * The lines of JSON in which calls and answers cross HTTP, WebSocket, and what connects Hosts.
 *
 * Like `RpcSerialization.ndjson`, with what a server on an open port needs: text that a network cuts in the middle of a
 * character stays whole, a malformed line does not wedge the connection that sent it, only what is a message reaches the RPC
 * server, and a line is bounded.
 *
 * @since 0.1.0
 */
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Json from "./Json.ts"

/**
 * For a server: at most `maxLine` characters a line; anything that is not a client's message is refused. `whole` data, such as
 * the body of a request, may leave out the last line break.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerServer = (options: {
  readonly maxLine: number
  readonly whole: boolean
}): Layer.Layer<RpcSerialization.RpcSerialization> =>
  Layer.succeed(
    RpcSerialization.RpcSerialization,
    make({ ...options, read: (line) => decodeClientMessage(Json.parse(line)) })
  )

/**
 * For a client, which trusts the Host that it called: lines of any length.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<RpcSerialization.RpcSerialization> = Layer.suspend(() =>
  Layer.succeed(
    RpcSerialization.RpcSerialization,
    make({ maxLine: Number.POSITIVE_INFINITY, whole: false, read: (line) => JSON.parse(line) })
  )
)

/**
 * For both sides between Hosts, which show each other that they are Hosts in what they send: at most 16 Mi characters a line.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPeer: Layer.Layer<RpcSerialization.RpcSerialization> = Layer.suspend(() =>
  Layer.succeed(
    RpcSerialization.RpcSerialization,
    make({ maxLine: 16 * 1024 * 1024, whole: false, read: (line) => JSON.parse(line) })
  )
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Options {
  readonly maxLine: number
  readonly whole: boolean
  readonly read: (line: string) => unknown
}

const make = ({ maxLine, read, whole }: Options): RpcSerialization.RpcSerialization["Type"] => ({
  contentType: "application/ndjson",
  includesFraming: true,
  unsafeMake: () => {
    const decoder = new TextDecoder()
    let rest = ""
    return {
      decode: (data) => {
        const lines = (rest + (typeof data === "string" ? data : decoder.decode(data, { stream: true }))).split("\n")
        // whatever happens below, nothing of these lines is looked at again
        rest = whole && lines.at(-1) !== "" ? "" : (lines.pop() ?? "")
        const longest = lines.reduce((length, line) => Math.max(length, line.length), rest.length)
        if (longest > maxLine) {
          rest = ""
          throw new RpcSerialization.RpcSerializationError({
            reason: "BufferSizeExceeded",
            maxBufferSize: maxLine,
            bufferSize: longest
          })
        }
        return lines.map(read)
      },
      encode: (message) =>
        Array.isArray(message)
          ? message.map((one) => `${JSON.stringify(one)}\n`).join("")
          : `${JSON.stringify(message)}\n`
    }
  }
})

const RequestId = Schema.String.pipe(Schema.pattern(/^\d{1,20}$/))
const Text = Schema.optional(Schema.String)

const ClientMessage = Schema.Union(
  Schema.TaggedStruct("Request", {
    id: RequestId,
    tag: Schema.String,
    payload: Schema.optional(Schema.Unknown),
    headers: Schema.Array(Schema.Tuple(Schema.String, Schema.String)),
    traceId: Text,
    spanId: Text,
    sampled: Schema.optional(Schema.Boolean)
  }),
  Schema.Struct({ _tag: Schema.Literal("Ack", "Interrupt"), requestId: RequestId }),
  Schema.Struct({ _tag: Schema.Literal("Ping", "Eof") })
)

const isClientMessage = Schema.is(ClientMessage)

const decodeClientMessage = (message: unknown): unknown => {
  // why it is none is not told: it could be longer than what was sent
  if (isClientMessage(message)) return message
  throw new TypeError("the line is not a message of a client")
}
