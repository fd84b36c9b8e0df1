import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/webhook.md"), "utf8")
const secret = "not so secret"

describe("a Host with the driver webhook", () => {
  it("posts reminders to the guide's receiver, which verifies them, and tells of those that it refused", async () => {
    await using home = new TestHome()
    const script = home.path("receiver.mjs")
    writeFileSync(script, /```js\n(.*?)```/s.exec(guide)?.[1] ?? "")
    const receiver = spawn(process.execPath, [script], {
      env: { WEBHOOK_SECRET: secret, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const lines = linesOf(receiver)
      const port = /receiving on (\d+)/.exec(await lines.next())?.[1]
      const remind = async (webhookSecret: string) => {
        const config = { driver: "webhook", webhookUrl: `http://127.0.0.1:${port}/`, webhookSecret }
        writeFileSync(home.path("config.json"), JSON.stringify(config), { mode: 0o600 })
        const host = await home.serve()
        const session = await home.ok("sessions", "new")
        await home.ok("create", "--session", session, "--title", "T", "--prompt", "今天", "--after", "1")
        const end = await home.until("the end of the turn", () =>
          home.log(session).find(({ type }) => type === "inbox/consumed" || type === "turn/failed")
        )
        await host.stop()
        return { session, end }
      }

      const { end, session } = await remind(secret)
      assert.strictEqual(end.type, "inbox/consumed")
      assert.deepStrictEqual(JSON.parse(await lines.next()), { sessionId: session, text: home.messages(session)[0] })
      const { end: refused } = await remind("another")
      assert.deepInclude(refused.data, { driver: "webhook", reason: "the receiver answered 401" })
    } finally {
      receiver.kill()
    }
  })
})

/** What a process prints, line by line. */
const linesOf = (child: ChildProcess) => {
  const lines: Array<string> = []
  let rest = ""
  let wake = () => {}
  child.stdout?.on("data", (data) => {
    const parts = (rest + String(data)).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
    wake()
  })
  return {
    next: async (): Promise<string> => {
      while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return lines.shift() ?? ""
    }
  }
}
