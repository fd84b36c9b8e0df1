import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Instant from "../../src/domain/Instant.ts"
import * as WallClock from "../../src/domain/WallClock.ts"
import { anyTime } from "./rules.ts"

describe("WallClock times", () => {
  it.each([
    ["00:00:00.000", 0],
    ["09:30:15.250", 34_215_250],
    ["23:59:59.999", 86_399_999]
  ])("parses %s", (text, millis) => {
    assert.strictEqual(WallClock.parseTime(text), millis)
  })

  it.each([
    ["09:00:00", "09:00:00.000"],
    ["09:00:00.5", "09:00:00.500"],
    ["09:00:00.05", "09:00:00.050"],
    ["23:59:59.999", "23:59:59.999"]
  ])("normalizes %s", (text, expected) => {
    assert.strictEqual(WallClock.normalizeTime(text), expected)
  })

  it.each([
    "",
    "9:00:00",
    "09:00",
    "09:00:0",
    "24:00:00",
    "24:00:00.000",
    "23:60:00",
    "23:59:60",
    "23:59:60.000",
    "09:00:00.",
    "09:00:00.0000",
    "09:00:00,000",
    "09.00.00",
    "-1:00:00",
    "+9:00:00",
    " 09:00:00",
    "09:00:00 ",
    "09:00:00\n",
    "09:00:00Z",
    "T09:00:00",
    "٠٩:00:00",
    "09:00:00.٥",
    "09:00:00.5e1",
    "0x:00:00"
  ])("refuses %j", (text) => {
    assert.isUndefined(WallClock.normalizeTime(text))
    assert.isNaN(WallClock.parseTime(text))
  })

  it("accepts as canonical exactly what normalizing answers", () => {
    FastCheck.assert(
      FastCheck.property(anyTime, (time) => {
        assert.strictEqual(WallClock.normalizeTime(time), time)
        assert.strictEqual(new Date(WallClock.parseTime(time)).toISOString().slice(11, -1), time)
      })
    )
    for (const text of ["09:00:00", "09:00:00.5", "09:00:00.50"]) assert.isNaN(WallClock.parseTime(text))
  })
})

describe("WallClock.toInstant", () => {
  it.each<readonly [string, string, string, string | undefined]>([
    ["an ordinary time", "2026-07-01T09:00:00.000", "Asia/Shanghai", "2026-07-01T01:00:00.000Z"],
    ["the last moment before a gap", "2026-03-08T01:59:59.999", "America/New_York", "2026-03-08T06:59:59.999Z"],
    ["the first moment of a gap", "2026-03-08T02:00:00.000", "America/New_York", undefined],
    ["the last moment of a gap", "2026-03-08T02:59:59.999", "America/New_York", undefined],
    ["the first moment after a gap", "2026-03-08T03:00:00.000", "America/New_York", "2026-03-08T07:00:00.000Z"],
    ["the first moment of an overlap", "2026-11-01T01:00:00.000", "America/New_York", "2026-11-01T05:00:00.000Z"],
    ["the last moment of an overlap", "2026-11-01T01:59:59.999", "America/New_York", "2026-11-01T05:59:59.999Z"],
    ["the first moment after an overlap", "2026-11-01T02:00:00.000", "America/New_York", "2026-11-01T07:00:00.000Z"],
    ["a gap at midnight", "2018-11-04T00:30:00.000", "America/Sao_Paulo", undefined],
    ["a gap of half an hour", "2026-10-04T02:15:00.000", "Australia/Lord_Howe", undefined],
    ["the time after it", "2026-10-04T02:30:00.000", "Australia/Lord_Howe", "2026-10-03T15:30:00.000Z"],
    ["an overlap of half an hour", "2026-04-05T01:45:00.000", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    ["a gap of two hours", "2026-03-29T02:30:00.000", "Antarctica/Troll", undefined],
    ["an overlap of negative DST", "2026-02-15T02:30:00.000", "Africa/Casablanca", "2026-02-15T01:30:00.000Z"],
    ["a date that was left out", "2011-12-30T12:00:00.000", "Pacific/Apia", undefined],
    ["another date that was left out", "1994-12-31T12:00:00.000", "Pacific/Kiritimati", undefined],
    ["a date that came twice", "1867-10-18T12:00:00.000", "America/Juneau", "1867-10-17T20:57:41.000Z"],
    ["local mean time with seconds", "1850-01-01T00:00:00.000", "America/New_York", "1850-01-01T04:56:02.000Z"],
    ["local mean time in the year 1", "0001-01-01T00:00:00.000", "America/New_York", "0001-01-01T04:56:02.000Z"],
    ["a local date before the year 1 of UTC", "0001-01-01T00:00:00.000", "Asia/Shanghai", undefined],
    ["a local date after the year 9999 of UTC", "9999-12-31T23:00:00.000", "America/New_York", undefined],
    ["an offset of quarter hours", "2026-01-01T00:00:00.000", "Asia/Kathmandu", "2025-12-31T18:15:00.000Z"],
    ["the far future, in summer", "9998-07-01T00:00:00.000", "Europe/London", "9998-06-30T23:00:00.000Z"],
    ["no date at all", "2026-02-29T00:00:00.000", "UTC", undefined],
    ["a month that is none", "2026-13-01T00:00:00.000", "UTC", undefined],
    ["an unknown zone", "2026-01-01T00:00:00.000", "Asia/Nowhere", undefined]
  ])("%s: %s in %s", (_what, local, timeZone, expected) => {
    const [year = 0, month = 0, day = 0] = local.slice(0, 10).split("-").map(Number)
    const millis = WallClock.toInstant(year, month, day, WallClock.parseTime(local.slice(11)), timeZone)
    assert.strictEqual(Number.isNaN(millis) ? undefined : Instant.format(millis), expected)
  })

  it.each([
    [2026.5, 1, 1, 0],
    [2026, 0, 1, 0],
    [2026, 1, 0, 0],
    [2026, 1, 1, -1],
    [2026, 1, 1, 86_400_000],
    [Number.NaN, 1, 1, 0],
    [Number.POSITIVE_INFINITY, 1, 1, 0],
    [2026, 1, 1, Number.NaN]
  ])("answers NaN for %d-%d-%d + %d", (year, month, day, time) => {
    assert.isNaN(WallClock.toInstant(year, month, day, time, "UTC"))
  })
})
