import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { MessageId, SessionId } from "../../src/domain/Identifiers.ts"
import * as SdkClient from "../../src/sdk/SdkClient.ts"
import * as SdkProcess from "../../src/sdk/SdkProcess.ts"
import { ended, TestHome } from "./Command.ts"

const repository = join(import.meta.dirname, "../..")
const program = join(repository, "dist/bin/host-schedule.js")
const guide = readFileSync(join(repository, "docs/guide/sdk.md"), "utf8")
const sessionId = SessionId.make("conversation-1")

describe("sdk", () => {
  it.skipIf(!hasPython())("the guide's example in Python runs as it stands (it needs python3)", async () => {
    await using home = new TestHome()
    const example = /```python\n(.*?)```/s.exec(guide)?.[1] ?? ""
    writeFileSync(home.path("example.py"), example)
    mkdirSync(home.path("bin"))
    symlinkSync(program, home.path("bin", "host-schedule"))
    const python = spawn("python3", ["example.py"], {
      cwd: home.dir,
      env: { ...environment(home), PATH: `${home.path("bin")}:${process.env.PATH}` }
    })
    const outcome = await ended(python)
    assert.deepStrictEqual([outcome.code, outcome.stderr], [0, ""])
    assert.match(outcome.stdout, /^to\nconversation-1:\n\[SCHEDULE REMINDER\]\n.*"The tea is ready\."\n$/s)

    const stored = JSON.parse(readFileSync(home.path("inbox.jsonl"), "utf8"))
    const [task] = await home.json<ReadonlyArray<Task>>("catalog")
    assert.strictEqual(task?.status, "inactive")
    assert.strictEqual(task?.lastDelivery?.messageId, stored.message.id)
  })

  it("the guide's example in TypeScript runs as it stands", async () => {
    await using home = new TestHome()
    const example = (/```ts\n(.*?)```/s.exec(guide)?.[1] ?? "")
      .replaceAll(/"host-schedule\/(domain|sdk)"/g, (_, name) => `"${join(repository, `src/${name}/index.ts`)}"`)
      .replace('["host-schedule", "sdk"]', JSON.stringify([process.execPath, program, "sdk"]))
    writeFileSync(home.path("example.mts"), example)
    symlinkSync(join(repository, "node_modules"), home.path("node_modules"))
    const tsx = join(repository, "node_modules/tsx/dist/cli.mjs")
    const outcome = await ended(
      spawn(process.execPath, [tsx, "example.mts"], { cwd: home.dir, env: environment(home) })
    )
    assert.deepStrictEqual([outcome.code, outcome.stderr], [0, ""])
    assert.match(outcome.stdout, /^to conversation-1:\n\[SCHEDULE REMINDER\]\n.*"The tea is ready\."\n$/s)
  })

  it("a client that is killed in the middle of a delivery loses nothing, and nothing comes twice", async () => {
    await using home = new TestHome()
    const dying = new Client(home)
    await dying.call("sdk.ready", { alreadyHas: true })
    await dying.call("sdk.deliveries")
    await dying.call("schedule.create", { sessionId, request: { title: "Tea", prompt: "P", after_seconds: 1 } })
    dying.send({ jsonrpc: "2.0", id: (await dying.said("sdk.alreadyHas")).id, result: {} })
    const { message } = (await dying.said("sdk.delivery")).params
    // as if the process had died: both pipes are gone at once
    dying.child.stdout.destroy()
    dying.child.stdin.destroy()
    assert.strictEqual((await dying.ended).code, 0)

    const received: Array<string> = []
    const receipt = await Effect.runPromise(
      Effect.gen(function* () {
        const host = yield* SdkProcess.start({
          command: [process.execPath, program, "sdk"],
          env: environment(home)
        })
        const { schedule } = yield* SdkClient.make(host, {
          deliver: ({ message }) => Effect.sync(() => received.push(message.id) > 0),
          alreadyHas: ({ keys }) => Effect.succeed(new Map(keys.map((key) => [key, MessageId.make(message.id)])))
        })
        return yield* schedule.catalog().pipe(
          Effect.map(([task]) => task?.lastDelivery),
          Effect.repeat({ until: (receipt) => receipt !== undefined })
        )
      }).pipe(Effect.scoped)
    )
    assert.strictEqual(receipt?.messageId, message.id)
    assert.deepStrictEqual(received, [])
  })

  it("SIGTERM lets the client acknowledge, and ends with 0", async () => {
    await using home = new TestHome()
    const client = new Client(home)
    await client.call("sdk.ready")
    await client.call("sdk.deliveries")
    await client.call("schedule.create", { sessionId, request: { title: "Tea", prompt: "P", after_seconds: 1 } })
    const { deliveryId, message } = (await client.said("sdk.delivery")).params
    client.child.kill("SIGTERM")
    // once the Host is stopping, it says so
    let code: string | undefined
    while (code !== "host_stopping") code = (await client.ask("schedule.list", { sessionId })).error?.data.code
    assert.deepStrictEqual(await client.call("sdk.acknowledge", { deliveryId, flushed: true }), { acknowledged: true })
    assert.deepStrictEqual((await client.ended).code, 0)
    const [task] = await home.json<ReadonlyArray<Task>>("catalog")
    assert.strictEqual(task?.lastDelivery?.messageId, message.id)
  })

  it("a client that reads nothing does not hold up SIGTERM for long", async () => {
    await using home = new TestHome()
    const client = new Client(home)
    await client.call("sdk.ready")
    client.child.stdout.pause()
    const unknown = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "schedule.nothing", params: {} })
    for (let i = 0; i < 40; i++) client.child.stdin.write(`${unknown}\n`.repeat(500))
    client.child.kill("SIGTERM")
    const code = await new Promise((resolve) => client.child.once("exit", resolve))
    assert.strictEqual(code, 0)
    client.child.stdout.resume()
  })

  it("the TypeScript client outlives its Host, and says that it is unreachable", async () => {
    await using home = new TestHome()
    const failure = await Effect.runPromise(
      Effect.gen(function* () {
        const host = yield* SdkProcess.start({
          command: ["sh", "-c", `"${process.execPath}" "${program}" sdk & read line; kill -9 $!`],
          env: environment(home)
        })
        return yield* Effect.flip(SdkClient.make(host, { deliver: () => Effect.succeed(true) }))
      }).pipe(Effect.scoped)
    )
    assert.strictEqual(failure.code, "client_gone")
    const missing = await Effect.runPromise(
      SdkProcess.start({ command: ["/nowhere/host-schedule"] }).pipe(Effect.scoped, Effect.flip)
    )
    assert.strictEqual(missing.code, "client_gone")
  })

  it("a home that another process owns is told, and works once it is free", async () => {
    await using home = new TestHome()
    const first = new Client(home)
    await first.call("sdk.ready")
    const second = new Client(home)
    assert.strictEqual((await second.ask("sdk.ready")).error?.data.code, "store_locked")
    first.child.stdin.end()
    assert.strictEqual((await first.ended).code, 0)
    await second.call("sdk.ready")
    second.child.stdin.end()
    const { code, stderr } = await second.ended
    assert.strictEqual(code, 0)
    assert.match(stderr, /The store of this home did not open/)
  })

  it("refuses a home that it cannot use before it says anything", async () => {
    await using home = new TestHome()
    writeFileSync(home.path("config.json"), "{")
    const outcome = await home.run(["sdk"])
    assert.deepStrictEqual([outcome.code, outcome.stdout], [2, ""])
    assert.match(outcome.stderr, /^host-schedule: .*\(invalid_config\)\n$/)
  })
})

