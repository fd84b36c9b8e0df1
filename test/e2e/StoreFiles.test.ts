import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"
import { type Document, documentOf, type Row } from "./documents.ts"

const idOf = (n: number) => `schedule-0000000${n}-0000-4000-8000-000000000000`
const row = (n: number, title = "T"): Row => ({
  sessionId: "s",
  record: { id: idOf(n), kind: "every", title, prompt: "P", everySeconds: 300, scheduledAt: "2999-01-01T00:00:00.000Z" }
})

describe("the commands that work on the store", () => {
  it("list what is broken, move it aside, and carry the rest and what was mended into another backend", async () => {
    await using home = new TestHome()
    const from = ["--storage", "json"] as const
    const to = ["--storage", "sqlite"] as const
    const read = (file: string): Document => JSON.parse(readFileSync(file, "utf8"))
    const broken = JSON.stringify(documentOf([row(1), row(2, " "), row(3), row(4, "")]))
    writeFileSync(home.path("schedule.json"), broken)

    const checked = await home.run(["check", "--json", ...from])
    assert.strictEqual(checked.code, 1)
    const { problems, rows } = JSON.parse(checked.stdout)
    assert.deepStrictEqual([rows, problems.map(({ key }: { key: string }) => key)], [4, [idOf(2), idOf(4)]])

    const half = await home.run(["export", "backup.json", ...from])
    assert.strictEqual(half.code, 2)
    assert.include(half.stderr, `${idOf(2)}: record.title must be`)
    assert.isFalse(existsSync(home.path("backup.json")), "half a document stays")
    assert.strictEqual(readFileSync(home.path("schedule.json"), "utf8"), broken)

    const { file, moved } = await home.json<{ file: string; moved: Array<unknown> }>("check", "--repair", ...from)
    assert.lengthOf(moved, 2)
    await home.ok("export", "backup.json", ...from)
    assert.strictEqual(statSync(home.path("backup.json")).mode & 0o777, 0o600)
    assert.deepStrictEqual<unknown>(read(home.path("backup.json")), documentOf([row(1), row(3)]))
    const written = readFileSync(home.path("backup.json"), "utf8")
    const again = await home.run(["export", "backup.json", ...from])
    assert.deepStrictEqual([again.code, readFileSync(home.path("backup.json"), "utf8")], [1, written])

    assert.deepStrictEqual(await home.json("import", "backup.json", ...to), { added: 2, kept: 0 })
    assert.include((await home.run(["import", file, ...to])).stderr, "--merge")
    const rejected = Object.values(read(file).tables.tasks)
    writeFileSync(file, JSON.stringify(documentOf(rejected.map(({ record }) => row(Number(record.id.slice(16, 17)))))))
    assert.deepStrictEqual(await home.json("import", file, "--merge", ...to), { added: 2, kept: 0 })
    assert.deepStrictEqual<unknown>(
      JSON.parse(await home.ok("export", ...to)),
      documentOf([row(1), row(3), row(2), row(4)])
    )
    assert.match(await home.ok("check", ...to), /^Good.* 4 reminders$/)
  })
})
