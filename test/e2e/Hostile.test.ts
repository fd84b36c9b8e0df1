import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"

describe("a Host whose port anybody can reach", () => {
  it("survives whatever is sent to it, and connections that are cut anywhere, without a word", async () => {
    await using home = new TestHome()
    const host = await home.serve()
    const { url } = await host.ready
    const port = Number(new URL(url).port)
    const token = readFileSync(home.path("token"), "utf8").trim()
    const requests = FastCheck.sample(request(port, token), 4_000)
    const workers = Array.from({ length: 16 }, async () => {
      for (let next = requests.pop(); next !== undefined; next = requests.pop()) await send(port, next)
    })
    await Promise.all(workers)
    const headers = { authorization: `Bearer ${token}` }
    assert.strictEqual((await fetch(`${url}/readyz`, { headers })).status, 200)
    // clients that never end what they began must not hold it up; they are here until the end
    const holding = ["/rpc", "/api/schedule.changed"].flatMap((path) => [
      hold(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`),
      hold(port, `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n`)
    ])
    await Promise.all(holding)
    const began = Date.now()
    const { code, stderr } = await host.stop()
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.isBelow(Date.now() - began, 10_000)
    for (const socket of await Promise.all(holding)) socket.destroy()
  })
})

// internal

interface Sent {
  readonly bytes: Uint8Array
  /** How much of it is sent, of 1. */
  readonly part: number
  readonly milliseconds: number
  readonly resets: boolean
}

/** Requests that are nearly right, and bytes that are none. */
const request = (port: number, token: string): FastCheck.Arbitrary<Sent> => {
  const line = (...values: ReadonlyArray<string>) =>
    FastCheck.constantFrom(...values.map((value) => (value === "" ? "" : `${value}\r\n`)))
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket"
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
  const nearly = FastCheck.record({
    method: FastCheck.constantFrom("GET", "GET", "POST", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "CONNECT", "FOO"),
    path: FastCheck.constantFrom(
      ...[
        "/",
        "/rpc",
        "/api/schedule.catalog",
        "/api/schedule.changed",
        "/mcp/x",
        "/mcp/%ff",
        "/mcp/%",
        "/login?code=%ff"
      ],
      ...[
        "/proof?nonce=%00",
        `/proof?nonce=${"A".repeat(43)}`,
        "//evil/..",
        "http://evil/",
        "*",
        "/api/%2e%2e",
        "/\u00e9"
      ]
    ),
    version: FastCheck.constantFrom("1.1", "1.1", "1.0", "3"),
    host: line(
      `Host: 127.0.0.1:${port}`,
      `Host: 127.0.0.1:${port}`,
      `Host: localhost:${port}`,
      "Host: evil",
      "Host: [::1",
      ""
    ),
    access: line(
      `Authorization: Bearer ${token}`,
      `Authorization: Bearer ${token}`,
      "Authorization: Bearer x",
      "Cookie: host_schedule=%%%; =;;",
      ""
    ),
    more: line(
      "Content-Length: 5",
      "Content-Length: 99999999999",
      "Transfer-Encoding: chunked",
      "Content-Length: 5\r\nTransfer-Encoding: chunked",
      "Expect: 100-continue\r\nContent-Length: 5",
      ...Array.from({ length: 5 }, () => `${upgrade}\r\n${key}`),
      upgrade,
      "Connection: Upgrade\r\nUpgrade: h2c",
      `X: ${"y".repeat(20_000)}`,
      ""
    ),
    body: FastCheck.oneof(
      FastCheck.constantFrom("", "{}", "hello", "[]\n", "5\r\nhello\r\n0\r\n\r\n").map((text) => Buffer.from(text)),
      FastCheck.uint8Array({ maxLength: 60 }),
      FastCheck.uint8Array({ minLength: 9, maxLength: 9 }).map((bytes) =>
        Buffer.concat([Buffer.from([0x81, 0x85]), bytes])
      )
    )
  }).map(({ access, body, host, method, more, path, version }) =>
    Buffer.concat([Buffer.from(`${method} ${path} HTTP/${version}\r\n${host}${access}${more}\r\n`), body])
  )
  return FastCheck.record({
    bytes: FastCheck.oneof(
      { arbitrary: nearly, weight: 9 },
      { arbitrary: FastCheck.uint8Array({ maxLength: 300 }), weight: 1 }
    ),
    part: FastCheck.oneof(
      FastCheck.constant(1),
      FastCheck.constant(1),
      FastCheck.double({ min: 0, max: 1, noNaN: true })
    ),
    milliseconds: FastCheck.nat(15),
    resets: FastCheck.boolean()
  })
}

/** Sends it, and is gone after a while, whatever comes back. */
const send = (port: number, { bytes, milliseconds, part, resets }: Sent): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(bytes.subarray(0, Math.ceil(bytes.length * part)))
      setTimeout(() => (resets ? socket.resetAndDestroy() : socket.destroy()), milliseconds)
    })
    socket.on("data", () => {})
    socket.on("error", () => {})
    socket.once("close", () => resolve())
  })

/** A connection that is answered, and stays half open. */
const hold = (port: number, text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.write(text))
    socket.once("data", () => resolve(socket))
    socket.once("error", reject)
  })
