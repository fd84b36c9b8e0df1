import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import {
  Context,
  Deferred,
  type Duration,
  Effect,
  Either,
  Fiber,
  Layer,
  Option,
  Queue,
  Redacted,
  TestClock
} from "effect"
import { AgentDriver, type DriverFailure } from "../../src/session/AgentDriver.ts"
import { MessageId } from "../../src/session/SessionEvent.ts"
import * as WebhookDriver from "../../src/session/WebhookDriver.ts"
import { header, temporaryDirectory } from "./TempLog.ts"
import { sessionId, start } from "./TestSessions.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

describe("the webhook driver", () => {
  it.scoped("posts the message, signed so that the receiver can check it by itself", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((_, response) => response.writeHead(204).end())
      yield* TestClock.setTime(1_700_000_000_999)
      const turn = yield* driver(receiver.url)
      assert.deepStrictEqual(yield* turn, { text: Option.none(), truncated: false })
      const { method, headers, body } = yield* receiver.next
      assert.strictEqual(method, "POST")
      assert.strictEqual(headers["content-type"], "application/json")
      assert.deepStrictEqual(JSON.parse(body), {
        type: "message/user",
        sessionId: "s1",
        messageId: "m1",
        text: "héllo",
        source: "schedule",
        keys: ["k@1"],
        title: "Notes"
      })
      assert.strictEqual(headers["webhook-id"], "m1")
      assert.strictEqual(headers["idempotency-key"], "m1")
      assert.strictEqual(headers["webhook-timestamp"], "1700000000")
      const key = Buffer.from(secret.slice(6), "base64")
      const expected = createHmac("sha256", key).update(`m1.1700000000.${body}`).digest("base64")
      assert.strictEqual(headers["webhook-signature"], `v1,${expected}`)
    })
  )

  it("signs as Standard Webhooks does: its published example", () => {
    const body = '{"test": 2432232314}'
    const signature = WebhookDriver.sign(Redacted.make(secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body)
    assert.strictEqual(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })

  it.scoped("signs with a secret that is plain text", () =>
    Effect.sync(() => {
      const expected = createHmac("sha256", "plain").update("m.1.{}").digest("base64")
      assert.strictEqual(WebhookDriver.sign(Redacted.make("plain"), "m", "1", "{}"), `v1,${expected}`)
    })
  )

  it.scoped("tries again with the same id, a new time and a longer pause, until the answer is 2xx", () =>
    Effect.gen(function* () {
      const statuses = [500, 503, 429, 408, 425, 200]
      const receiver = yield* listen((_, response) => response.writeHead(statuses.shift()!).end("body"))
      const fiber = yield* Effect.fork(yield* driver(receiver.url))
      const times: Array<number> = []
      for (let attempt = 0; attempt < 6; attempt++) {
        const { headers } = yield* receiver.nextOnTestClock(fiber)
        times.push(Number(headers["webhook-timestamp"]))
        assert.strictEqual(headers["idempotency-key"], "m1")
      }
      assert.deepStrictEqual(yield* Fiber.join(fiber), { text: Option.none(), truncated: false })
      const pauses = times.slice(1).map((time, index) => time - times[index]!)
      for (const [index, pause] of pauses.entries())
        assert.isTrue(pause >= 2 ** index && pause <= 2 ** index * 1.2 + 2, `${pauses}`)
    })
  )

  it.scoped("gives up after its attempts", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((_, response) => response.writeHead(500).end())
      const fiber = yield* Effect.fork(reason(yield* driver(receiver.url, { attempts: 3 })))
      for (let attempt = 0; attempt < 3; attempt++) yield* receiver.nextOnTestClock(fiber)
      assert.strictEqual(yield* Fiber.join(fiber), "the receiver answered 500 (attempt 3, the last)")
    })
  )

  it.each([400, 401, 403, 404, 410, 301, 307])("does not try again when the answer is %i", (status) =>
    Effect.gen(function* () {
      const receiver = yield* listen((_, response) => response.writeHead(status, { location: "/elsewhere" }).end())
      assert.strictEqual(yield* reason(yield* driver(receiver.url)), `the receiver answered ${status}`)
      assert.strictEqual(receiver.count(), 1)
    }).pipe(Effect.scoped, Effect.runPromise)
  )

  it.scoped.each<[string, (now: number) => string, number, number]>([
    ["in seconds", () => "120", 120, 121],
    ["as a date", (now) => new Date(now + 90_000).toUTCString(), 89, 91],
    ["longer than an hour", () => "86400", 3600, 3620],
    ["in the past", () => "Thu, 01 Jan 1970 00:00:00 GMT", 1, 3],
    ["that is no such thing", () => "soon", 1, 3],
    ["shorter than the pause", () => "0", 1, 3]
  ])("honours Retry-After %s", ([_, retryAfter, atLeast, atMost]) =>
    Effect.gen(function* () {
      const begin = 1_800_000_000_000
      yield* TestClock.setTime(begin)
      let first = true
      const receiver = yield* listen((_, response) => {
        response.writeHead(first ? 503 : 200, first ? { "retry-after": retryAfter(begin) } : {}).end()
        first = false
      })
      const fiber = yield* Effect.fork(yield* driver(receiver.url))
      yield* receiver.nextOnTestClock(fiber)
      const second = yield* receiver.nextOnTestClock(fiber, atLeast > 1000 ? "20 seconds" : "1 second")
      const waited = Number(second.headers["webhook-timestamp"]) - begin / 1000
      assert.isTrue(waited >= atLeast && waited <= atMost, `waited ${waited} s`)
      yield* Fiber.join(fiber)
    })
  )

  it.scoped("tries again when the receiver hangs, hangs up, or is not there", () =>
    Effect.gen(function* () {
      let attempt = 0
      const receiver = yield* listen((_, response) => {
        attempt++
        if (attempt === 1) return
        if (attempt === 2) response.destroy()
        else response.writeHead(200).end()
      })
      const fiber = yield* Effect.fork(yield* driver(receiver.url))
      for (let index = 0; index < 3; index++) yield* receiver.nextOnTestClock(fiber)
      yield* Fiber.join(fiber)
      const nobody = yield* driver("http://127.0.0.1:1/", { attempts: 1 })
      assert.match(yield* reason(nobody), /attempt 1, the last/)
    })
  )

  it.scoped.each<[number, number]>([
    [200, 1],
    [503, 3]
  ])("takes %i for the answer even when its body never ends", ([status, count]) =>
    Effect.gen(function* () {
      const receiver = yield* listen((_, response) => response.writeHead(status).write("and so on"))
      const fiber = yield* Effect.fork(Effect.either(yield* driver(receiver.url, { attempts: 3 })))
      for (let index = 0; index < count; index++) yield* receiver.nextOnTestClock(fiber)
      while (fiber.unsafePoll() === null) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(Either.isRight(yield* Fiber.join(fiber)), status === 200)
      assert.strictEqual(receiver.count(), count)
    })
  )

  it.scoped("does not read a long answer to its end", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((_, response) => {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      })
      yield* yield* driver(receiver.url)
    })
  )

  it.scoped("is interrupted in a pause and while it waits for an answer", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const receiver = yield* listen((request) => {
        request.socket.once("close", () => Deferred.unsafeDone(closed, Effect.void))
      })
      const fiber = yield* Effect.fork(yield* driver(receiver.url))
      yield* receiver.next
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    })
  )

  it.scoped("consumes a Session's message once it is delivered", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((_, response) => response.writeHead(200).end())
      const layer = WebhookDriver.layer({ url: receiver.url, secret: Redacted.make(secret) })
      const { sessions } = yield* start(yield* temporaryDirectory, {
        driver: Layer.provide(layer, FetchHttpClient.layer)
      })
      const id = sessionId("one")
      yield* sessions.create({ id })
      const agent = yield* sessions.resolveAgent(id)
      const message = yield* agent.followup({ text: "hello", source: "user" })
      yield* agent.whenIdle
      assert.strictEqual((yield* receiver.next).headers["webhook-id"], message)
      assert.deepStrictEqual((yield* sessions.show(id)).log.at(-1)?.data, { messageIds: [message] })
    })
  )
})

