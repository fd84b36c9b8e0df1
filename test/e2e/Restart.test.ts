import { rmSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"
import { type Document, instant, occurrencesOf, type Row, type Summary } from "./documents.ts"

describe.each(["sqlite", "json"])("a killed Host on %s", (storage) => {
  it("delivers what became due meanwhile once: the latest occurrence of a recurring task, and the one-shot", async () => {
    await using home = new TestHome()
    const host = await home.serve("--storage", storage)
    const session = await home.ok("sessions", "new")
    const create = (...when: ReadonlyArray<string>) =>
      home.json<Row["record"]>("create", "--session", session, "--title", "T", "--prompt", "P", ...when)
    const recurring = await create("--every", "60")
    const once = await create("--after", "5")
    await host.stop("SIGKILL")
    assert.deepStrictEqual(home.messages(session), [])

    // two minutes pass for the recurring task, five seconds for the one-shot
    const target = instant(Date.now() - 130_000)
    const document: Document = JSON.parse(await home.ok("export"))
    document.tables.tasks[recurring.id]!.record.scheduledAt = target
    for (const file of ["schedule.db", "schedule.db-wal", "schedule.db-shm", "schedule.json"])
      rmSync(home.path(file), { force: true })
    const imported = await home.run(["import", "--storage", storage], { stdin: JSON.stringify(document) })
    assert.strictEqual(imported.code, 0, imported.stderr)
    await setTimeout(Math.max(0, Date.parse(once.scheduledAt) - Date.now() + 100))

    const before = Date.now()
    await home.serve()
    await home.until("two messages", () => home.messages(session).length >= 2)
    const [first = "", second = ""] = home.messages(session)
    assert.deepStrictEqual(occurrencesOf(first), [{ id: once.id, at: once.scheduledAt }])
    const latest = occurrencesOf(second)[0]!
    assert.strictEqual(latest.id, recurring.id)
    const missed = Date.parse(latest.at) - Date.parse(target)
    assert.strictEqual(missed % 60_000, 0)
    assert.isAtLeast(missed, 120_000)
    assert.isAbove(Date.parse(latest.at), before - 60_000)

    const catalog = await home.json<ReadonlyArray<Summary>>("catalog")
    const [ended, next] = [once.id, recurring.id].map((id) => catalog.find(({ record }) => record.id === id))
    assert.deepStrictEqual([ended?.status, ended?.lastDelivery?.scheduledAt], ["inactive", once.scheduledAt])
    assert.strictEqual(Date.parse(next?.record.scheduledAt ?? ""), Date.parse(latest.at) + 60_000)
    await setTimeout(500)
    assert.strictEqual(home.messages(session).length, 2)
  })
})
