import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "./TempLog.ts"
import { start } from "./TestSessions.ts"

const writer = fileURLToPath(new URL("crash-writer.ts", import.meta.url))

describe("a process that is killed while it writes", () => {
  it.scoped("leaves every Session readable, with every message that a flush acknowledged, in order", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const acknowledged: Array<readonly [session: string, messages: ReadonlyArray<string>]> = []
      for (const lines of [1, 7, 40, 111, 300]) acknowledged.push(...(yield* killAfter(home, lines)))
      assert.isAtLeast(acknowledged.length, 400)

      const { sessions } = yield* start(home)
      const { sessions: all, unreadable } = yield* sessions.list
      assert.deepStrictEqual(unreadable, [])
      for (const { header } of all) {
        const agent = yield* sessions.resolveAgent(header.id)
        const stored = (yield* agent.inbox).map(({ id }) => id as string)
        const positions = acknowledged
          .filter(([session]) => session === header.id)
          .flatMap(([, messages]) => messages.map((id) => stored.indexOf(id)))
        assert.notInclude(positions, -1)
        assert.deepStrictEqual(
          positions,
          positions.toSorted((a, b) => a - b)
        )
        yield* agent.followup({ text: "goes on", source: "test" })
        assert.isTrue(yield* agent.flush)
      }
    })
  )
}, 60_000)

/** Starts the writer, kills it once it has acknowledged so many times, and answers all that it acknowledged. */
const killAfter = (home: string, lines: number) =>
  Effect.async<ReadonlyArray<readonly [string, ReadonlyArray<string>]>>((resume) => {
    const child = spawn(process.execPath, ["--import", "tsx", writer, home], { stdio: ["ignore", "pipe", "inherit"] })
    let text = ""
    child.stdout.on("data", (chunk) => {
      text += chunk
      if (text.split("\n").length > lines) child.kill("SIGKILL")
    })
    child.on("close", () => {
      const whole = text.split("\n").slice(0, -1)
      resume(
        Effect.succeed(
          whole.map((line) => {
            const [session = "", ...messages] = line.split(" ")
            return [session, messages] as const
          })
        )
      )
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })
