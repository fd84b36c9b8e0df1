import { appendFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { HttpLayerRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel, Stream } from "effect"
import { openApi } from "../../src/remote/HttpDescription.ts"
import * as HttpForm from "../../src/remote/HttpForm.ts"
import { RemoteRpcs } from "../../src/remote/RemoteClient.ts"
import * as SessionHandlers from "../../src/remote/SessionHandlers.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { ServiceStopping } from "../../src/runtime/ServiceStopping.ts"
import { SessionController } from "../../src/session/SessionController.ts"
import { SessionIoError } from "../../src/session/SessionError.ts"
import * as SessionPath from "../../src/session/SessionPath.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"
import * as Fake from "../remote/FakeService.ts"
import * as Described from "./Described.ts"
import * as WebHost from "./WebHost.ts"

const methods = Array.from(RemoteRpcs.requests.keys()).filter((name) => name !== "schedule.changed")

/** Calls a method, and compares what comes with the description. */
const ask = (url: string, init: RequestInit, method: string, payload?: unknown) =>
  Effect.promise(async () => {
    const body = payload === undefined ? null : typeof payload === "string" ? payload : JSON.stringify(payload)
    const response = await fetch(`${url}/api/${method}`, { method: "POST", body, ...init })
    const answer = { status: response.status, value: JSON.parse(await response.text()) }
    Described.check("POST", `/api/${method}`, answer.status, answer.value)
    if (answer.status === 200 && payload !== undefined) Described.checkPayload(`/api/${method}`, payload)
    return answer
  })

const authorized = (init: RequestInit = {}) =>
  Effect.map(WebHost.Host, ({ token }) => ({
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers }
  }))

const post = (method: string, payload?: unknown, init: RequestInit = {}) =>
  Effect.flatMap(Effect.all([WebHost.Host, authorized(init)]), ([{ origin }, init]) =>
    ask(origin, init, method, payload)
  )

const get = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(Effect.all([WebHost.Host, authorized(init)]), ([{ origin }, init]) =>
    Effect.promise(() => fetch(origin + path, init))
  )

