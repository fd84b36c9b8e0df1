import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, FastCheck, Fiber, Runtime, Scope, Stream, TestClock } from "effect"
import { MessageId, SessionId } from "../../src/domain/Identifiers.ts"
import type { Settings } from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as Composition from "../../src/sdk/Composition.ts"
import { DelegationDepth } from "../../src/sdk/DelegationDepth.ts"
import * as SdkClient from "../../src/sdk/SdkClient.ts"
import type { Delivery } from "../../src/sdk/SdkProtocol.ts"
import * as FakeHost from "./FakeHost.ts"
import * as Host from "./Host.ts"
import * as Wire from "./Wire.ts"

const sessionId = SessionId.make("session-1")
const tea = { title: "Tea", prompt: "Make tea", after_seconds: 60 }
const second = Duration.seconds(1)
const retry = { deliveryRetry: { min: second, max: second } }

describe("the client of a Host", () => {
  it.scoped("calls every method, and tells answers from refusals", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const { flushTimeout, schedule, version } = yield* connect(host, accepting)
      assert.deepStrictEqual([version, flushTimeout], ["1.2.3", 10_000])
      const record = yield* schedule.create(sessionId, tea)
      assert.deepStrictEqual(yield* schedule.list({ sessionId }), [record])
      assert.deepStrictEqual(yield* schedule.catalog(), [{ sessionId, record, status: "active" }])
      assert.deepStrictEqual((yield* schedule.catalogPage({ limit: 1 })).tasks.length, 1)
      const address = { sessionId, id: record.id }
      const renamed = yield* schedule.update({ ...address, expected: record, title: "Milk" })
      assert.deepStrictEqual<unknown>(renamed, { id: record.id, updated: true, record: { ...record, title: "Milk" } })
      assert.nestedPropertyVal(
        yield* schedule.update({ ...address, expected: record, title: "Cocoa" }),
        "code",
        "schedule_conflict"
      )
      assert.deepInclude(yield* schedule.history({ ...address, limit: 5 }), { id: record.id, records: [] })
      assert.lengthOf((yield* schedule.preview({ every_seconds: 60, count: 3 })).occurrences, 3)
      assert.deepStrictEqual<unknown>(yield* schedule.delete(address), { id: record.id, deleted: true })
      assert.strictEqual(yield* schedule.deleteInactive(), 0)

      const refusals = [
        [schedule.create(sessionId, { ...tea, title: " " }), "ScheduleInputError", "invalid_prompt"],
        [schedule.create(SessionId.make(" x", true), tea), "SessionRefused", "invalid_session"],
        [schedule.history({ ...address, limit: 0 }), "ScheduleInputError", "invalid_rule"],
        [schedule.catalogPage({ limit: 0 }), "ScheduleInputError", "invalid_rule"],
        [schedule.preview({}), "ScheduleInputError", "invalid_selector"],
        [
          Effect.provideService(schedule.create(sessionId, tea), DelegationDepth, 1),
          "ScheduleInputError",
          "subagent_session"
        ]
      ] as const
      for (const [call, tag, code] of refusals) {
        const refusal = yield* Effect.flip<unknown, { readonly _tag: string; readonly code: string }, never>(call)
        assert.deepStrictEqual([refusal._tag, refusal.code], [tag, code])
      }
    })
  )

  it.scoped("a change is told to every reader, after one element that says that the reading has begun", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const { schedule } = yield* connect(host, accepting)
      const readers = yield* Effect.forEach([1, 2], () => reading(schedule.changes))
      for (const reader of readers) yield* reader.next
      yield* schedule.create(sessionId, tea)
      for (const reader of readers) yield* reader.next
    })
  )
})

