import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { createRecord } from "../../src/domain/Creation.ts"
import * as Preview from "../../src/domain/Preview.ts"
import { at, id, instant, now, outcome, recentInstant, records } from "./fixtures.ts"
import { anyOddZone, anyRule } from "./rules.ts"

const occurrences = (subject: Preview.Subject, from: number, count: number): ReadonlyArray<string> =>
  Preview.occurrences(subject, from, count)

describe("Preview.occurrences", () => {
  it("begins with the committed target while that is ahead", () => {
    assert.deepStrictEqual(occurrences(records.after, now, 5), ["2026-01-01T00:10:00.000Z"])
    assert.deepStrictEqual(occurrences(records.at, now, 5), ["2026-01-01T00:10:00.000Z"])
    assert.deepStrictEqual(occurrences(records.every, now, 2), ["2026-01-01T00:05:00.000Z", "2026-01-01T00:10:00.000Z"])
    assert.deepStrictEqual(occurrences(records.cron, now, 2), ["2026-01-01T01:00:00.000Z", "2026-01-01T01:15:00.000Z"])
  })

  it("leaves out what is not strictly ahead", () => {
    assert.deepStrictEqual(occurrences(records.at, at("2026-01-01T00:10:00.000Z"), 5), [])
    assert.deepStrictEqual(occurrences(records.every, at("2026-01-01T00:20:00.000Z"), 2), [
      "2026-01-01T00:25:00.000Z",
      "2026-01-01T00:30:00.000Z"
    ])
    assert.deepStrictEqual(occurrences(records.every, at("2026-01-01T00:19:59.999Z"), 1), ["2026-01-01T00:20:00.000Z"])
    assert.deepStrictEqual(occurrences(records.weekly, at("2026-01-05T01:00:00.000Z"), 2), [
      "2026-01-07T01:00:00.000Z",
      "2026-01-12T01:00:00.000Z"
    ])
  })

  it("keeps a target that zone data has moved, and goes on from the next date", () => {
    const moved = { ...records.daily, scheduledAt: instant("2026-01-01T00:30:00.000Z") }
    assert.deepStrictEqual(occurrences(moved, now, 2), ["2026-01-01T00:30:00.000Z", "2026-01-02T01:00:00.000Z"])
  })

  it("ends with the calendar", () => {
    const from = at("9999-12-31T12:00:00.000Z")
    assert.lengthOf(occurrences({ kind: "cron", expression: "0 * * * *", timeZone: "UTC" }, from, 100), 11)
    const last = { ...records.every, scheduledAt: instant("9999-12-31T23:58:00.000Z") }
    assert.deepStrictEqual(occurrences(last, from, 3), ["9999-12-31T23:58:00.000Z"])
  })

  it("answers at most a hundred", () => {
    assert.lengthOf(occurrences(records.every, now, 1000), 100)
  })

  it("ascends strictly, whatever the rule", () => {
    FastCheck.assert(
      FastCheck.property(anyRule(anyOddZone), recentInstant, (rule, from) => {
        const found = occurrences(rule, from, 20)
        assert.isTrue(found.every((instant, i) => instant > (found[i - 1] ?? new Date(from).toISOString())))
      })
    )
  })
})

describe("Preview.preview", () => {
  it.each([
    { after_seconds: 600 },
    { at: "2030-01-01T09:00:00+08:00" },
    { at: { date: "2030-01-01", time: "09:00:00", time_zone: "Asia/Shanghai" } },
    { every_seconds: 300 },
    { daily: { time: "09:00:00", time_zone: "asia/shanghai" } },
    { weekly: { time: "09:00:00.5", time_zone: "Asia/Shanghai", weekdays: [3, 1] } },
    { cron: { expression: "*/15  9-17 * * 1-5", time_zone: "Asia/Shanghai" } }
  ])("begins with the target that creation commits: %j", (selector) => {
    const record = Either.getOrThrow(createRecord({ title: "T", prompt: "P", ...selector }, { id, now }))
    assert.strictEqual(Either.getOrThrow(Preview.preview(selector, now, 3))[0], record.scheduledAt)
  })

  it.each([
    [null, 1, /^invalid_selector: /],
    [{}, 1, /^invalid_selector: /],
    [{ after_seconds: 1, title: "T" }, 1, /^invalid_selector: /],
    [{ every_seconds: 59 }, 1, /^frequency_too_high: /],
    [{ at: "2020-01-01T00:00:00Z" }, 1, /^not_future: /],
    [{ cron: { expression: "0 0 30 2 *", time_zone: "UTC" } }, 1, /^time_out_of_range: /],
    [{ cron: { expression: "0 0 * * MON", time_zone: "UTC" } }, 1, /^invalid_rule: cron day-of-week /],
    [{ daily: { time: "09:00:00", time_zone: "EST" } }, 1, /^invalid_time_zone: /],
    [{ every_seconds: 60 }, 0, /^invalid_rule: count /],
    [{ every_seconds: 60 }, 101, /^invalid_rule: count /],
    [{ every_seconds: 60 }, 1.5, /^invalid_rule: count /],
    [{ every_seconds: 60 }, "3", /^invalid_rule: count /]
  ])("refuses what creation refuses: %j, %j", (selector, count, expected) => {
    assert.match(String(outcome(Preview.preview(selector, now, count))), expected)
  })
})
