import { createContext, runInContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { rolldown } from "rolldown"

describe("the domain in a browser", () => {
  it("works with the language, Intl and the URL class that effect looks for", async () => {
    const bundle = await rolldown({ input: "src/domain/index.ts", platform: "browser", treeshake: true })
    const { output } = await bundle.generate({ format: "iife", name: "Domain" })
    const context = createContext({ URL })
    runInContext(output[0].code, context)
    const run = (code: string): unknown => JSON.parse(runInContext(`JSON.stringify(${code})`, context))

    assert.deepStrictEqual(
      run("['process', 'Buffer', 'require', 'setTimeout'].filter((name) => name in globalThis)"),
      []
    )
    const rule = `{ kind: "cron", expression: "30 2 * * *", timeZone: "America/New_York" }`
    assert.strictEqual(run(`Domain.describe(${rule})`), "Every day at 02:30, America/New_York")
    assert.strictEqual(run(`Domain.Occurrence.next(${rule}, Date.UTC(2026, 2, 8))`), Date.UTC(2026, 2, 9, 6, 30))
    const selector = `{ daily: { time: "02:30:00", time_zone: "America/New_York" } }`
    assert.deepInclude(run(`Domain.preview(${selector}, Date.UTC(2026, 2, 8), 1)`), {
      right: ["2026-03-09T06:30:00.000Z"]
    })
    const request = `{ title: "T", prompt: "P", at: "2020-01-01T00:00:00Z" }`
    assert.deepInclude(run(`Domain.createRecord(${request}, { id: "schedule-1", now: Date.UTC(2026, 0, 1) }).left`), {
      code: "not_future"
    })
  })
})
