import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as PreviewLines from "../../src/cli/PreviewLines.ts"
import * as Preview from "../../src/domain/Preview.ts"

const now = Date.parse("2026-01-01T00:00:00.000Z")
const cron = { expression: "*/15 9-17 * * 1-5", time_zone: "Asia/Shanghai" }

describe("preview --jsonl", () => {
  it.each<[unknown, unknown]>([
    [{ every_seconds: 60, count: 2 }, { occurrences: ["2026-01-01T00:01:00.000Z", "2026-01-01T00:02:00.000Z"] }],
    [{ after_seconds: 1 }, { occurrences: ["2026-01-01T00:00:01.000Z"] }],
    [{ cron, count: 1, from: "2026-01-01T09:00:00+08:00" }, { occurrences: ["2026-01-01T01:15:00.000Z"] }],
    [{ cron, count: 1, from: now }, { occurrences: ["2026-01-01T01:00:00.000Z"] }],
    [
      { at: { date: "2026-01-02", time: "09:00:00", time_zone: "Asia/Tokyo" } },
      { occurrences: ["2026-01-02T00:00:00.000Z"] }
    ]
  ])("%j is answered with %j", (request, answer) => {
    assert.deepStrictEqual(JSON.parse(PreviewLines.answerLine(JSON.stringify(request), now)), answer)
  })

  it.each<[string, string]>([
    ["", "invalid_json"],
    ["{", "invalid_json"],
    ["null", "invalid_selector"],
    ["[]", "invalid_selector"],
    ["{}", "invalid_selector"],
    [JSON.stringify({ cron, daily: {} }), "invalid_selector"],
    [JSON.stringify({ cron, until: 1 }), "invalid_selector"],
    [JSON.stringify({ cron, count: 0 }), "invalid_rule"],
    [JSON.stringify({ cron, count: 101 }), "invalid_rule"],
    [JSON.stringify({ cron, count: "2" }), "invalid_rule"],
    [JSON.stringify({ cron, from: "yesterday" }), "invalid_rule"],
    [JSON.stringify({ cron, from: 1.5 }), "invalid_rule"],
    [JSON.stringify({ cron, from: null }), "invalid_rule"],
    [JSON.stringify({ cron: { ...cron, time_zone: "EST" } }), "invalid_time_zone"],
    [JSON.stringify({ cron: { ...cron, expression: "60 * * * *" } }), "invalid_rule"],
    [JSON.stringify({ at: "2025-01-01T00:00:00Z" }), "not_future"],
    [JSON.stringify({ cron: { ...cron, expression: "0 0 30 2 *" } }), "time_out_of_range"]
  ])("%j is refused as %s", (line, code) => {
    const answer = JSON.parse(PreviewLines.answerLine(line, now))
    assert.deepStrictEqual(Object.keys(answer), ["code", "message"])
    assert.strictEqual(answer.code, code)
  })

  it.prop(
    "answers as the domain does",
    [FastCheck.integer({ min: -1, max: 120 }), FastCheck.integer({ min: 0, max: 4e12 })],
    ([count, from]) => {
      const answer = JSON.parse(PreviewLines.answerLine(JSON.stringify({ cron, count, from }), now))
      const expected = Either.match(Preview.preview({ cron }, from, count), {
        onLeft: ({ code, message }): object => ({ code, message }),
        onRight: (occurrences) => ({ occurrences })
      })
      assert.deepStrictEqual(answer, expected)
    }
  )
})
