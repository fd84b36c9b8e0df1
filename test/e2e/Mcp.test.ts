import { appendFileSync, chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"

const program = join(import.meta.dirname, "../../dist/bin/host-schedule.js")

describe("mcp", () => {
  it("serves an agent program over stdio, before, while and after a Host runs", async () => {
    await using home = new TestHome()
    const session = await home.ok("sessions", "new")
    await using agent = await overStdio(home, session)
    assert.lengthOf((await agent.client.listTools()).tools, 4)

    const created = await agent.call("schedule_create", { title: "Build", prompt: "Check it", after_seconds: 2 })
    const { id } = created.structuredContent
    assert.nestedPropertyVal(await agent.call("schedule_list"), "structuredContent.reminders[0].id", id)

    // the agent program holds nothing between its calls, so a Host can start
    const host = await home.serve()
    await home.until("the reminder", () => home.messages(session).length === 1)
    assert.match(home.messages(session)[0] ?? "", /reminder_prompt_json: "Check it"$/)
    assert.deepStrictEqual<unknown>((await agent.call("schedule_list")).structuredContent, { reminders: [] })
    const ended = await agent.call("schedule_update", { id, title: "New" })
    assert.deepStrictEqual<unknown>(ended.structuredContent, { id, updated: false, code: "schedule_ended" })

    await host.stop()
    assert.deepStrictEqual<unknown>((await agent.call("schedule_delete", { id })).structuredContent, {
      id,
      deleted: true
    })
    assert.strictEqual(agent.stderr(), "")
  })

  it("asks for the first line of the Session's log alone, whatever follows it, with a Host and without", async () => {
    await using home = new TestHome()
    const session = await home.ok("sessions", "new")
    appendFileSync(home.path("sessions", session, "session.jsonl"), "no event\n")
    await using early = await overStdio(home, session)
    assert.deepStrictEqual<unknown>((await early.call("schedule_list")).structuredContent, { reminders: [] })
    await home.serve()
    await using late = await overStdio(home, session)
    for (const agent of [early, late]) {
      assert.deepStrictEqual<unknown>((await agent.call("schedule_list")).structuredContent, { reminders: [] })
    }
  })

  it("serves an agent program over HTTP, behind the token, Session by Session", async () => {
    await using home = new TestHome()
    const host = await home.serve()
    const { url } = await host.ready
    const session = await home.ok("sessions", "new")
    const other = await home.ok("sessions", "new")
    const token = readFileSync(home.path("token"), "utf8").trim()
    await using agent = await overHttp(`${url}/mcp/${session}`, token)
    await using neighbour = await overHttp(`${url}/mcp/${other}`, token)

    const created = await agent.call("schedule_create", { title: "Build", prompt: "Check it", every_seconds: 60 })
    const { id } = created.structuredContent
    assert.deepStrictEqual<unknown>((await neighbour.call("schedule_list")).structuredContent, { reminders: [] })
    assert.nestedPropertyVal(await neighbour.call("schedule_delete", { id }), "structuredContent.deleted", false)
    const [listed] = await home.json<ReadonlyArray<{ readonly id: string }>>("list", "--session", session)
    assert.strictEqual(listed?.id, id)

    await rejects(overHttp(`${url}/mcp/${session}`, "wrong"), /401|token/)
    await rejects(overHttp(`${url}/mcp/missing`, token), /404|Session/)
    const crossSite = await fetch(`${url}/mcp/${session}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", origin: "http://evil.example" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
    })
    assert.strictEqual(crossSite.status, 403)
  })

  it("lets a reminder resume the same conversation through the driver command", async () => {
    await using home = new TestHome()
    const resume = home.path("resume")
    writeFileSync(resume, `#!/bin/sh\nprintf 'resumed %s with: ' "$SESSION_ID"\ncat\n`)
    chmodSync(resume, 0o755)
    await home.serve("--driver", "command", "--command", resume)
    const session = await home.ok("sessions", "new")
    await using agent = await overStdio(home, session)
    await agent.call("schedule_create", { title: "Tea", prompt: "The tea is ready", after_seconds: 1 })

    const answer = await home.until("an answer", () =>
      home.log(session).find(({ type }) => type === "message/assistant")
    )
    assert.match(
      String(answer.data.text),
      new RegExp(`^resumed ${session} with: \\[SCHEDULE REMINDER\\][^]*"The tea is ready"$`)
    )
  })

  it("ends with its input, and refuses at once what it cannot serve", async () => {
    await using home = new TestHome()
    const session = await home.ok("sessions", "new")
    const ping = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`
    assert.deepStrictEqual<unknown>(await home.run(["mcp", "--session", session], { stdin: `${ping}not json\n` }), {
      code: 0,
      stdout: `{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}\n`,
      stderr: ""
    })
    const missing = await home.run(["mcp", "--session", "missing"])
    assert.strictEqual(missing.code, 1)
    assert.match(missing.stderr, /^host-schedule: .*\(session_not_found\)\n$/)
    assert.strictEqual(missing.stdout, "")
  })
})

type Content = { readonly id: string } & Record<string, unknown>

class Agent {
  readonly client = new Client({ name: "test", version: "0.0.0" })
  private errors = ""

  async call(name: string, args: Record<string, unknown> = {}) {
    const { structuredContent } = await this.client.callTool({ name, arguments: args })
    return { structuredContent: structuredContent as Content }
  }

  noteErrors(transport: StdioClientTransport) {
    transport.stderr?.on("data", (data) => {
      this.errors += String(data)
    })
  }

  stderr() {
    return this.errors
  }

  async [Symbol.asyncDispose]() {
    await this.client.close()
  }
}

const overStdio = async (home: TestHome, session: string) => {
  const agent = new Agent()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", "--session", session],
    env: { PATH: process.env.PATH ?? "", HOME: home.dir, HOST_SCHEDULE_HOME: home.dir },
    stderr: "pipe"
  })
  agent.noteErrors(transport)
  await agent.client.connect(transport)
  return agent
}

const overHttp = async (url: string, token: string) => {
  const agent = new Agent()
  const headers = { authorization: `Bearer ${token}` }
  await agent.client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return agent
}

const rejects = async (promise: Promise<unknown>, expected: RegExp) => {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => String(error)
  )
  assert.match(error ?? "no error", expected)
}
