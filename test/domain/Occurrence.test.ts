import { assert, describe, it } from "@effect/vitest"
import * as Occurrence from "../../src/domain/Occurrence.ts"

describe("Occurrence", () => {
  it.each<readonly [name: string, rule: Occurrence.WallClockRule, after: string, expected: string]>([
    ["skips a time in a gap", cron("30 2 * * *"), "2026-03-08T05:00:00.000Z", "2026-03-09T06:30:00.000Z"],
    [
      "leaves out the second pass of an hour",
      cron("*/5 * * * *"),
      "2026-11-01T06:02:00.000Z",
      "2026-11-01T07:00:00.000Z"
    ],
    [
      "skips a date that a zone left out",
      daily("12:00:00.250", "Pacific/Apia"),
      "2011-12-29T23:00:00.000Z",
      "2011-12-30T22:00:00.250Z"
    ],
    [
      "reads a star day field as a restriction",
      cron("0 0 */2 * 1", "UTC"),
      "2026-01-01T00:00:00.000Z",
      "2026-01-05T00:00:00.000Z"
    ],
    [
      "reads two plain day fields as alternatives",
      cron("0 0 13 * 5", "UTC"),
      "2026-01-03T00:00:00.000Z",
      "2026-01-09T00:00:00.000Z"
    ]
  ])("next %s", (_name, rule, after, expected) => {
    assert.strictEqual(new Date(Occurrence.next(rule, Date.parse(after))).toISOString(), expected)
  })

  it("latest in the second pass of an hour is the end of the first", () => {
    const at = Date.parse("2026-11-01T06:02:00.000Z")
    assert.strictEqual(Occurrence.latest(cron("*/5 * * * *"), at), Date.parse("2026-11-01T05:55:00.000Z"))
  })

  it("answers NaN for a rule that never occurs", () => {
    assert.isNaN(Occurrence.next(cron("0 0 30 2 *"), 0))
    assert.isNaN(Occurrence.latest(cron("0 0 30 2 *"), 0))
    assert.isNaN(Occurrence.next(cron("30 2 8-14 3 */7"), Date.parse("2026-01-01T00:00:00.000Z")))
  })
})

function cron(expression: string, timeZone = "America/New_York"): Occurrence.WallClockRule {
  return { kind: "cron", expression, timeZone }
}

function daily(time: string, timeZone: string): Occurrence.WallClockRule {
  return { kind: "daily", time, timeZone }
}