const driver = (url: string, options: Partial<WebhookDriver.Options> = {}) =>
  WebhookDriver.layer({ url, secret: Redacted.make(secret), ...options }).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.build,
    Effect.map((context) =>
      Option.getOrThrow(Context.get(context, AgentDriver).turn)({
        header: header({ title: "Notes" }),
        message: { id: MessageId.make("m1"), text: "héllo", source: "schedule", keys: ["k@1"] }
      })
    )
  )

const reason = <A>(turn: Effect.Effect<A, DriverFailure>) =>
  Effect.map(Effect.either(turn), (exit) => (Either.isLeft(exit) ? exit.left.reason : "it did not fail"))

interface Received {
  readonly method: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A receiver on this machine that answers as the test says. */
const listen = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<Received>()
    let count = 0
    const server = createServer((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part) => parts.push(part))
      request.on("end", () => {
        count++
        received.unsafeOffer({
          method: request.method,
          headers: request.headers,
          body: Buffer.concat(parts).toString()
        })
        answer(request, response)
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      count: () => count,
      next: Queue.take(received),
      /** The next request, while the clock moves on whenever the driver is not busy. */
      nextOnTestClock: (fiber: Fiber.RuntimeFiber<unknown, unknown>, step: Duration.DurationInput = "1 second") =>
        Effect.gen(function* () {
          while (true) {
            const request = yield* Queue.poll(received)
            if (Option.isSome(request)) return request.value
            if (fiber.unsafePoll() !== null) return yield* Effect.dieMessage("the driver gave up")
            yield* Effect.repeatN(
              Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
              20
            )
            if ((yield* Queue.size(received)) === 0) yield* TestClock.adjust(step)
          }
        })
    }
  })
