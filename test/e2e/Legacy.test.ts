import { appendFileSync, readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"

describe("reminders in a Session's own log", () => {
  it("are named by a warning, listed, and recreated at the Host once", async () => {
    await using home = new TestHome()
    await home.ok("sessions", "new", "--id", "old")
    appendChanges(home, [
      created({ id: "schedule-1", kind: "at", prompt: "far", scheduledAt: "2999-01-01T00:00:00.000Z" }),
      created({ id: "schedule-2", kind: "after", prompt: "overdue", afterSeconds: 1, scheduledAt: past }),
      created({ id: "schedule-3", kind: "every", prompt: "often", everySeconds: 300, scheduledAt: past }),
      created({ id: "schedule-4", kind: "at", prompt: "gone", scheduledAt: past }),
      { version: 1, operation: "delete", id: "schedule-4" }
    ])
    const dry = await home.json<Answer>("legacy-migrate", "--session", "old", "--dry-run")
    assert.deepStrictEqual(dry, {
      found: 3,
      requests: [
        { title: "Reminder schedule-1", prompt: "far", at: "2999-01-01T00:00:00.000Z" },
        { title: "Reminder schedule-2", prompt: "overdue", after_seconds: 1 },
        { title: "Reminder schedule-3", prompt: "often", every_seconds: 300 }
      ]
    })
    assert.deepStrictEqual(await home.json("list", "--session", "old"), [])

    for (const args of [[], ["--json"]]) {
      const { code, stderr, stdout } = await home.run(["legacy-migrate", "--session", "old", ...args], { stdin: "y\n" })
      assert.deepStrictEqual([code, stdout], [1, ""], "nobody can be asked")
      assert.match(stderr, /--yes/)
    }
    assert.deepStrictEqual(await home.json("list", "--session", "old"), [])

    const migrated = await home.json<Answer>("legacy-migrate", "--session", "old", "--yes")
    assert.strictEqual(migrated.created?.length, 3)
    const again = await home.json<Answer>("legacy-migrate", "--session", "old", "--yes")
    assert.deepStrictEqual(again, { found: 3, requests: [] })

    const host = await home.serve()
    await home.until("the overdue one", () => home.messages("old").length > 0)
    const { code, stderr } = await host.stop()
    assert.strictEqual(code, 0)
    assert.match(stderr, /schedule_create/)
    assert.match(stderr, /schedule-1/)
    const ended = await home.json<Answer>("legacy-migrate", "--session", "old", "--dry-run")
    assert.deepStrictEqual(ended, { found: 3, requests: [] }, "what has come does not come again")
  })

  it("a log that does not fold is refused by name, and the Session still works", async () => {
    await using home = new TestHome()
    await home.ok("sessions", "new", "--id", "old")
    appendChanges(home, [{ version: 1, operation: "delete", id: "schedule-9" }])
    const { code, stderr } = await home.run(["legacy-migrate", "--session", "old", "--dry-run"])
    assert.strictEqual(code, 1)
    assert.match(stderr, /corrupt_schedule_log/)
    await home.ok("create", "--session", "old", "--title", "t", "--prompt", "p", "--after", "1")
    await home.serve()
    await home.until("its reminder", () => home.messages("old").length > 0)
  })

  it("come while their Session is live, with --legacy-local, once, over a restart in the middle", async () => {
    await using home = new TestHome()
    await home.ok("sessions", "new", "--id", "old")
    const due = new Date(Date.now() + 4_000).toISOString()
    appendChanges(home, [
      created({ id: "schedule-1", kind: "after", prompt: "overdue", afterSeconds: 1, scheduledAt: past }),
      created({ id: "schedule-2", kind: "at", prompt: "later", scheduledAt: due })
    ])
    const own = (prompt: string) =>
      home.messages("old").filter((text) => text.includes(`reminder_prompt_json: "${prompt}"`))
    const wake = () => home.ok("create", "--session", "old", "--title", "t", "--prompt", "wake", "--after", "1")

    const first = await home.serve("--legacy-local")
    await wake()
    await home.until("the overdue one and its dispatch", () => own("overdue").length > 0 && dispatched(home) > 0)
    assert.include(own("overdue")[0], "untrusted reminder content")
    await first.stop("SIGKILL")

    await home.serve("--legacy-local")
    await wake()
    await home.until("the later one and its dispatch", () => own("later").length > 0 && dispatched(home) > 1, 30)
    assert.strictEqual(own("overdue").length, 1)
    assert.strictEqual(own("later").length, 1)
  }, 90_000)

  it("are what archiving asks about with --legacy-local, and stop for good", async () => {
    await using home = new TestHome()
    await home.ok("sessions", "new", "--id", "old")
    const due = new Date(Date.now() + 3_000).toISOString()
    appendChanges(home, [created({ id: "schedule-1", kind: "at", prompt: "soon", scheduledAt: due })])
    await home.serve("--legacy-local")
    const { code, stderr } = await home.run(["sessions", "archive", "old"])
    assert.strictEqual(code, 1)
    assert.match(stderr, /session-local \(soon\)/)
    await home.ok("sessions", "archive", "old", "--stop")
    await home.ok("sessions", "unarchive", "old")
    // its Agent goes live for this one, and has no other
    await home.ok("create", "--session", "old", "--title", "t", "--prompt", "wake", "--after", "4")
    await home.until("the Host's own", () => home.messages("old").length > 0)
    assert.lengthOf(home.messages("old"), 1)
    assert.include(home.messages("old")[0], "wake")
  })
})

interface Answer {
  readonly found: number
  readonly requests?: ReadonlyArray<object>
  readonly created?: ReadonlyArray<object>
}

const past = "2020-01-01T00:00:00.000Z"

const created = (schedule: object) => ({ version: 1, operation: "create", schedule })

const dispatched = (home: TestHome) =>
  home.log("old").filter(({ data, type }) => type === "schedule/change" && data.operation === "dispatch").length

/** Writes historical events behind what the only Session of the home has. */
const appendChanges = (home: TestHome, changes: ReadonlyArray<object>) => {
  const [directory = ""] = readdirSync(home.path("sessions"))
  const seq = home.log("old").length
  const lines = changes.map(
    (data, i) => `${JSON.stringify({ seq: seq + i, time: 0, type: "schedule/change", data })}\n`
  )
  appendFileSync(home.path("sessions", directory, "session.jsonl"), lines.join(""))
}
