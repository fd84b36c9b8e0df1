import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, FastCheck, Layer, Scope } from "effect"
import { Login } from "../../src/web/Login.ts"
import * as WebHost from "./WebHost.ts"

const get = (path: string, init: RequestInit = {}) =>
  Effect.gen(function* () {
    const { origin } = yield* WebHost.Host
    return yield* Effect.promise(() => fetch(origin + path, { redirect: "manual", ...init }))
  })

const authorized = (init: RequestInit = {}) =>
  Effect.map(
    WebHost.Host,
    ({ token }): RequestInit => ({ ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
  )

const json = (response: Response) =>
  Effect.promise(async (): Promise<Record<string, string>> => JSON.parse(await response.text()))

const rpc = (body: string, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const response = yield* get("/rpc", yield* authorized({ method: "POST", body, headers }))
    return { status: response.status, text: yield* Effect.promise(() => response.text()) }
  })

const call = (tag: string, payload: unknown = {}) =>
  `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [] })}\n`

layer(WebHost.layer, { excludeTestServices: true })("the Web composition", (it) => {
  it.effect("health is open, the rest is not", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* get("/healthz")).status, 200)
      for (const path of ["/", "/readyz", "/metrics", "/rpc", "/nothing", "/../healthz/x"]) {
        const response = yield* get(path)
        assert.strictEqual(response.status, 401, path)
        assert.strictEqual((yield* json(response)).code, "unauthorized")
      }
      for (const path of ["/", "/readyz", "/metrics"]) {
        assert.strictEqual((yield* get(path, yield* authorized())).status, 200, path)
      }
      assert.strictEqual((yield* get("/nothing", yield* authorized())).status, 404)
    })
  )

  it.effect("every answer carries the headers that keep a browser in", () =>
    Effect.gen(function* () {
      for (const init of [{}, yield* authorized()]) {
        const { headers } = yield* get("/", init)
        assert.include(headers.get("content-security-policy"), "default-src 'none'")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(headers.get("cache-control"), "no-store")
      }
    })
  )

  it.effect("a sign-in link works once and leaves a cookie that only this site sends", () =>
    Effect.gen(function* () {
      const code = yield* Effect.flatMap(Login, ({ issue }) => issue)
      const first = yield* get(`/login?code=${code}`)
      assert.deepStrictEqual([first.status, first.headers.get("location")], [303, "/"])
      const cookie = first.headers.get("set-cookie") ?? ""
      for (const flag of ["HttpOnly", "SameSite=Strict", "Path=/"]) assert.include(cookie, flag)
      const { token, origin } = yield* WebHost.Host
      assert.notInclude(cookie, token)
      const headers = { cookie: cookie.split(";")[0]! }
      assert.strictEqual((yield* get("/", { headers })).status, 200)
      assert.strictEqual((yield* get("/", { headers: { ...headers, origin } })).status, 200)
      assert.strictEqual((yield* get("/", { headers: { ...headers, origin: "http://evil.example" } })).status, 403)
      assert.strictEqual((yield* get(`/login?code=${code}`)).status, 403)
      for (const query of ["", "?code=", "?code=guess"]) assert.strictEqual((yield* get(`/login${query}`)).status, 403)
    })
  )

  it.effect("an authorised client gets a new sign-in link", () =>
    Effect.gen(function* () {
      const response = yield* get("/login", yield* authorized({ method: "POST" }))
      const { path } = yield* json(response)
      assert.strictEqual((yield* get(path ?? "")).status, 303)
    })
  )

  it.effect("calls over HTTP, and the Session of a create must be there", () =>
    Effect.gen(function* () {
      const made = JSON.parse((yield* rpc(call("sessions.new", { title: "Work" }))).text)
      assert.strictEqual(made.exit.value.title, "Work")
      const sessionId = made.exit.value.header.id
      const request = { title: "T", prompt: "P", after_seconds: 600 }
      const created = JSON.parse((yield* rpc(call("schedule.create", { sessionId, request }))).text)
      assert.strictEqual(created.exit.value.title, "T")
      const missing = JSON.parse((yield* rpc(call("schedule.create", { sessionId: "nobody", request }))).text)
      assert.strictEqual(missing.exit.cause.error.code, "session_not_found")
      const odd = JSON.parse((yield* rpc(call("schedule.create", { sessionId: " ", request }))).text)
      assert.strictEqual(odd.exit.cause.error.code, "session_not_found")
    })
  )

  it.effect("archiving is refused while reminders are active, and deletes them when told to stop", () =>
    Effect.gen(function* () {
      const made = JSON.parse((yield* rpc(call("sessions.new"))).text)
      const id = made.exit.value.header.id
      const request = { title: "Stay", prompt: "P", every_seconds: 60 }
      const record = JSON.parse((yield* rpc(call("schedule.create", { sessionId: id, request }))).text).exit.value
      const refused = JSON.parse((yield* rpc(call("sessions.archive", { id }))).text).exit.cause.error
      assert.strictEqual(refused.code, "session_active")
      assert.deepStrictEqual(refused.activity, [{ family: "schedule", items: [{ id: record.id, label: "Stay" }] }])
      const archived = JSON.parse((yield* rpc(call("sessions.archive", { id, stopActivity: true }))).text)
      assert.isTrue(archived.exit.value.archived)
      assert.deepStrictEqual(JSON.parse((yield* rpc(call("schedule.list", { sessionId: id }))).text).exit.value, [])
      const late = JSON.parse((yield* rpc(call("schedule.create", { sessionId: id, request }))).text)
      assert.strictEqual(late.exit.cause.error.code, "session_archived")
    })
  )

  it.effect("malformed bodies are answered, and oversized ones are not read", () =>
    Effect.gen(function* () {
      for (const body of [
        "{",
        "null\n",
        "[]\n",
        '{"_tag":"Request"}\n',
        '"x"\n',
        "\n",
        call("no.such"),
        deep,
        deepCall
      ]) {
        const { status, text } = yield* rpc(body)
        assert.deepStrictEqual([status, JSON.parse(text)._tag], [200, "Defect"], body.slice(0, 200))
      }
      assert.strictEqual((yield* rpc(call("schedule.list", { sessionId: 7 }))).status, 200)
      assert.strictEqual((yield* rpc("x".repeat(1024 * 1024 + 1))).status, 413)
      assert.strictEqual((yield* get("/healthz")).status, 200)
    })
  )

  it.effect("10 000 random frames on a WebSocket leave the Host answering others", () =>
    Effect.gen(function* () {
      const { port, token } = yield* WebHost.Host
      const frame = FastCheck.oneof(
        FastCheck.string({ unit: "binary", maxLength: 200 }),
        FastCheck.json(),
        FastCheck.record({
          _tag: FastCheck.constantFrom("Request", "Ack", "Interrupt", "Ping", "Eof", "Nonsense"),
          id: FastCheck.oneof(FastCheck.nat().map(String), FastCheck.string(), FastCheck.jsonValue()),
          requestId: FastCheck.oneof(FastCheck.nat().map(String), FastCheck.jsonValue()),
          tag: FastCheck.constantFrom("schedule.list", "schedule.changed", "sessions.show", "__proto__", ""),
          payload: FastCheck.jsonValue(),
          headers: FastCheck.oneof(FastCheck.constant([]), FastCheck.jsonValue())
        }).map((message) => `${JSON.stringify(message)}\n`)
      )
      const frames = [deepCall, deep, ...FastCheck.sample(frame, 10_000), deepCall, deep]
      for (let i = 0; i < frames.length; ) {
        // the Host may hang up at any frame; the rest goes to the next connection
        i += yield* Effect.promise(() => send(port, token, frames.slice(i)))
      }
      assert.strictEqual((yield* get("/readyz", yield* authorized())).status, 200)
      assert.include((yield* rpc(call("schedule.catalog"))).text, "Success")
    })
  )

  it.effect("a WebSocket message has at most 1 MiB, and a longer one is refused before it arrives", () =>
    Effect.gen(function* () {
      const { port, token } = yield* WebHost.Host
      const line = call("schedule.catalog")
      const whole = line + " ".repeat(1024 * 1024 - line.length - 1)
      const table: ReadonlyArray<readonly [what: string, frames: ReadonlyArray<Buffer>, closed: boolean]> = [
        ["as long as may be", [textFrame(whole)], false],
        ["one byte longer", [textFrame("x".repeat(1024 * 1024 + 1)).subarray(0, 14)], true],
        [
          "longer than memory",
          [Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
          true
        ],
        [
          "one byte longer, in pieces",
          [fragment(0x01, "x".repeat(700_000)), fragment(0x00, "x".repeat(1024 * 1024 - 700_000 + 1)).subarray(0, 14)],
          true
        ]
      ]
      for (const [what, frames, closed] of table) {
        const answer = yield* Effect.promise(() => firstFrame(port, token, frames))
        // 0x88 is a close frame, 1009 its reason
        if (closed) assert.deepStrictEqual([answer[0], answer.readUInt16BE(2)], [0x88, 1009], what)
        else assert.include(String(answer), '"Success"', what)
      }
      assert.include((yield* rpc(line)).text, "Success")
    })
  )

  it.effect("clients that reset their connection in the middle of an upgrade do no harm", () =>
    Effect.gen(function* () {
      const { port, token } = yield* WebHost.Host
      for (const headers of [[], [`Authorization: Bearer ${token}`]]) {
        for (let i = 0; i < 100; i++) yield* Effect.promise(() => reset(port, headers))
      }
      assert.strictEqual((yield* get("/readyz", yield* authorized())).status, 200)
    })
  )

  it.effect("broken frames right behind an upgrade close that connection alone", () =>
    Effect.gen(function* () {
      const { port, token } = yield* WebHost.Host
      for (const frame of [
        [0xff, 0xff],
        [0xc1, 0x80, 0, 0, 0, 0],
        [0x81, 0x05],
        [0x88, 0x81, 0, 0, 0, 0, 1]
      ]) {
        for (let i = 0; i < 20; i++) yield* Effect.promise(() => follow(port, token, Buffer.from(frame)))
      }
      assert.strictEqual((yield* get("/readyz", yield* authorized())).status, 200)
    })
  )

  it.effect("a WebSocket without the token, or from another site, is not opened", () =>
    Effect.gen(function* () {
      const { origin, port, token } = yield* WebHost.Host
      const upgrade = (headers: ReadonlyArray<string>) => Effect.promise(() => raw(port, headers))
      assert.match(yield* upgrade([]), /^HTTP\/1.1 401/)
      assert.match(yield* upgrade(["Authorization: Bearer nope"]), /^HTTP\/1.1 401/)
      assert.match(yield* upgrade([`Authorization: Bearer ${token}`, "Origin: http://evil.example"]), /^HTTP\/1.1 403/)
      assert.match(yield* upgrade([`Authorization: Bearer ${token}`, `Origin: ${origin}`]), /^HTTP\/1.1 101/)
    })
  )
})

