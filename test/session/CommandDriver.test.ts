import * as fs from "node:fs"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Either, Fiber, Layer, Option, TestClock } from "effect"
import { AgentDriver } from "../../src/session/AgentDriver.ts"
import * as CommandDriver from "../../src/session/CommandDriver.ts"
import { MessageId } from "../../src/session/SessionEvent.ts"
import { header, temporaryDirectory } from "./TempLog.ts"
import { sessionId, start } from "./TestSessions.ts"

describe("the command driver", () => {
  it.scoped("gives the text on stdin, the ids in the environment, and takes stdout for the answer", () =>
    Effect.gen(function* () {
      const turn = yield* driver("sh", "-c", 'printf "%s/%s " "$SESSION_ID" "$MESSAGE_ID"; cat; echo; echo')
      assert.deepStrictEqual(yield* turn("héllo\n$(whoami) `id`"), {
        text: Option.some("s1/m1 héllo\n$(whoami) `id`"),
        truncated: false
      })
    })
  )

  it.scoped("passes arguments as they are, to no shell", () =>
    Effect.gen(function* () {
      const turn = yield* driver("printf", "%s|", "a b", "$HOME", "; exit 3", "*")
      assert.deepStrictEqual((yield* turn("")).text, Option.some("a b|$HOME|; exit 3|*|"))
    })
  )

  it.scoped("takes no output for no answer", () =>
    Effect.gen(function* () {
      const turn = yield* driver("true")
      assert.deepStrictEqual(yield* turn(""), { text: Option.none(), truncated: false })
    })
  )

  it.scoped("does not mind a command that never reads its stdin", () =>
    Effect.gen(function* () {
      const turn = yield* driver("echo", "done")
      assert.deepStrictEqual((yield* turn("x".repeat(3_000_000))).text, Option.some("done"))
    })
  )

  it.scoped("runs in the Session's working directory", () =>
    Effect.gen(function* () {
      const directory = fs.realpathSync(yield* temporaryDirectory)
      const turn = yield* driver("pwd")
      assert.deepStrictEqual((yield* turn("", directory)).text, Option.some(directory))
      assert.include(yield* reason(turn("", `${directory}/none`)), "none")
    })
  )

  it.scoped("keeps the beginning of a long output, cut between characters, and lets the command finish", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const turn = yield* driver("sh", "-c", `yes é | head -c 900000; touch ${directory}/finished`)
      assert.deepStrictEqual(yield* turn(""), { text: Option.some("é\n".repeat(33).trim()), truncated: true })
      assert.isTrue(fs.existsSync(`${directory}/finished`))
    })
  )

  it.each<[string, [string, ...Array<string>], string]>([
    ["an exit status", ["sh", "-c", "echo out; echo why >&2; exit 3"], "exit status 3: why"],
    [
      "an exit status told on stdout alone",
      ["sh", "-c", "echo ' Not logged in '; exit 1"],
      "exit status 1: Not logged in"
    ],
    ["an exit status alone", ["sh", "-c", "echo ' '; exit 1"], "exit status 1"],
    ["a signal", ["sh", "-c", "kill -9 $$"], "SIGKILL"],
    ["a command that is not there", ["/nonexistent/agent"], "nonexistent"]
  ])("fails by %s, with a reason", (_, command, expected) =>
    Effect.gen(function* () {
      const turn = yield* driver(...command)
      assert.include(yield* reason(turn("")), expected)
    }).pipe(Effect.scoped, Effect.runPromise)
  )

  it.scoped("keeps the end of a long stderr", () =>
    Effect.gen(function* () {
      const turn = yield* driver("sh", "-c", "yes no | head -c 90000 >&2; echo last >&2; exit 1")
      const text = yield* reason(turn(""))
      assert.isBelow(text.length, 2_100)
      assert.match(text, /last$/)
    })
  )

  it.scoped("keeps the end of a long stdout when nothing is on stderr", () =>
    Effect.gen(function* () {
      const turn = yield* driver("sh", "-c", "yes no | head -c 3000; echo last; exit 1")
      assert.match(yield* reason(turn("")), /^exit status 1: .{0,2000}$/s)
    })
  )

  it.scoped("fails for an id that no environment can hold", () =>
    Effect.gen(function* () {
      const turn = yield* driver("true")
      assert.include(yield* reason(turn("", undefined, "a\u0000b")), "not started")
    })
  )

  it.scoped("ends a command at its time limit, with what it started, asked first and then killed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      // The child ignores the signal that its parent dies of.
      const script = `trap "" TERM; (trap "" TERM; echo $$ > /dev/null; exec sleep 1000) & echo $! > ${directory}/child; trap - TERM; sleep 1000`
      const turn = yield* driver("sh", "-c", script)
      const fiber = yield* Effect.fork(reason(turn("")))
      const child = yield* pidIn(`${directory}/child`)
      yield* TestClock.adjust("10 minutes")
      yield* TestClock.adjust("2 seconds")
      assert.include(yield* Fiber.join(fiber), "not done after 10m")
      yield* until(() => !isAlive(child))
    })
  )

  it.scoped("kills a command that does not end when it is asked to", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const turn = yield* driver("sh", "-c", `trap "" TERM; echo $$ > ${directory}/pid; while :; do sleep 0.01; done`)
      const fiber = yield* Effect.fork(turn(""))
      const pid = yield* pidIn(`${directory}/pid`)
      const interruption = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* turns(50)
      assert.isTrue(isAlive(pid))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(interruption)
      yield* until(() => !isAlive(pid))
    })
  )

  it.scoped("does not wait for what a command leaves in the background", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const turn = yield* driver("sh", "-c", `sleep 1000 & echo $! > ${directory}/left; echo answer`)
      const fiber = yield* Effect.fork(turn(""))
      const left = yield* pidIn(`${directory}/left`)
      yield* turns(200)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).text, Option.some("answer"))
      process.kill(left)
    })
  )

  it.scoped("runs no more commands at once than it may", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const script = `ls ${directory} | wc -l; touch ${directory}/$$; ls ${directory} | wc -l >&2; sleep 0.05; rm ${directory}/$$`
      const turn = yield* driver("sh", "-c", script)
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => turn("")),
        { concurrency: "unbounded" }
      )
      for (const { text } of answers) assert.isBelow(Number(Option.getOrThrow(text)), 2)
    })
  )

  it.scoped("answers a Session's messages into its log", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory, {
        driver: Layer.provide(CommandDriver.layer({ command: ["tr", "a-z", "A-Z"] }), NodeContext.layer)
      })
      const id = sessionId("one")
      yield* sessions.create({ id })
      const agent = yield* sessions.resolveAgent(id)
      const message = yield* agent.followup({ text: "wake up", source: "schedule" })
      yield* agent.whenIdle
      const answered = (yield* sessions.show(id)).log.find(({ type }) => type === "message/assistant")
      assert.deepInclude(answered?.data, { text: "WAKE UP", replyTo: message })
    })
  )
})

const driver = (...command: [string, ...Array<string>]) =>
  CommandDriver.layer({ command, outputLimit: 100, concurrency: 2 }).pipe(
    Layer.provide(NodeContext.layer),
    Layer.build,
    Effect.map((context) => {
      const run = Option.getOrThrow(Context.get(context, AgentDriver).turn)
      return (text: string, cwd?: string, id = "s1") =>
        run({
          header: header({ id: sessionId(id), ...(cwd === undefined ? {} : { cwd }) }),
          message: { id: MessageId.make("m1"), text, source: "user" }
        })
    })
  )

const reason = <A>(turn: Effect.Effect<A, { readonly reason: string }>) =>
  Effect.map(Effect.either(turn), (exit) => (Either.isLeft(exit) ? exit.left.reason : "it did not fail"))

const turns = (count: number) =>
  Effect.repeatN(
    Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
    count
  )

const until = (condition: () => boolean) => Effect.repeat(turns(10), { until: condition })

const pidIn = (file: string) => {
  const read = () => (fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0)
  return Effect.map(
    until(() => read() > 0),
    read
  )
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    // One that nobody has reaped yet is dead all the same.
    return !fs.existsSync(`/proc/${pid}`) || !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}