layer(WebHost.layer, { excludeTestServices: true })("the plain HTTP form", (it) => {
  it.effect("answers what the service answers", () =>
    Effect.gen(function* () {
      const service = yield* ScheduleService
      const session = yield* post("sessions.new", { title: "Work" })
      const sessionId = session.value.header.id
      const created = yield* post("schedule.create", {
        sessionId,
        request: { title: "T", prompt: "提醒", every_seconds: 60 }
      })
      assert.strictEqual(created.status, 200)
      assert.deepStrictEqual((yield* post("schedule.list", { sessionId })).value, yield* service.list({ sessionId }))
      assert.deepStrictEqual((yield* post("schedule.catalog")).value, yield* service.catalog())
      assert.deepStrictEqual(
        (yield* post("schedule.catalogPage", { limit: 1 })).value,
        yield* service.catalogPage({ limit: 1 })
      )
      const { id } = created.value
      assert.deepStrictEqual(
        (yield* post("schedule.history", { sessionId, id, limit: 5 })).value,
        yield* service.history({ sessionId, id, limit: 5 })
      )
      const stale = { ...created.value, title: "Other" }
      const conflict = yield* post("schedule.update", { sessionId, id, expected: stale, title: "X" })
      assert.deepStrictEqual(conflict, { status: 200, value: { id, updated: false, code: "schedule_conflict" } })
      const updated = yield* post("schedule.update", { sessionId, id, expected: created.value, title: "X" })
      assert.deepStrictEqual(updated.value, { id, updated: true, record: { ...created.value, title: "X" } })
      assert.deepStrictEqual((yield* post("schedule.delete", { sessionId, id })).value, { id, deleted: true })
      assert.deepStrictEqual((yield* post("schedule.delete", { sessionId, id })).value, {
        id,
        deleted: false,
        code: "schedule_not_found"
      })
      assert.deepStrictEqual((yield* post("schedule.deleteInactive")).value, 0)
      const preview = yield* post("schedule.preview", { request: { at: "2030-01-01T00:00:00Z", from: 0, count: 1 } })
      assert.deepStrictEqual(preview.value, { occurrences: ["2030-01-01T00:00:00.000Z"] })

      assert.strictEqual((yield* post("sessions.rename", { id: sessionId, title: "Play" })).value.title, "Play")
      assert.strictEqual((yield* post("sessions.show", { id: sessionId, limit: 1 })).value.log.length, 1)
      assert.isTrue((yield* post("sessions.archive", { id: sessionId })).value.archived)
      assert.isFalse((yield* post("sessions.unarchive", { id: sessionId })).value.archived)
      assert.strictEqual((yield* post("sessions.list")).value.sessions[0].title, "Play")
    })
  )

  it.effect("every selector is taken as it is described, and so is every change of timing", () =>
    Effect.gen(function* () {
      const { value } = yield* post("sessions.new", {})
      const sessionId = value.header.id
      const zone = { time_zone: "Asia/Shanghai" }
      const local = { date: "2099-01-01", time: "09:00:00" }
      const changes = [
        { kind: "at", at: "2099-01-01T09:00:00+08:00" },
        { kind: "at", at: { ...local, ...zone } },
        { kind: "every", every_seconds: 600 },
        { kind: "daily", daily: { time: "23:00:00.5", ...zone } },
        { kind: "weekly", weekly: { time: "09:00:00", weekdays: [3, 1], ...zone } },
        { kind: "cron", cron: { expression: "*/15 9-17 * * 1-5", ...zone } }
      ]
      for (const { kind: _, ...selector } of [...changes, { kind: "after", after_seconds: 600 }]) {
        const request = { title: "T", prompt: "P", ...selector }
        const record = (yield* post("schedule.create", { sessionId, request })).value
        assert.lengthOf((yield* post("schedule.preview", { request: { ...selector, count: 1 } })).value.occurrences, 1)
        for (const change of changes) {
          const { id } = record
          const expected = (yield* post("schedule.list", { sessionId })).value.find(
            (one: typeof record) => one.id === id
          )
          assert.strictEqual((yield* post("schedule.update", { sessionId, id, expected, change })).status, 200)
        }
      }
    })
  )

  it.effect("refuses with a status, a code and a message", () =>
    Effect.gen(function* () {
      const request = { title: "T", prompt: "P", every_seconds: 5 }
      const sessionId = (yield* post("sessions.new", {})).value.header.id
      const busy = (yield* post("sessions.new", {})).value.header.id
      yield* post("schedule.create", { sessionId: busy, request: { ...request, every_seconds: 60 } })
      const archived = (yield* post("sessions.new", {})).value.header.id
      yield* post("sessions.archive", { id: archived })
      const table = [
        ["schedule.create", { sessionId, request }, 400, "frequency_too_high"],
        ["schedule.create", { sessionId: "nobody", request }, 404, "session_not_found"],
        ["schedule.create", { sessionId: archived, request }, 409, "session_archived"],
        ["schedule.create", { request }, 400, "invalid_payload"],
        ["schedule.create", "[]", 400, "invalid_payload"],
        ["schedule.history", { sessionId, id: "x", limit: 0 }, 400, "invalid_rule"],
        ["schedule.catalogPage", {}, 400, "invalid_rule"],
        ["schedule.catalogPage", { limit: 1, status: "odd" }, 400, "invalid_payload"],
        ["schedule.preview", { request: {} }, 400, "invalid_selector"],
        ["sessions.new", { id: sessionId }, 409, "session_exists"],
        ["sessions.new", { id: " " }, 400, "invalid_session"],
        ["sessions.show", { id: "nobody" }, 404, "session_not_found"],
        ["sessions.delegationDepth", { id: "nobody" }, 404, "session_not_found"],
        ["sessions.rename", { id: "nobody", title: "T" }, 404, "session_not_found"],
        ["sessions.rename", { id: sessionId, title: " " }, 400, "invalid_session"],
        ["sessions.archive", { id: "nobody" }, 404, "session_not_found"],
        ["sessions.archive", { id: busy }, 409, "session_active"],
        ["sessions.unarchive", { id: "nobody" }, 404, "session_not_found"],
        ...methods.map((method) => [method, "{", 400, "invalid_json"] as const)
      ] as const
      for (const [method, payload, status, code] of table) {
        const answer = yield* post(method, payload)
        assert.deepStrictEqual(
          [answer.status, answer.value.code],
          [status, code],
          `${method} ${JSON.stringify(payload).slice(0, 200)}`
        )
        assert.isString(answer.value.message)
      }
    })
  )

  it.effect("whatever is nested too deeply is refused as malformed, wherever it is", () =>
    Effect.gen(function* () {
      const { value } = yield* post("sessions.new", {})
      const request = { title: "T", prompt: "P", daily: { time: "09:00:00", time_zone: "UTC" } }
      const record = (yield* post("schedule.create", { sessionId: value.header.id, request })).value
      const calls: ReadonlyArray<readonly [method: string, payload: object]> = [
        ...Object.entries(payloads),
        ["schedule.create", { sessionId: value.header.id, request }],
        ["schedule.update", { sessionId: value.header.id, id: record.id, expected: record, title: "X" }],
        ["schedule.preview", { request: { daily: request.daily, count: 1 } }]
      ]
      for (const [method, payload] of calls) {
        for (const body of placed(payload)) {
          const { status, value } = yield* post(method, body)
          assert.deepStrictEqual([status, value.code], [400, "invalid_json"], `${method} ${body.slice(0, 200)}`)
        }
      }
    })
  )

  it.effect("a Session whose log is broken is refused as such", () =>
    Effect.gen(function* () {
      const { home } = yield* WebHost.Host
      const id = "broken"
      yield* post("sessions.new", { id })
      appendFileSync(join(home.sessions, SessionPath.segment(id), "session.jsonl"), "{}\n{}\n")
      yield* post("sessions.new", { id: "headless" })
      writeFileSync(join(home.sessions, SessionPath.segment("headless"), "session.jsonl"), "{}\n")
      const request = { title: "T", prompt: "P", every_seconds: 60 }
      const calls = [
        ["schedule.create", { sessionId: id, request }],
        ["sessions.show", { id }],
        ["sessions.delegationDepth", { id: "headless" }],
        ["sessions.rename", { id, title: "T" }],
        ["sessions.archive", { id }],
        ["sessions.unarchive", { id }]
      ] as const
      for (const [method, payload] of calls) {
        const answer = yield* post(method, payload)
        assert.deepStrictEqual([answer.status, answer.value.code], [409, "session_corrupt"], method)
      }
      assert.lengthOf((yield* post("sessions.list")).value.unreadable, 2)
      // what its first line says is known all the same
      assert.deepStrictEqual(yield* post("sessions.delegationDepth", { id }), { status: 200, value: 0 })
    })
  )

  it.effect("keeps callers out before it looks at what they call", () =>
    Effect.gen(function* () {
      for (const method of methods) {
        const outsiders: ReadonlyArray<readonly [init: RequestInit, status: number]> = [
          [{ headers: { authorization: "Bearer wrong" } }, 401],
          [{ headers: { origin: "http://evil.example" } }, 403],
          [{ body: "x".repeat(1024 * 1024 + 1) }, 413]
        ]
        for (const [init, status] of outsiders)
          assert.strictEqual((yield* post(method, undefined, init)).status, status)
        const chunked = new Blob(["{}"]).stream()
        const init = { body: chunked, duplex: "half" } as RequestInit
        assert.strictEqual((yield* post(method, undefined, init)).status, 411)
      }
      for (const headers of [{ authorization: "Bearer wrong" }, { origin: "http://evil.example" }]) {
        const response = yield* get("/api/schedule.changed", { headers })
        const body = JSON.parse(yield* Effect.promise(() => response.text()))
        Described.check("GET", "/api/schedule.changed", response.status, body)
      }
    })
  )

  it.effect("describes every method, from the schemas of the calls", () =>
    Effect.gen(function* () {
      const response = yield* get("/api/openapi.json")
      const served = JSON.parse(yield* Effect.promise(() => response.text()))
      assert.deepStrictEqual<unknown>(served, JSON.parse(JSON.stringify(openApi)))
      assert.sameMembers(
        Object.keys(served.paths),
        [...methods, "schedule.changed"].map((name) => `/api/${name}`)
      )
      const page = yield* get("/api")
      const html = yield* Effect.promise(() => page.text())
      for (const name of methods) assert.include(html, `POST /api/${name}`)
      assert.include(html, "GET /api/schedule.changed")
      assert.notMatch(html, /<script|style=/)
    })
  )

  it.effect("changes arrive as an event stream", () =>
    Effect.gen(function* () {
      const service = yield* ScheduleService
      const response = yield* get("/api/schedule.changed")
      Described.checkStream("/api/schedule.changed", response.headers.get("content-type"))
      const reader = response.body!.getReader()
      const read = Effect.promise(async () => new TextDecoder().decode((await reader.read()).value))
      assert.include(yield* read, "event: changed\ndata: {}\n\n")
      const session = yield* post("sessions.new", {})
      yield* service.create(session.value.header.id, { title: "T", prompt: "P", every_seconds: 60 })
      assert.include(yield* read, "event: changed")
      yield* Effect.promise(() => reader.cancel())
    })
  )
})