describe("a delivery", () => {
  it.scoped("that the handler accepts is recorded under the message's id", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const received: Array<Delivery> = []
      const { schedule } = yield* connect(host, {
        deliver: (delivery) => Effect.sync(() => received.push(delivery) > 0)
      })
      const { id } = yield* schedule.create(sessionId, tea)
      yield* TestClock.adjust("60 seconds")
      const [receipt] = yield* settled(host, schedule)
      assert.lengthOf(received, 1)
      assert.strictEqual(receipt?.messageId, received[0]?.message.id)
      assert.strictEqual(received[0]?.sessionId, sessionId)
      assert.deepStrictEqual(received[0]?.message.keys, [`${id}@1970-01-01T00:01:00.000Z`])
    })
  )

  const refusing: ReadonlyArray<readonly [what: string, deliver: SdkClient.Handlers["deliver"]]> = [
    ["answers false to", () => Effect.succeed(false)],
    ["fails at", () => Effect.fail("disk full")],
    ["dies at", () => Effect.die(new Error("a bug"))],
    ["interrupts itself at", () => Effect.interrupt],
    [
      "throws at",
      () => {
        throw new Error("a bug")
      }
    ]
  ]
  it.scoped.each(refusing)("that the handler %s is refused at once, and comes again", ([, refuse]) =>
    Effect.gen(function* () {
      const host = yield* Host.make
      const received: Array<Delivery> = []
      const deliver: SdkClient.Handlers["deliver"] = (delivery) =>
        received.push(delivery) === 1 ? refuse(delivery) : Effect.succeed(true)
      const { schedule } = yield* connect(host, { deliver }, retry)
      yield* schedule.create(sessionId, tea)
      yield* TestClock.adjust("60 seconds")
      assert.lengthOf(yield* settled(host, schedule), 0)
      assert.isTrue(host.logs.some((line) => line.includes("the client refused the message")))
      yield* TestClock.adjust("2 seconds")
      const [receipt] = yield* settled(host, schedule)
      assert.lengthOf(received, 2)
      assert.strictEqual(receipt?.messageId, received[1]?.message.id)
    })
  )

  it.scoped("that the handler finishes too late comes again, unless the client says that it has it", () =>
    Effect.gen(function* () {
      for (const remembers of [false, true]) {
        const host = yield* Host.make
        const received: Array<Delivery> = []
        const held = new Map<string, MessageId>()
        const finish = yield* Deferred.make<void>()
        const handlers: SdkClient.Handlers = {
          deliver: (delivery) =>
            Effect.gen(function* () {
              if (received.push(delivery) === 1) yield* Deferred.await(finish)
              for (const key of delivery.message.keys) held.set(key, delivery.message.id)
              return true
            }),
          ...(remembers && { alreadyHas: () => Effect.sync(() => held) })
        }
        const { schedule } = yield* connect(host, handlers, retry)
        yield* schedule.create(sessionId, tea)
        yield* TestClock.adjust("70 seconds")
        assert.lengthOf(yield* settled(host, schedule), 0)
        yield* Deferred.succeed(finish, undefined)
        assert.lengthOf(yield* settled(host, schedule), 0)
        yield* TestClock.adjust("2 seconds")
        const [receipt] = yield* settled(host, schedule)
        assert.lengthOf(received, remembers ? 1 : 2)
        assert.strictEqual(receipt?.messageId, received.at(-1)?.message.id)
      }
    })
  )

  it.scoped("is not sent while the client cannot say what it has", () =>
    Effect.gen(function* () {
      const host = yield* Host.make
      let asked = 0
      const received: Array<Delivery> = []
      const { schedule } = yield* connect(
        host,
        {
          deliver: (delivery) => Effect.sync(() => received.push(delivery) > 0),
          alreadyHas: () => {
            asked++
            if (asked === 1) return Effect.fail("no database")
            if (asked === 2) return Effect.die(new Error("a bug"))
            if (asked === 3) throw new Error("a bug")
            return Effect.succeed(new Map())
          }
        },
        retry
      )
      yield* schedule.create(sessionId, tea)
      yield* TestClock.adjust("60 seconds")
      assert.lengthOf(yield* settled(host, schedule), 0)
      assert.deepStrictEqual(received, [])
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf(yield* settled(host, schedule), 1)
      assert.deepStrictEqual([asked, received.length], [4, 1])
    })
  )

  it.scoped("whose handler hangs holds up neither others nor calls, however many there are", () =>
    Effect.gen(function* () {
      const host = yield* FakeHost.make
      const others: Array<string> = []
      const client = yield* host.client({
        deliver: ({ sessionId }) =>
          sessionId === "hangs" ? Effect.never : Effect.sync(() => others.push(sessionId) > 0),
        alreadyHas: () => Effect.succeed(new Map([["k", MessageId.make("m")]]))
      })
      for (let i = 0; i < 11_000; i++) yield* host.deliver(`hanging-${i}`, "hangs")
      yield* host.deliver("last", "well")
      assert.strictEqual((yield* host.asked("sdk.acknowledge")).params?.deliveryId, "last")
      assert.deepStrictEqual(others, ["well"])
      yield* host.say({ id: "q", method: "sdk.alreadyHas", params: { sessionId: "well", keys: ["k"] } })
      assert.deepStrictEqual((yield* host.next(({ id }) => id === "q")).result, { k: "m" })
      const listing = yield* Effect.fork(client.schedule.list({ sessionId }))
      yield* host.answer("schedule.list", [])
      assert.deepStrictEqual(yield* Fiber.join(listing), [])
    })
  )
})