layer(Layer.empty, { excludeTestServices: true })("a Web composition that closes", (it) => {
  it.effect("ends the streams and WebSockets that clients still read", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Layer.fresh(WebHost.layer), scope)
      const { origin, port, token } = Context.get(context, WebHost.Host)
      const headers = { authorization: `Bearer ${token}` }
      const stream = yield* Effect.promise(() => fetch(`${origin}/api/schedule.changed`, { headers }))
      const subscribed = yield* Deferred.make<Buffer>()
      const closed = new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () =>
          socket.write(upgradeOf(port, [`Authorization: Bearer ${token}`]))
        )
        socket.once("data", () => {
          socket.once("data", (data) => Deferred.unsafeDone(subscribed, Effect.succeed(data)))
          socket.write(textFrame(call("schedule.changed")))
        })
        socket.once("close", () => resolve())
      })
      assert.include(String(yield* Deferred.await(subscribed)), "Chunk")
      // refused, and in no hurry to go
      const refused = yield* Deferred.make<void>()
      const lingering = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () =>
        lingering.write(upgradeOf(port, []))
      )
      lingering.once("data", () => Deferred.unsafeDone(refused, Effect.void))
      yield* Deferred.await(refused)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => closed)
      yield* Effect.promise(() => stream.text().catch(() => ""))
      lingering.destroy()
    })
  )
})

