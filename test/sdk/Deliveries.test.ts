import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, TestClock } from "effect"
import * as Host from "./Host.ts"

const sessionId = "session-1"
const second = Duration.seconds(1)
const retry = { deliveryRetry: { min: second, max: Duration.minutes(5) } }
const reminder = (title: string, after = 60) => ({
  sessionId,
  request: { title, prompt: `Do ${title}`, after_seconds: after }
})

describe("deliveries to a client", () => {
  it.scoped("an acknowledgement is the flush: the receipt names the message", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      const { id } = yield* created(client, "tea")
      yield* TestClock.adjust("60 seconds")
      const { params } = yield* client.said("sdk.delivery")
      assert.strictEqual(params?.sessionId, sessionId)
      assert.match(params?.message.text ?? "", /^\[SCHEDULE REMINDER\]\n.*"Do tea"$/s)
      assert.deepStrictEqual(params?.message.keys, [`${id}@1970-01-01T00:01:00.000Z`])
      assert.lengthOf(yield* receipts(host), 0)

      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* acknowledge(client, params?.deliveryId), { acknowledged: true })
      assert.deepStrictEqual<unknown>(yield* settled(host, client), [
        {
          scheduledAt: "1970-01-01T00:01:00.000Z",
          deliveredAt: "1970-01-01T00:01:03.000Z",
          messageId: params?.message.id
        }
      ])
      assert.deepStrictEqual(yield* acknowledge(client, params?.deliveryId), notWaiting)
    })
  )

  it.scoped("what the client refuses stays, and comes again under another delivery", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client({}, retry)
      yield* created(client, "tea")
      yield* TestClock.adjust("60 seconds")
      const first = yield* client.said("sdk.delivery")
      const refusal = { deliveryId: first.params?.deliveryId, flushed: false, error: "disk\nfull" }
      assert.deepStrictEqual(yield* client.result("sdk.acknowledge", refusal), { acknowledged: true })
      assert.lengthOf(yield* settled(host, client), 0)
      assert.isTrue(host.logs.some((line) => line.includes("the client refused the message: disk full")))

      yield* TestClock.adjust("2 seconds")
      const second = yield* client.said("sdk.delivery")
      assert.notStrictEqual(second.params?.deliveryId, first.params?.deliveryId)
      assert.deepStrictEqual(second.params?.message.keys, first.params?.message.keys)
      yield* acknowledge(client, second.params?.deliveryId)
      assert.nestedPropertyVal(yield* settled(host, client), "[0].messageId", second.params?.message.id)
    })
  )

  it.scoped("what the client ignores is not acknowledged, and a late acknowledgement is told so and does nothing", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client({}, retry)
      yield* created(client, "tea")
      yield* TestClock.adjust("60 seconds")
      const first = yield* client.said("sdk.delivery")
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* acknowledge(client, first.params?.deliveryId), notWaiting)
      assert.lengthOf(yield* settled(host, client), 0)

      yield* TestClock.adjust("2 seconds")
      const second = yield* client.said("sdk.delivery")
      assert.deepStrictEqual(yield* acknowledge(client, first.params?.deliveryId), notWaiting)
      yield* acknowledge(client, second.params?.deliveryId)
      assert.nestedPropertyVal(yield* settled(host, client), "[0].messageId", second.params?.message.id)
    })
  )

  it.scoped("of several messages, those acknowledged before a refusal or a silence are recorded", () =>
    Effect.gen(function* () {
      for (const refuses of [true, false]) {
        const host = yield* Host.make
        const client = yield* host.client({}, retry)
        for (const title of ["one", "two", "three"]) yield* created(client, title)
        yield* TestClock.adjust("60 seconds")
        const first = yield* client.said("sdk.delivery")
        yield* acknowledge(client, first.params?.deliveryId)
        const second = yield* client.said("sdk.delivery")
        if (refuses) yield* client.result("sdk.acknowledge", { deliveryId: second.params?.deliveryId, flushed: false })
        else yield* TestClock.adjust("10 seconds")
        assert.lengthOf(yield* settled(host, client), 1)

        yield* TestClock.adjust("2 seconds")
        for (const prompt of ["Do two", "Do three"]) {
          const { params } = yield* client.said("sdk.delivery")
          assert.include(params?.message.text, prompt)
          yield* acknowledge(client, params?.deliveryId)
        }
        assert.lengthOf(yield* settled(host, client), 3)
        yield* client.hangUp
        yield* client.ended
      }
    })
  )

  it.scoped("a client that dies loses nothing: the next one on the same home gets the message", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const first = yield* host.client()
      yield* created(first, "tea")
      yield* TestClock.adjust("60 seconds")
      const lost = yield* first.said("sdk.delivery")
      yield* first.hangUp
      yield* first.ended
      assert.lengthOf(yield* receipts(host), 0)

      const second = yield* host.client()
      const { params } = yield* second.said("sdk.delivery")
      assert.deepStrictEqual(params?.message.keys, lost.params?.message.keys)
      assert.deepStrictEqual(yield* acknowledge(second, lost.params?.deliveryId), notWaiting)
      yield* acknowledge(second, params?.deliveryId)
      assert.nestedPropertyVal(yield* settled(host, second), "[0].messageId", params?.message.id)
    })
  )

  it.scoped("a client that already has the keys gets no second message, and the receipt names the one it has", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const first = yield* host.client({ alreadyHas: true })
      const tea = yield* created(first, "tea")
      const milk = yield* created(first, "milk")
      yield* TestClock.adjust("60 seconds")
      yield* answerKeys(first, {})
      yield* first.said("sdk.delivery")
      yield* first.hangUp
      yield* first.ended

      const second = yield* host.client({ alreadyHas: true })
      const key = (id: string) => `${id}@1970-01-01T00:01:00.000Z`
      const asked = yield* answerKeys(second, { [key(tea.id)]: "the first message", unrelated: "x" })
      assert.deepStrictEqual<unknown>(asked, { sessionId, keys: [key(tea.id), key(milk.id)] })
      const { params } = yield* second.said("sdk.delivery")
      assert.deepStrictEqual(params?.message.keys, [key(milk.id)])
      yield* acknowledge(second, params?.deliveryId)
      assert.sameMembers(
        (yield* settled(host, second)).map(({ messageId }) => String(messageId)),
        ["the first message", String(params?.message.id)]
      )
      assert.deepStrictEqual(
        (yield* second.rest).filter(({ method }) => method === "sdk.delivery"),
        []
      )
    })
  )

  it.scoped("nothing is sent on an answer about keys that is none", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client({ alreadyHas: true }, { deliveryRetry: { min: second, max: second } })
      const { id } = yield* created(client, "tea")
      const key = `${id}@1970-01-01T00:01:00.000Z`
      yield* TestClock.adjust("60 seconds")
      const wrong = [null, [], "x", { [key]: 1 }, { [key]: "" }, { [key]: null }]
      for (const result of wrong) {
        const { id } = yield* client.said("sdk.alreadyHas")
        yield* client.send({ jsonrpc: "2.0", id, result })
        yield* settled(host, client)
        yield* TestClock.adjust("2 seconds")
      }
      const odd = yield* client.said("sdk.alreadyHas")
      yield* client.send({
        jsonrpc: "2.0",
        id: odd.id,
        error: { message: { toString: 1 }, data: { code: { toString: 1 } } }
      })
      yield* settled(host, client)
      yield* TestClock.adjust("2 seconds")
      const failing = yield* client.said("sdk.alreadyHas")
      yield* client.send({ jsonrpc: "2.0", id: failing.id, error: { code: 1, message: "no database" } })
      yield* settled(host, client)
      assert.isTrue(host.logs.some((line) => line.includes("the client: no database")))
      yield* TestClock.adjust("2 seconds")
      // it also gives up on a client that does not answer at all, and tells it so
      const silent = yield* client.said("sdk.alreadyHas")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* client.said("sdk.cancel")).params?.id, silent.id)
      assert.deepStrictEqual(
        (yield* client.rest).filter(({ method }) => method === "sdk.delivery"),
        []
      )
      assert.lengthOf(yield* receipts(host), 0)
    })
  )

  it.scoped("what is overdue waits for the client to take deliveries, however late", () =>
    Effect.gen(function* () {
      for (const late of ["0 seconds", "1 hour"] as const) {
        const host = yield* Host.make
        const first = yield* host.client()
        yield* created(first, "tea")
        yield* first.hangUp
        yield* first.ended
        yield* TestClock.adjust("2 minutes")

        const second = yield* host.connect()
        yield* second.result("sdk.ready")
        yield* TestClock.adjust(late)
        assert.deepStrictEqual(
          host.logs.filter((line) => line.includes("no handler")),
          []
        )
        yield* second.result("sdk.deliveries")
        yield* second.result("sdk.deliveries")
        const { params } = yield* second.said("sdk.delivery")
        yield* acknowledge(second, params?.deliveryId)
        assert.lengthOf(yield* settled(host, second), 1)
        yield* second.hangUp
        yield* second.ended
      }
    })
  )

  it.scoped("an acknowledgement overtakes any number of calls that wait for its delivery", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      yield* created(client, "tea")
      yield* TestClock.adjust("60 seconds")
      const { params } = yield* client.said("sdk.delivery")
      const waiting = Array.from({ length: 500 }, (_, i) => ({
        jsonrpc: "2.0",
        id: `waiting-${i}`,
        method: "schedule.create",
        params: reminder(`${i}`, 86_400)
      }))
      yield* Effect.forEach(waiting, client.send)
      yield* acknowledge(client, params?.deliveryId)
      for (const { id } of waiting) yield* client.next((message) => message.id === id)
      assert.lengthOf(yield* receipts(host), 1)
      assert.lengthOf(yield* host.stored, 501)
    })
  )

  it.scoped("a batch may create, and acknowledge what its create waits for", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const client = yield* host.client()
      yield* created(client, "tea")
      yield* TestClock.adjust("60 seconds")
      const { params } = yield* client.said("sdk.delivery")
      yield* client.send([
        { jsonrpc: "2.0", id: "a", method: "schedule.create", params: reminder("later", 86_400) },
        {
          jsonrpc: "2.0",
          id: "b",
          method: "sdk.acknowledge",
          params: { deliveryId: params?.deliveryId, flushed: true }
        }
      ])
      const answers = yield* client.next((message) => Array.isArray(message))
      assert.lengthOf([answers].flat(), 2)
      assert.lengthOf(yield* receipts(host), 1)
    })
  )

  it.scoped("a stop lets the client acknowledge what is under way, and refuses the rest", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const stop = yield* Deferred.make<void>()
      const client = yield* host.client({}, {}, Deferred.await(stop))
      yield* created(client, "tea")
      yield* TestClock.adjust("60 seconds")
      const { params } = yield* client.said("sdk.delivery")
      yield* Deferred.succeed(stop, undefined)
      yield* TestClock.adjust("1 second")
      const refused = yield* client.call("schedule.create", reminder("late"))
      assert.strictEqual(refused.error?.data.code, "host_stopping")
      yield* acknowledge(client, params?.deliveryId)
      yield* client.ended
      assert.nestedPropertyVal(yield* receipts(host), "[0].messageId", params?.message.id)
    })
  )

  it.scoped("a stop does not wait longer for a client than for its flush", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const stop = yield* Deferred.make<void>()
      const client = yield* host.client({}, {}, Deferred.await(stop))
      yield* created(client, "tea")
      yield* TestClock.adjust("60 seconds")
      yield* client.said("sdk.delivery")
      yield* Deferred.succeed(stop, undefined)
      yield* TestClock.adjust("10 seconds")
      yield* client.ended
      assert.lengthOf(yield* receipts(host), 0)
    })
  )
})