describe("a Host that dies", () => {
  it.scoped("fails every pending call and every reader at once, and every later call", () =>
    Effect.gen(function* () {
      const host = yield* FakeHost.make
      const { gone, schedule } = yield* host.client(accepting)
      const changes = yield* Effect.fork(Effect.flip(Stream.runDrain(schedule.changes)))
      yield* host.answer("schedule.changed", null)
      const address = { sessionId, id: "x" as never }
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string; readonly code: string }>> = [
        schedule.create(sessionId, tea),
        schedule.list({ sessionId }),
        schedule.catalog(),
        schedule.catalogPage({ limit: 1 }),
        schedule.history({ ...address, limit: 1 }),
        schedule.update({ ...address, expected: {} }),
        schedule.delete(address),
        schedule.deleteInactive(),
        schedule.preview(tea),
        Stream.runDrain(schedule.changes)
      ]
      const pending = yield* Effect.fork(Effect.forEach(calls, Effect.flip, { concurrency: "unbounded" }))
      for (let i = 0; i < calls.length; i++) yield* host.next(({ method }) => method?.startsWith("schedule.") === true)
      yield* host.die
      yield* gone
      const later = yield* Effect.forEach(calls, Effect.flip)
      for (const failure of [yield* Fiber.join(changes), ...(yield* Fiber.join(pending)), ...later]) {
        assert.deepStrictEqual([failure._tag, failure.code], ["ScheduleUnavailable", "host_unreachable"])
      }
    })
  )

  it.scoped("before it is ready, is told as such", () =>
    Effect.gen(function* () {
      for (const answered of [0, 1]) {
        const host = yield* FakeHost.make
        const making = yield* Effect.fork(Effect.flip(SdkClient.make(host.connection, accepting)))
        if (answered === 1) yield* host.answer("sdk.ready", greeting)
        yield* host.next(() => true)
        yield* host.die
        assert.strictEqual((yield* Fiber.join(making)).code, "client_gone")
      }
    })
  )

  it.scoped("whose output can no longer be read counts as gone", () =>
    Effect.gen(function* () {
      const host = yield* FakeHost.make
      const { gone, schedule } = yield* host.client(accepting)
      yield* host.breakDown
      yield* gone
      assert.strictEqual((yield* Effect.flip(schedule.catalog())).code, "host_unreachable")
    })
  )
})

describe("what a Host should not say", () => {
  it.scoped("at the greeting, fails the client with a code that tells why", () =>
    Effect.gen(function* () {
      const refused = (code: string) => ({ error: { code: -32000, message: "m", data: { code } } })
      const table: ReadonlyArray<readonly [answer: object, code: string]> = [
        [refused("store_locked"), "store_locked"],
        [refused("invalid_config"), "invalid_config"],
        [{ result: null }, "internal_error"],
        [{ result: { ...greeting, flushTimeout: "10 s" } }, "internal_error"],
        [{ result: { ...greeting, protocol: 2 } }, "unsupported_protocol"],
        [{ error: 7 }, "internal_error"]
      ]
      for (const [answer, code] of table) {
        const host = yield* FakeHost.make
        const making = yield* Effect.fork(Effect.flip(SdkClient.make(host.connection, accepting)))
        const { id } = yield* host.asked("sdk.ready")
        yield* host.say({ id, ...answer })
        assert.strictEqual((yield* Fiber.join(making)).code, code, JSON.stringify(answer))
      }
    })
  )

  it.scoped("as an answer, is an internal_error of that call alone", () =>
    Effect.gen(function* () {
      const host = yield* FakeHost.make
      const { schedule } = yield* host.client(accepting)
      const answers: ReadonlyArray<object> = [
        { result: 7 },
        { result: [{ code: "x" }] },
        { result: { code: "no_such_code", message: "m" } },
        {},
        { error: null },
        { error: { code: -32000, message: "m", data: { code: "no_such_code" } } }
      ]
      for (const answer of answers) {
        const listing = yield* Effect.fork(Effect.flip(schedule.list({ sessionId })))
        const creating = yield* Effect.fork(Effect.flip(schedule.create(sessionId, tea)))
        yield* host.say({ id: (yield* host.asked("schedule.list")).id, result: null, ...answer })
        yield* host.say({ id: (yield* host.asked("schedule.create")).id, result: null, ...answer })
        assert.strictEqual((yield* Fiber.join(listing)).code, "internal_error")
        assert.strictEqual((yield* Fiber.join(creating)).code, "internal_error")
      }
      const failing = yield* Effect.fork(Effect.flip(schedule.catalog()))
      const { id } = yield* host.asked("schedule.catalog")
      yield* host.say({ id, error: { code: -32000, message: "m", data: { code: "storage_quarantined" } } })
      assert.strictEqual((yield* Fiber.join(failing)).code, "storage_quarantined")
    })
  )

  it.scoped("as lines of any kind, neither ends the conversation nor reaches the handlers", () =>
    Effect.gen(function* () {
      const runtime = yield* Effect.runtime()
      const conversation = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
        const host = yield* FakeHost.make
        const { schedule } = yield* host.client({
          deliver: () => Effect.die("no delivery was meant"),
          alreadyHas: () => Effect.die("no question was meant")
        })
        for (const line of lines) yield* host.write(`${line}\n`)
        const listing = yield* Effect.fork(schedule.list({ sessionId }))
        yield* host.answer("schedule.list", [])
        assert.deepStrictEqual(yield* Fiber.join(listing), [])
        const failed = (yield* host.rest).filter(({ method }) => method === "sdk.acknowledge")
        assert.deepStrictEqual(failed, [])
      })
      const json = FastCheck.jsonValue()
      const nearly = FastCheck.record(
        {
          jsonrpc: FastCheck.constant("2.0"),
          // "3" will be that of the call below, which a Host may answer as it likes
          id: FastCheck.oneof(FastCheck.constantFrom("1", "2", 3, null), json).filter((id) => id !== "3"),
          method: FastCheck.constantFrom("sdk.delivery", "sdk.alreadyHas", "schedule.changed", "sdk.cancel", "x"),
          params: json,
          result: json,
          error: json
        },
        { requiredKeys: ["jsonrpc"] }
      )
      const line = FastCheck.oneof(
        nearly.map((message) => JSON.stringify(message)),
        FastCheck.array(nearly).map((batch) => JSON.stringify(batch)),
        FastCheck.json(),
        FastCheck.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " "))
      )
      yield* Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(line, { maxLength: 12 }), (lines) =>
            Runtime.runPromise(runtime)(Effect.scoped(conversation(lines)))
          ),
          { numRuns: 200 }
        )
      )
    })
  )
})

