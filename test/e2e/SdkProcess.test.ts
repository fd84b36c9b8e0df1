import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { SessionId } from "../../src/domain/Identifiers.ts"
import * as SdkClient from "../../src/sdk/SdkClient.ts"
import * as SdkProcess from "../../src/sdk/SdkProcess.ts"

const sessionId = SessionId.make("conversation-1")
const accepting: SdkClient.Handlers = { deliver: () => Effect.succeed(true) }

describe("a Host as a child process", () => {
  it("is ended by its input's end, and leaves neither a process nor a handle, however often it is closed", async () => {
    const before = await handles()
    const scope = Effect.runSync(Scope.make())
    const [pid, client] = await Effect.runPromise(Scope.extend(started(host("process.stdin.resume()")), scope))
    assert.isTrue(isAlive(pid))
    await Promise.all([1, 2].map(() => Effect.runPromise(Scope.close(scope, Exit.void))))
    assert.isFalse(isAlive(pid))
    assert.strictEqual((await Effect.runPromise(Effect.flip(client.schedule.catalog()))).code, "host_unreachable")
    assert.deepStrictEqual(await handles(), before)
  })

  it("is killed when it does not end in time, and is gone when the close is done", async () => {
    const before = await handles()
    const stubborn = host("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)")
    const pid = await Effect.runPromise(
      Effect.scoped(Effect.map(started(stubborn, { stopWithin: "200 millis" }), ([pid]) => pid))
    )
    assert.isFalse(isAlive(pid))
    assert.deepStrictEqual(await handles(), before)
  })

  it("leaves no handle when another process keeps its output open, or nobody reads it", async () => {
    const before = await handles()
    const heir = "require('child_process').spawn('sleep', ['30'], { stdio: ['ignore', 'inherit', 'ignore'] }).unref()"
    await Effect.runPromise(Effect.scoped(started(host(`${heir}; process.stdin.resume()`))))
    assert.deepStrictEqual(await handles(), before)
    const flood =
      "process.stdin.on('end', () => process.exit()).resume(); setInterval(() => console.log('x'.repeat(1e5)))"
    await Effect.runPromise(
      Effect.scoped(SdkProcess.start({ command: [process.execPath, "-e", flood], stopWithin: "5 seconds" }))
    )
    assert.deepStrictEqual(await handles(), before)
  })

  it("that is killed fails every pending call and every reader at once", async () => {
    const codes = await Effect.runPromise(
      Effect.gen(function* () {
        const [pid, { gone, schedule }] = yield* started(host(""))
        const listing = yield* Effect.fork(Effect.flip(schedule.list({ sessionId })))
        const reading = yield* Effect.fork(Effect.flip(Stream.runDrain(schedule.changes)))
        yield* Effect.yieldNow()
        process.kill(pid, "SIGKILL")
        yield* gone
        return [(yield* Fiber.join(listing)).code, (yield* Fiber.join(reading)).code]
      }).pipe(Effect.scoped)
    )
    assert.deepStrictEqual(codes, ["host_unreachable", "host_unreachable"])
  })

  it("that cannot be started is told as such", async () => {
    for (const command of [["/nowhere/host-schedule"], ["/"]] as const) {
      const failure = await Effect.runPromise(SdkProcess.start({ command }).pipe(Effect.scoped, Effect.flip))
      assert.deepStrictEqual([failure._tag, failure.code], ["SdkFailure", "client_gone"])
    }
  })

  it("gets its arguments as they are, and this environment with what is added", async () => {
    const greeting = "greet(JSON.stringify([process.argv[1], process.env.ADDED, process.env.PATH === undefined]))"
    const version = await Effect.runPromise(
      Effect.gen(function* () {
        const connection = yield* SdkProcess.start({
          command: [process.execPath, "-e", `${answering}; ${greeting}`, "a 'b' $c"],
          env: { ADDED: "1" }
        })
        return (yield* SdkClient.make(connection, accepting)).version
      }).pipe(Effect.scoped)
    )
    assert.deepStrictEqual(JSON.parse(version), ["a 'b' $c", "1", false])
  })
})

// internal

/** A program that makes clients ready, and answers nothing else. */
const answering = `
const greet = (version) =>
  require("readline").createInterface(process.stdin).on("line", (line) => {
    const { id, method } = JSON.parse(line)
    if (method === "sdk.ready") say(id, { protocol: 1, version, flushTimeout: 1000 })
    if (method === "sdk.deliveries") say(id, null)
  })
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))`

/** Such a program, which says its pid for its version, and does something more. */
const host = (more: string): SdkProcess.Options => ({
  command: [process.execPath, "-e", `${answering}; greet(String(process.pid)); ${more}`]
})

const started = (host: SdkProcess.Options, options: SdkProcess.Options = {}) =>
  Effect.gen(function* () {
    const connection = yield* SdkProcess.start({ ...host, ...options })
    const client = yield* SdkClient.make(connection, accepting)
    return [Number(client.version), client] as const
  })

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What children leave behind in this process: pipes and processes that are still open. */
const handles = async () => {
  // what is destroyed is closed in one of the next turns
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  return process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap" || name === "PipeWrap").length
}