layer(Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }), Fake.layer), {
  excludeTestServices: true
})("the plain HTTP form of a Host that fails", (it) => {
  it.scoped(
    "answers 503 for what may pass and 500 for what may not, and nothing else that is described never comes",
    () =>
      Effect.gen(function* () {
        const fake = yield* Fake.FakeService
        let sessions: Effect.Effect<never, SessionIoError> = Effect.die("not told yet")
        yield* Layer.build(
          HttpLayerRouter.serve(HttpForm.layer, { disableLogger: true, disableListenLog: true }).pipe(
            Layer.provide(SessionHandlers.layerClient),
            Layer.provide(Layer.succeed(SessionController, controller(Effect.suspend(() => sessions)))),
            Layer.provide(Logger.minimumLogLevel(LogLevel.None))
          )
        )
        const url = yield* HttpServer.addressFormattedWith(Effect.succeed)
        const io = new SessionIoError({ path: "/secret", cause: new Error("SECRET") })
        const failures = [
          [new StorageFailure({ message: "SECRET", cause: "SECRET" }), io, 503],
          [new ServiceStopping(), io, 503],
          [undefined, undefined, 500]
        ] as const
        for (const [failure, io, status] of failures) {
          fake.answer = failure === undefined ? Effect.die("SECRET") : Effect.fail(failure)
          sessions = io === undefined ? Effect.die("SECRET") : Effect.fail(io)
          for (const method of methods.filter((method) => method !== "schedule.preview")) {
            const answer = yield* ask(url, {}, method, payloads[method])
            assert.strictEqual(answer.status, status, method)
            assert.notInclude(JSON.stringify(answer.value), "SECRET")
          }
        }
        // a preview asks nothing that could fail
        assert.deepStrictEqual(Described.unseen(), ["POST /api/schedule.preview 500", "POST /api/schedule.preview 503"])
      })
  )
})

