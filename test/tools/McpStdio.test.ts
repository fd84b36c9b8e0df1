import { PassThrough } from "node:stream"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { Context, Effect, Exit, Fiber, Layer, Option, Queue, Sink, Stream, TestClock } from "effect"
import * as JsonRpc from "../../src/tools/JsonRpc.ts"
import * as McpServer from "../../src/tools/McpServer.ts"
import * as McpStdio from "../../src/tools/McpStdio.ts"
import { ScheduleTools } from "../../src/tools/ScheduleTools.ts"
import * as Desk from "./Desk.ts"

const check = { title: "Build check", prompt: "Check the build" }
const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" })
const cancelled = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })

describe("McpStdio", () => {
  it.scoped("serves the official client: all four tools", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      assert.deepStrictEqual(client.getServerVersion()?.name, "host-schedule")
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.lengthOf(tools, 4)

      const call = (name: string, args?: Record<string, unknown>) =>
        Effect.promise(() => client.callTool({ name, ...(args && { arguments: args }) }))
      const created = yield* call("schedule_create", { ...check, after_seconds: 600 })
      assert.isNotTrue(created.isError)
      const { id } = created.structuredContent as { readonly id: string }
      assert.nestedPropertyVal(yield* call("schedule_list"), "structuredContent.reminders[0].id", id)
      const updated = yield* call("schedule_update", { id, title: "New" })
      assert.nestedPropertyVal(updated, "structuredContent.title", "New")
      assert.deepNestedPropertyVal(yield* call("schedule_delete", { id }), "structuredContent", { id, deleted: true })
      const refused = yield* call("schedule_create", { ...check, every_seconds: 1 })
      assert.isTrue(refused.isError)
      assert.nestedPropertyVal(refused, "structuredContent.code", "frequency_too_high")
      const unknown = yield* Effect.tryPromise(() => client.callTool({ name: "x" })).pipe(Effect.flip)
      assert.match(String(unknown.error), /-32602/)
    })
  )

  it.scoped(
    "answers every request by its id, numbers and strings alike, and goes on after lines that are no messages",
    () =>
      Effect.gen(function* () {
        const { answer } = yield* server
        const answers = yield* converse(answer, [
          `${JSON.stringify(ping(1))}\n`,
          "not json\n",
          "\n  \r\n",
          `${JSON.stringify(ping("a"))}\r\n{"jsonrpc":"2.0"}\n`,
          `${JSON.stringify([ping(2), ping(3)])}\n`,
          "\u0000\u0001{\n",
          JSON.stringify(ping(4))
        ])
        assert.deepStrictEqual(
          answers.flat().map((answer) => [answer.id, "error" in answer ? answer.error.code : undefined]),
          [
            [1, undefined],
            [null, JsonRpc.codes.parseError],
            ["a", undefined],
            [null, JsonRpc.codes.invalidRequest],
            [2, undefined],
            [3, undefined],
            [null, JsonRpc.codes.parseError],
            [4, undefined]
          ]
        )
      })
  )

  it.scoped("puts characters together that arrive in pieces, however the bytes are cut", () =>
    Effect.gen(function* () {
      const { answer } = yield* server
      const bytes = new TextEncoder().encode(`${JSON.stringify(ping("提醒🎉"))}\n${JSON.stringify(ping("é"))}\n`)
      const answers = yield* converse(
        answer,
        Array.from(bytes, (byte) => Uint8Array.of(byte))
      )
      assert.deepStrictEqual(
        answers.flat().map(({ id }) => id),
        ["提醒🎉", "é"]
      )
    })
  )

  it.scoped("refuses a line that is too long without keeping it, and reads the next", () =>
    Effect.gen(function* () {
      const { answer } = yield* server
      const part = "x".repeat(McpStdio.maxLine / 2)
      const answers = yield* converse(answer, [part, part, part, `\n${JSON.stringify(ping(1))}\n`])
      assert.deepStrictEqual(
        answers.flat().map(({ id }) => id),
        [null, 1]
      )
    })
  )

  it.effect("finishes what was asked before the input ended", () =>
    Effect.gen(function* () {
      const slow = (value: unknown) =>
        Effect.as(Effect.sleep("1 second"), Option.some(JsonRpc.success((value as { id: number }).id, {})))
      const fiber = yield* Effect.fork(converse(slow, [`${JSON.stringify(ping(1))}\n`]))
      yield* TestClock.adjust("999 millis")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.lengthOf(yield* Fiber.join(fiber), 1)
    })
  )

  it.effect("reads no further than it can serve", () =>
    Effect.gen(function* () {
      let started = 0
      const hanging = () =>
        Effect.zipRight(
          Effect.sync(() => started++),
          Effect.never
        )
      const lines = Array.from({ length: 50 }, (_, i) => `${JSON.stringify(ping(i))}\n`)
      yield* Effect.fork(converse(hanging, lines))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(started, 16)
    })
  )

  it.effect("a cancelled request is interrupted and not answered, and makes room for others", () =>
    Effect.gen(function* () {
      const interrupted: Array<unknown> = []
      const answer = (value: unknown) => {
        const { id } = value as { readonly id: number }
        return id === 1000
          ? Effect.succeedSome(JsonRpc.success(id, {}))
          : Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.push(id)))
      }
      // Each request and its cancellation in one piece, so that it may be cancelled before it has begun.
      const lines = Array.from(
        { length: 100 },
        (_, id) => `${JSON.stringify(ping(id))}\n${JSON.stringify(cancelled(id))}\n`
      )
      const answers = yield* converse(answer, [
        ...lines,
        `${JSON.stringify(cancelled("never asked"))}\n`,
        `${JSON.stringify(ping(1000))}\n`
      ])
      assert.deepStrictEqual(
        answers.flat().map(({ id }) => id),
        [1000]
      )
      assert.isAtMost(interrupted.length, 100)
    })
  )

  it.effect("a request under the id of one that still runs is answered beside it", () =>
    Effect.gen(function* () {
      const slow = () => Effect.as(Effect.sleep("1 second"), Option.some(JsonRpc.success(1, {})))
      const line = `${JSON.stringify(ping(1))}\n`
      const fiber = yield* Effect.fork(converse(slow, [line, line]))
      yield* TestClock.adjust("1 second")
      assert.lengthOf(yield* Fiber.join(fiber), 2)
    })
  )

  it.effect("fails when its output fails, although the input goes on", () =>
    Effect.gen(function* () {
      const input = yield* Queue.unbounded<Uint8Array>()
      yield* Queue.offer(input, new TextEncoder().encode(`${JSON.stringify(ping(1))}\n`))
      const fiber = yield* McpStdio.run({
        answer: () => Effect.succeedSome(JsonRpc.success(1, {})),
        stdin: Stream.fromQueue(input),
        stdout: Sink.fail("EPIPE")
      }).pipe(Effect.fork)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(fiber.unsafePoll(), Exit.fail("EPIPE"))
    })
  )
})