describe("closing the client", () => {
  it.effect("ends the Host's input, stops its handlers, and fails what is still asked, once and for all", () =>
    Effect.gen(function* () {
      const host = yield* FakeHost.make
      const scope = yield* Scope.make()
      const stopped = yield* Deferred.make<void>()
      const started = yield* Deferred.make<void>()
      const { schedule } = yield* Scope.extend(
        host.client({
          deliver: () =>
            Deferred.succeed(started, undefined).pipe(
              Effect.zipRight(Effect.never),
              Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
            )
        }),
        scope
      )
      yield* host.deliver("d", "s")
      yield* Deferred.await(started)
      const listing = yield* Effect.fork(Effect.flip(schedule.list({ sessionId })))
      yield* host.asked("schedule.list")
      yield* Scope.close(scope, Exit.void)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(stopped)
      yield* host.inputEnded
      assert.strictEqual((yield* Fiber.join(listing)).code, "host_unreachable")
      assert.strictEqual((yield* Effect.flip(schedule.catalog())).code, "host_unreachable")
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(schedule.changes))).code, "host_unreachable")
    }).pipe(Effect.scoped)
  )
})

// internal

const accepting: SdkClient.Handlers = { deliver: () => Effect.succeed(true) }

const greeting = FakeHost.greeting

type Home = Effect.Effect.Success<typeof Host.make>
type Schedule = SdkClient.SdkClient["schedule"]

/** A client of the real server, on the store of a test. */
const connect = Effect.fnUntraced(function* (
  host: Home,
  handlers: SdkClient.Handlers,
  settings: Partial<Settings> = {}
) {
  const wire = yield* host.withLogs(
    Wire.serve((handler) =>
      Composition.layer({ domain: host.domain, settings: ScheduleConfig.layer(settings) }, handler)
    )
  )
  return yield* host.withLogs(SdkClient.make(wire.connection, handlers))
})

/** The receipts when whatever is under way has come to its end: this deletes nothing, and waits for its turn. */
const settled = Effect.fnUntraced(function* (host: Home, schedule: Schedule) {
  yield* schedule.delete({ sessionId, id: "none" as never })
  yield* TestClock.adjust(0)
  return (yield* host.stored).flatMap(({ lastDelivery }) => (lastDelivery === undefined ? [] : [lastDelivery]))
})

const reading = Effect.fnUntraced(function* <E>(stream: Stream.Stream<void, E>) {
  const next = yield* Stream.toPull(stream)
  return { next }
})
