import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"
import { type Document, instant, type Row, type Summary } from "./documents.ts"

const childId = "delegated-child"

/** Writes the log of a delegated child beside its parent's, as the program that delegates does. */
const writeChild = (home: TestHome, parent: string) => {
  const [directory = ""] = readdirSync(home.path("sessions"))
  const [line = ""] = readFileSync(home.path("sessions", directory, "session.jsonl"), "utf8").split("\n")
  mkdirSync(home.path("sessions", encodeURIComponent(childId)))
  const header = { ...JSON.parse(line), id: childId, parentSession: parent, delegationDepth: 1 }
  writeFileSync(home.path("sessions", encodeURIComponent(childId), "session.jsonl"), `${JSON.stringify(header)}\n`)
}

describe("the Session of a delegated child", () => {
  it("gets no reminders and none are delivered to it, whichever Host runs; those it has can be seen and deleted", async () => {
    await using home = new TestHome()
    const first = await home.serve()
    const parent = await home.ok("sessions", "new")
    const reminder = ["--title", "T", "--prompt", "P", "--after", "3600"]
    const ahead = await home.json<Row["record"]>("create", "--session", parent, ...reminder)
    const due = await home.json<Row["record"]>("create", "--session", parent, ...reminder)
    await first.stop("SIGKILL")

    // two tasks that a release without this rule may have left behind
    const document: Document = JSON.parse(await home.ok("export"))
    for (const row of Object.values(document.tables.tasks)) row.sessionId = childId
    document.tables.tasks[due.id]!.record.scheduledAt = instant(Date.now() - 1000)
    await home.ok("delete", "--session", parent, ahead.id)
    await home.ok("delete", "--session", parent, due.id)
    const imported = await home.run(["import"], { stdin: JSON.stringify(document) })
    assert.strictEqual(imported.code, 0, imported.stderr)
    writeChild(home, parent)

    for (let restart = 0; restart < 2; restart++) {
      const host = await home.serve()
      for (const refused of [
        ["create", "--session", childId, ...reminder],
        ["update", "--session", childId, ahead.id, "--title", "Another"]
      ]) {
        const { code, stderr } = await home.run(refused)
        assert.strictEqual(code, 1)
        assert.match(stderr, /\(subagent_session\)/)
      }
      const { stderr } = await host.stop(restart === 0 ? "SIGKILL" : "SIGTERM")
      assert.include(stderr, due.id)
      assert.deepStrictEqual(home.log(childId), [])
    }

    await home.serve()
    const listed = await home.json<ReadonlyArray<Row["record"]>>("list", "--session", childId)
    assert.deepStrictEqual(listed.map(({ id }) => id).sort(), [ahead.id, due.id].sort())
    assert.strictEqual((await home.json<ReadonlyArray<Summary>>("catalog")).length, 2)
    await home.ok("delete", "--session", childId, ahead.id)
    assert.strictEqual((await home.json<ReadonlyArray<Summary>>("catalog")).length, 1)
  })
})