const server = Effect.gen(function* () {
  const { tools } = yield* Desk.make
  const context = yield* Layer.build(
    McpServer.layer({ version: "0.0.0" }).pipe(Layer.provide(Layer.succeed(ScheduleTools, tools)))
  )
  return Context.get(context, McpServer.McpServer)
})

/** The official client on a pair of pipes. */
const connect = Effect.gen(function* () {
  const { answer } = yield* server
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  yield* McpStdio.run({
    answer,
    stdin: NodeStream.fromReadable(
      () => toServer,
      () => "input failed"
    ),
    stdout: NodeSink.fromWritable(
      () => toClient,
      () => "output failed"
    )
  }).pipe(Desk.as(Desk.session), Effect.forkScoped)
  const client = new Client({ name: "test", version: "0.0.0" })
  // The same lines in both directions, so that the server's end of the official package serves as the client's.
  yield* Effect.promise(() => client.connect(new StdioServerTransport(toClient, toServer)))
  yield* Effect.addFinalizer(() => Effect.promise(() => client.close()))
  return { client }
})

/** Sends chunks, ends the input, and collects what was written. */
const converse = (answer: McpStdio.Answerer, chunks: ReadonlyArray<string | Uint8Array>) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    yield* McpStdio.run({
      answer,
      stdin: Stream.fromIterable(chunks).pipe(
        Stream.map((chunk) => (typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk))
      ),
      stdout: Sink.forEachChunk((lines: Iterable<string>) => Effect.sync(() => written.push(...lines)))
    })
    assert.isTrue(written.every((line) => line.endsWith("\n") && line.indexOf("\n") === line.length - 1))
    return written.map((line) => JSON.parse(line) as JsonRpc.Response | ReadonlyArray<JsonRpc.Response>)
  })
