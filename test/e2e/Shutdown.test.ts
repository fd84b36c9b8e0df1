import { existsSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"
import { occurrencesOf, type Row, type Summary } from "./documents.ts"

const sessionCount = 10
const tasksEach = 10

describe("a Host that is told to stop", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "%s in the middle of deliveries: receipts are committed, nothing is lost or repeated",
    async (signal) => {
      await using home = new TestHome()
      const host = await home.serve()
      const sessions = await Promise.all(
        Array.from({ length: sessionCount }, async () => {
          const { header } = await host.call<{ header: { id: string } }>("sessions.new", {})
          return header.id
        })
      )
      const at = new Date(Date.now() + 6000).toISOString()
      const request = { title: "T", prompt: "P", at }
      const tasks = await Promise.all(
        sessions.flatMap((sessionId) =>
          Array.from({ length: tasksEach }, () => host.call<Row["record"]>("schedule.create", { sessionId, request }))
        )
      )
      const delivered = () =>
        sessions.flatMap((id) =>
          home
            .messages(id)
            .flatMap(occurrencesOf)
            .map(({ id }) => id)
        )

      await home.until("a first message", () => delivered().length > 0)
      const { code, stderr } = await host.stop(signal)
      assert.strictEqual(code, 0, stderr)
      assert.isFalse(existsSync(home.path("host.json")))

      const receipts = (await home.json<ReadonlyArray<Summary>>("catalog", "--status", "inactive")).map(
        ({ record }) => record.id
      )
      assert.sameMembers(receipts, delivered())

      await home.serve()
      await home.until("every message", () => delivered().length >= tasks.length)
      assert.sameMembers(
        delivered(),
        tasks.map(({ id }) => id)
      )
    }
  )

  it("ends a running command within a few seconds, and its message is run again after the restart", async () => {
    await using home = new TestHome()
    const script = home.path("driver.mjs")
    writeFileSync(
      script,
      `import { appendFileSync } from "node:fs"
      appendFileSync("${home.path("started")}", process.env.MESSAGE_ID + "\\n")
      if (process.argv[2] === "hang") setInterval(() => {}, 1000)
      else console.log("done")`
    )
    const host = await home.serve("--command", `'${process.execPath}' '${script}' hang`)
    const session = await home.ok("sessions", "new")
    await home.ok("create", "--session", session, "--title", "T", "--prompt", "P", "--after", "1")
    await home.until("the command", () => existsSync(home.path("started")))
    const asked = Date.now()
    assert.strictEqual((await host.stop()).code, 0)
    assert.isBelow(Date.now() - asked, 10_000)

    await home.serve("--command", `'${process.execPath}' '${script}'`)
    const answer = await home.until("an answer", () =>
      home.log(session).find(({ type }) => type === "message/assistant")
    )
    assert.strictEqual(answer.data.text, "done")
    assert.strictEqual(home.messages(session).length, 1)
  })

  it("exits at once on a second signal", async () => {
    await using home = new TestHome()
    const script = home.path("driver.mjs")
    // does not end when it is asked to
    writeFileSync(
      script,
      `import { writeFileSync } from "node:fs"
      process.on("SIGTERM", () => {})
      setInterval(() => {}, 1000)
      writeFileSync("${home.path("started")}", "")`
    )
    const host = await home.serve("--command", `'${process.execPath}' '${script}'`)
    const session = await home.ok("sessions", "new")
    await home.ok("create", "--session", session, "--title", "T", "--prompt", "P", "--after", "1")
    await home.until("the command", () => existsSync(home.path("started")))
    const first = host.stop()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const asked = Date.now()
    await host.stop()
    assert.isBelow(Date.now() - asked, 1000)
    assert.isNull((await first).code)
  })
})