// internal

interface Task {
  readonly status: string
  readonly lastDelivery?: { readonly messageId: string }
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params: { readonly deliveryId: string; readonly message: { readonly id: string } }
  readonly result?: unknown
  readonly error?: { readonly data: { readonly code: string } }
}

function hasPython() {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const environment = (home: TestHome) => ({
  PATH: process.env.PATH ?? "",
  HOME: home.dir,
  HOST_SCHEDULE_HOME: home.dir
})

/** Nothing but lines. */
class Client {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: ReturnType<typeof ended>
  private readonly received: Array<Message> = []
  private readonly waiting = new Set<() => void>()
  private calls = 0

  constructor(home: TestHome) {
    this.child = spawn(process.execPath, [program, "sdk"], { env: environment(home) })
    this.ended = ended(this.child)
    this.child.stdin.on("error", () => {})
    createInterface(this.child.stdout).on("line", (line) => {
      this.received.push(JSON.parse(line))
      for (const look of this.waiting) look()
    })
  }

  send(message: object) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  async ask(method: string, params: object = {}): Promise<Message> {
    const id = ++this.calls
    this.send({ jsonrpc: "2.0", id, method, params })
    return this.next((message) => message.id === id && message.method === undefined)
  }

  async call(method: string, params: object = {}): Promise<unknown> {
    const { error, result } = await this.ask(method, params)
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }

  /** Waits for what the Host says of itself. */
  said(method: string): Promise<Message> {
    return this.next((message) => message.method === method)
  }

  private next(fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = () => {
        const at = this.received.findIndex(fits)
        if (at < 0) return
        this.waiting.delete(look)
        resolve(this.received.splice(at, 1)[0]!)
      }
      this.waiting.add(look)
      look()
    })
  }
}