// internal

/** Nested more deeply than a stack is. */
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`

/** The texts of a payload with {@link deep} in place of it, of each of its members, or beside them. */
const placed = (payload: unknown): ReadonlyArray<string> => [
  deep,
  ...(typeof payload === "object" && payload !== null
    ? Object.entries({ ...payload, more: 0 }).flatMap(([name, member]) =>
        placed(member).map((text) => JSON.stringify({ ...payload, [name]: hole }).replace(`"${hole}"`, text))
      )
    : [])
]

const hole = "to be filled"

const address = { sessionId: "s", id: "x" }

const payloads: Readonly<Record<string, object>> = {
  "schedule.create": { sessionId: "s", request: {} },
  "schedule.list": { sessionId: "s" },
  "schedule.catalogPage": { limit: 1 },
  "schedule.history": { ...address, limit: 1 },
  "schedule.update": { ...address, expected: {} },
  "schedule.delete": address,
  "sessions.new": {},
  "sessions.show": { id: "s" },
  "sessions.delegationDepth": { id: "s" },
  "sessions.rename": { id: "s", title: "T" },
  "sessions.archive": { id: "s" },
  "sessions.unarchive": { id: "s" }
}

const controller = (failure: Effect.Effect<never, SessionIoError>) =>
  SessionController.of({
    create: () => failure,
    list: failure,
    get: () => failure,
    show: () => failure,
    rename: () => failure,
    archive: () => failure,
    unarchive: () => failure,
    append: () => failure,
    resolveAgent: () => failure,
    liveAgent: () => Effect.succeedNone,
    delegationDepth: () => failure,
    onOpen: () => Effect.void,
    onAgent: () => Effect.void,
    changes: Stream.empty
  })
