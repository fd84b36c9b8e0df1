import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"

const prompt = "a prompt that nobody else may read"

describe("what a Host keeps to itself", () => {
  it("the token and prompts reach no log and no process list, and files only their owner", async () => {
    await using home = new TestHome()
    const host = await home.serve("--log-level", "all")
    const session = await home.ok("sessions", "new")
    await home.ok("create", "--session", session, "--title", "T", "--prompt", prompt, "--after", "1")
    await home.until("a message", () => home.messages(session).length > 0)
    const { pid, signIn, url } = await host.ready
    const token = readFileSync(home.path("token"), "utf8").trim()
    for (const headers of [{ authorization: "Bearer wrong" }, { authorization: `Bearer ${token}` }]) {
      await fetch(`${url}/metrics`, { headers })
      await fetch(`${url}/rpc`, { method: "POST", headers, body: "garbage" })
    }
    const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
    const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
    const commandLines = processes.map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8")
      } catch {
        return ""
      }
    })
    const answers = await home.run(["catalog", "--log-level", "all"])
    const { stderr, stdout } = await host.stop()
    assert.notInclude(signIn, token)
    for (const text of [stderr, stdout, metrics, answers.stderr, readFileSync(home.path("workspace.json"), "utf8")]) {
      assert.notInclude(text, token)
      assert.notInclude(text, prompt)
    }
    assert.notInclude(commandLines.join("\n"), token)
    assert.isAbove(pid, 0)

    for (const name of readdirSync(home.dir, { recursive: true, encoding: "utf8" })) {
      assert.strictEqual((statSync(join(home.dir, name)).mode & 0o077).toString(8), "0", name)
    }
  })
})