// internal

/** Nested more deeply than a stack is. */
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}\n`

const deepCall = call("schedule.list").replace("{}", `{"sessionId":${deep.trim()}}`)

const upgradeOf = (port: number, headers: ReadonlyArray<string>) =>
  [
    "GET /rpc HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
    "",
    ""
  ].join("\r\n")

/** The first answer to an upgrade. */
const raw = (port: number, headers: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(upgradeOf(port, headers)))
    socket.once("data", (data) => {
      resolve(String(data))
      socket.destroy()
    })
    socket.once("error", reject)
  })

/** How many frames went out before the Host hung up, at least one. */
const send = (port: number, token: string, frames: ReadonlyArray<string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(upgradeOf(port, [`Authorization: Bearer ${token}`])))
    let sent = 0
    const next = () => {
      if (socket.destroyed || socket.writableEnded) return
      for (let i = 0; i < 100 && sent < frames.length; i++) socket.write(textFrame(frames[sent++]!))
      if (sent < frames.length) setImmediate(next)
      else socket.end(Buffer.from([0x88, 0x80, 0, 0, 0, 0]))
    }
    socket.once("data", (data) => {
      if (!String(data).startsWith("HTTP/1.1 101")) return reject(new Error(String(data)))
      next()
    })
    socket.on("data", () => {})
    socket.on("error", () => {})
    socket.on("close", () => resolve(Math.max(sent, 1)))
  })

/** Asks for an upgrade and is gone. */
const reset = (port: number, headers: ReadonlyArray<string>): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(upgradeOf(port, headers), () => setImmediate(() => socket.resetAndDestroy()))
    )
    socket.on("error", () => {})
    socket.once("close", () => resolve())
  })

/** Sends a frame in one packet with the upgrade, and waits for the end. */
const follow = (port: number, token: string, frame: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(Buffer.concat([Buffer.from(upgradeOf(port, [`Authorization: Bearer ${token}`])), frame]))
    )
    socket.on("data", () => {})
    socket.on("error", () => {})
    socket.on("end", () => socket.destroy())
    socket.once("close", () => resolve())
  })

/** What comes back first when frames were sent over a new WebSocket. */
const firstFrame = (port: number, token: string, frames: ReadonlyArray<Buffer>): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(upgradeOf(port, [`Authorization: Bearer ${token}`])))
    socket.once("data", () => {
      socket.once("data", (data) => {
        resolve(data)
        socket.destroy()
      })
      for (const frame of frames) socket.write(frame)
    })
    socket.once("error", reject)
  })

const textFrame = (text: string): Buffer => fragment(0x81, text)

/** A masked frame, the mask being zero: 0x81 is a whole text, 0x01 the beginning of one, 0x00 more of it. */
const fragment = (first: number, text: string): Buffer => {
  const payload = Buffer.from(text)
  const length = payload.length < 126 ? [0x80 | payload.length] : payload.length < 65_536 ? [0xfe] : [0xff]
  const extended = Buffer.alloc(payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8)
  if (extended.length === 2) extended.writeUInt16BE(payload.length)
  if (extended.length === 8) extended.writeBigUInt64BE(BigInt(payload.length))
  return Buffer.concat([Buffer.from([first, ...length]), extended, Buffer.alloc(4), payload])
}