// internal

type Client = Effect.Effect.Success<ReturnType<Effect.Effect.Success<typeof Host.make>["client"]>>
type Home = Effect.Effect.Success<typeof Host.make>

const notWaiting = { acknowledged: false, code: "delivery_not_waiting" }

const created = (client: Client, title: string) =>
  Effect.map(client.result("schedule.create", reminder(title)), (record) => record as { readonly id: string })

const acknowledge = (client: Client, deliveryId: unknown) =>
  client.result("sdk.acknowledge", { deliveryId, flushed: true })

const answerKeys = Effect.fnUntraced(function* (client: Client, result: Record<string, string>) {
  const { id, params } = yield* client.said("sdk.alreadyHas")
  yield* client.send({ jsonrpc: "2.0", id, result })
  return params
})

const receipts = (host: Home) =>
  Effect.map(host.stored, (tasks) => tasks.flatMap(({ lastDelivery }) => (lastDelivery ? [lastDelivery] : [])))

/** The receipts when whatever is under way has come to its end: this deletes nothing, and waits for its turn. */
const settled = Effect.fnUntraced(function* (host: Home, client: Client) {
  yield* client.result("schedule.delete", { sessionId, id: "none" })
  yield* TestClock.adjust(0)
  return yield* receipts(host)
})
