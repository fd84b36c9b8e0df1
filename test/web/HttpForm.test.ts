import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { RemoteRpcs } from "../../src/remote/RemoteClient.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import * as WebHost from "./WebHost.ts"

const fetchAs = (path: string, init: RequestInit = {}) =>
  Effect.gen(function* () {
    const { origin, token } = yield* WebHost.Host
    const headers = { authorization: `Bearer ${token}` }
    return yield* Effect.promise(() => fetch(origin + path, { ...init, headers }))
  })

const post = (method: string, payload?: unknown) =>
  Effect.gen(function* () {
    const body = payload === undefined ? null : typeof payload === "string" ? payload : JSON.stringify(payload)
    const response = yield* fetchAs(`/api/${method}`, { method: "POST", body })
    return { status: response.status, value: JSON.parse(yield* Effect.promise(() => response.text())) }
  })

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
      assert.deepStrictEqual((yield* post("schedule.deleteInactive")).value, 0)
    })
  )

  it.effect("refuses with a status, a code and a message", () =>
    Effect.gen(function* () {
      const request = { title: "T", prompt: "P", every_seconds: 5 }
      const session = yield* post("sessions.new", {})
      const sessionId = session.value.header.id
      const table = [
        ["schedule.create", { sessionId, request }, 400, "frequency_too_high"],
        ["schedule.create", { sessionId: "nobody", request }, 404, "session_not_found"],
        ["schedule.create", { request }, 400, "invalid_payload"],
        ["schedule.create", "{", 400, "invalid_json"],
        ["schedule.create", "[]", 400, "invalid_payload"],
        ["schedule.history", { sessionId, id: "x", limit: 0 }, 400, "invalid_rule"],
        ["schedule.catalogPage", {}, 400, "invalid_rule"],
        ["schedule.catalogPage", { limit: 1, status: "odd" }, 400, "invalid_payload"],
        ["schedule.preview", { request: {} }, 400, "invalid_selector"],
        ["sessions.new", { id: sessionId }, 409, "session_exists"],
        ["sessions.new", { id: " " }, 400, "invalid_session"],
        ["sessions.show", { id: "nobody" }, 404, "session_not_found"]
      ] as const
      for (const [method, payload, status, code] of table) {
        const answer = yield* post(method, payload)
        assert.deepStrictEqual(
          [answer.status, answer.value.code],
          [status, code],
          `${method} ${JSON.stringify(payload)}`
        )
        assert.isString(answer.value.message)
      }
    })
  )

  it.effect("describes every method, from the schemas of the calls", () =>
    Effect.gen(function* () {
      const response = yield* fetchAs("/api/openapi.json")
      const { paths, security } = JSON.parse(yield* Effect.promise(() => response.text()))
      const methods = Array.from(RemoteRpcs.requests.keys()).filter((name) => name !== "schedule.changed")
      assert.sameMembers(
        Object.keys(paths),
        methods.map((name) => `/api/${name}`)
      )
      assert.deepStrictEqual(security, [{ token: [] }])
      const page = yield* fetchAs("/api")
      const html = yield* Effect.promise(() => page.text())
      for (const name of methods) assert.include(html, `POST /api/${name}`)
      assert.notMatch(html, /<script|style=/)
    })
  )

  it.effect("changes arrive as an event stream", () =>
    Effect.gen(function* () {
      const service = yield* ScheduleService
      const response = yield* fetchAs("/api/schedule.changed")
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
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
