import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Cron from "../../src/domain/Cron.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as Occurrence from "../../src/domain/Occurrence.ts"
import * as TimeZone from "../../src/domain/TimeZone.ts"
import { anyInstant, at } from "./fixtures.ts"
import { anyOddZone, anyRule } from "./rules.ts"

const cron = (expression: string, timeZone = "America/New_York"): Occurrence.WallClockRule => ({
  kind: "cron",
  expression,
  timeZone
})

const daily = (time: string, timeZone = "America/New_York"): Occurrence.WallClockRule => ({
  kind: "daily",
  time,
  timeZone
})

const text = (millis: number): string => (Number.isNaN(millis) ? "none" : Instant.format(millis))

describe("Occurrence.next", () => {
  it.each<readonly [string, Occurrence.WallClockRule, string, string]>([
    ["is strictly later", cron("0 9 * * *", "UTC"), "2026-01-01T09:00:00.000Z", "2026-01-02T09:00:00.000Z"],
    ["may be a millisecond away", cron("0 9 * * *", "UTC"), "2026-01-01T08:59:59.999Z", "2026-01-01T09:00:00.000Z"],
    ["skips a time in a gap", cron("30 2 * * *"), "2026-03-08T05:00:00.000Z", "2026-03-09T06:30:00.000Z"],
    ["goes on after a gap", cron("*/30 * * * *"), "2026-03-08T06:30:00.000Z", "2026-03-08T07:00:00.000Z"],
    ["keeps the first pass of an hour", cron("30 1 * * *"), "2026-11-01T05:00:00.000Z", "2026-11-01T05:30:00.000Z"],
    ["leaves out the second pass", cron("*/5 * * * *"), "2026-11-01T06:02:00.000Z", "2026-11-01T07:00:00.000Z"],
    ["asks in the second pass", cron("30 1 * * *"), "2026-11-01T06:00:00.000Z", "2026-11-02T06:30:00.000Z"],
    [
      "skips a lost date",
      daily("12:00:00.250", "Pacific/Apia"),
      "2011-12-29T23:00:00.000Z",
      "2011-12-30T22:00:00.250Z"
    ],
    [
      "skips a date that loses its midnight",
      cron("0 0 * * *", "America/Sao_Paulo"),
      "2018-11-03T12:00:00.000Z",
      "2018-11-05T02:00:00.000Z"
    ],
    [
      "takes a repeated date once",
      daily("12:00:00.000", "America/Juneau"),
      "1867-10-18T21:00:00.000Z",
      "1867-10-20T20:57:41.000Z"
    ],
    ["waits for a leap year", cron("0 0 29 2 *", "UTC"), "2096-03-01T00:00:00.000Z", "2104-02-29T00:00:00.000Z"],
    [
      "waits for a leap year's Sunday",
      cron("0 0 29 2 */7", "UTC"),
      "2088-03-01T00:00:00.000Z",
      "2128-02-29T00:00:00.000Z"
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
    ],
    ["begins with the calendar", cron("0 0 1 1 *", "UTC"), "0001-01-01T00:00:00.000Z", "0002-01-01T00:00:00.000Z"],
    ["ends with the calendar", cron("59 23 31 12 *", "UTC"), "9999-12-31T23:59:00.000Z", "none"],
    ["ends with the years of UTC", cron("59 23 31 12 *"), "9998-12-31T23:59:00.000Z", "9999-01-01T04:59:00.000Z"],
    ["ends with the years of UTC", cron("59 23 31 12 *"), "9999-01-01T04:59:00.000Z", "none"]
  ])("%s: %j", (_what, rule, after, expected) => {
    assert.strictEqual(text(Occurrence.next(rule, at(after))), expected)
  })

  it("takes any number for an instant", () => {
    const rule = cron("0 0 * * *", "UTC")
    assert.strictEqual(text(Occurrence.next(rule, Number.NEGATIVE_INFINITY)), "0001-01-01T00:00:00.000Z")
    assert.strictEqual(text(Occurrence.next(rule, Instant.min - 1)), "0001-01-01T00:00:00.000Z")
    assert.strictEqual(text(Occurrence.next(rule, -0.5)), "1970-01-01T00:00:00.000Z")
    assert.strictEqual(text(Occurrence.next(rule, 0.5)), "1970-01-02T00:00:00.000Z")
    assert.isNaN(Occurrence.next(rule, Instant.max))
    assert.isNaN(Occurrence.next(rule, Number.POSITIVE_INFINITY))
    assert.isNaN(Occurrence.next(rule, Number.NaN))
  })
})

describe("Occurrence.latest", () => {
  it.each<readonly [string, Occurrence.WallClockRule, string, string]>([
    ["may be now", cron("0 9 * * *", "UTC"), "2026-01-01T09:00:00.000Z", "2026-01-01T09:00:00.000Z"],
    ["is not later", cron("0 9 * * *", "UTC"), "2026-01-01T08:59:59.999Z", "2025-12-31T09:00:00.000Z"],
    ["leaves out a gap", cron("30 2 * * *"), "2026-03-08T15:00:00.000Z", "2026-03-07T07:30:00.000Z"],
    [
      "is of the first pass while the second runs",
      cron("*/5 * * * *"),
      "2026-11-01T06:02:00.000Z",
      "2026-11-01T05:55:00.000Z"
    ],
    [
      "is of this date after a midnight gap",
      cron("0 0,1 * * *", "America/Sao_Paulo"),
      "2018-11-04T12:00:00.000Z",
      "2018-11-04T03:00:00.000Z"
    ],
    [
      "is before a lost date",
      daily("12:00:00.000", "Pacific/Apia"),
      "2011-12-30T21:59:59.999Z",
      "2011-12-29T22:00:00.000Z"
    ],
    ["leaves out a gap of the far future", cron("30 2 * * *"), "2500-03-14T15:00:00.000Z", "2500-03-13T07:30:00.000Z"],
    ["finds a rare date", cron("0 0 29 2 */7", "UTC"), "2128-02-28T00:00:00.000Z", "2088-02-29T00:00:00.000Z"],
    ["begins with the calendar", cron("0 0 1 1 *", "UTC"), "0001-06-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"],
    ["begins with the years of UTC", cron("0 0 1 1 *", "Asia/Shanghai"), "0001-06-01T00:00:00.000Z", "none"]
  ])("%s: %j", (_what, rule, instant, expected) => {
    assert.strictEqual(text(Occurrence.latest(rule, at(instant))), expected)
  })

  it("takes any number for an instant", () => {
    const rule = cron("0 0 * * *", "UTC")
    assert.strictEqual(text(Occurrence.latest(rule, Number.POSITIVE_INFINITY)), "9999-12-31T00:00:00.000Z")
    assert.strictEqual(text(Occurrence.latest(rule, -0.5)), "1969-12-31T00:00:00.000Z")
    assert.isNaN(Occurrence.latest(rule, Instant.min - 1))
    assert.isNaN(Occurrence.latest(rule, Number.NEGATIVE_INFINITY))
    assert.isNaN(Occurrence.latest(rule, Number.NaN))
  })
})

describe("Occurrence.nextOnLaterDate", () => {
  // 09:00 in New York was committed for 13:30Z under other zone data, in which it is 08:30 now.
  const delivered = at("2026-07-01T12:30:00.000Z")

  it("leaves out what follows on the date of a delivery that the zone's data has moved", () => {
    const rule = daily("09:00:00.000")
    assert.strictEqual(text(Occurrence.next(rule, delivered)), "2026-07-01T13:00:00.000Z")
    assert.strictEqual(text(Occurrence.nextOnLaterDate(rule, delivered, delivered)), "2026-07-02T13:00:00.000Z")
  })

  it("is after the decision too", () => {
    const rule = daily("09:00:00.000")
    const decision = at("2026-07-05T13:00:00.000Z")
    assert.strictEqual(text(Occurrence.nextOnLaterDate(rule, decision, delivered)), "2026-07-06T13:00:00.000Z")
  })

  it("stays on the weekdays", () => {
    const rule = { kind: "weekly", time: "09:00:00.000", timeZone: "America/New_York", weekdays: [3, 5] } as const
    assert.strictEqual(text(Occurrence.nextOnLaterDate(rule, delivered, delivered)), "2026-07-03T13:00:00.000Z")
  })

  it("is the next occurrence whenever the delivery was one", () => {
    FastCheck.assert(
      FastCheck.property(anyRule(anyOddZone), anyInstant, FastCheck.nat(10 * 86_400_000), (rule, instant, later) => {
        const delivered = Occurrence.latest(rule, instant)
        FastCheck.pre(rule.kind !== "cron" && !Number.isNaN(delivered))
        const decision = delivered + later
        assert.deepStrictEqual(Occurrence.nextOnLaterDate(rule, decision, delivered), Occurrence.next(rule, decision))
      })
    )
  })
})

describe("Occurrence laws", () => {
  const instants = FastCheck.oneof(
    anyInstant,
    FastCheck.integer({ min: Date.UTC(1880, 0, 1), max: Date.UTC(2110, 0, 1) })
  )

  it("next is later, latest is not, and nothing lies between them and the instant", () => {
    FastCheck.assert(
      FastCheck.property(
        anyRule(anyOddZone),
        instants,
        FastCheck.double({ min: 0, max: 1, noNaN: true }),
        (rule, t, share) => {
          const next = Occurrence.next(rule, t)
          const latest = Occurrence.latest(rule, t)
          if (!Number.isNaN(next)) {
            assert.isTrue(Instant.isInRange(next) && next > t)
            assert.strictEqual(Occurrence.latest(rule, next), next)
            const between = Math.floor(t + (next - t) * share)
            if (between < next) {
              assert.strictEqual(Occurrence.next(rule, between), next)
              assert.deepStrictEqual(Occurrence.latest(rule, between), latest)
            }
          }
          if (!Number.isNaN(latest)) {
            assert.isTrue(Instant.isInRange(latest) && latest <= t)
            assert.strictEqual(Occurrence.next(rule, latest - 1), latest)
            assert.deepStrictEqual(Occurrence.next(rule, latest), next)
          }
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("every occurrence shows a local time of its own, daily and weekly also a date of its own", () => {
    FastCheck.assert(
      FastCheck.property(anyRule(anyOddZone), instants, (rule, t) => {
        let shown = ""
        for (
          let i = 0, at = Occurrence.next(rule, t);
          i < 5 && !Number.isNaN(at);
          i++, at = Occurrence.next(rule, at)
        ) {
          const local = localText(rule.timeZone, at).slice(0, rule.kind === "cron" ? undefined : "YYYYYY-MM-DD".length)
          assert.isAbove(local.localeCompare(shown), 0)
          shown = local
        }
      }),
      { numRuns: 500 }
    )
  })

  it("rules that are equal in other words behave equally", () => {
    FastCheck.assert(
      FastCheck.property(
        anyRule(FastCheck.constantFrom("Asia/Kolkata", "Europe/Kyiv", "us/eastern")),
        instants,
        (rule, t) => {
          const timeZone = TimeZone.canonicalName(rule.timeZone)!
          const same =
            rule.kind === "cron"
              ? { ...rule, timeZone, expression: Either.getOrThrow(Cron.canonicalize(rule.expression)) }
              : { ...rule, timeZone }
          assert.deepStrictEqual(Occurrence.next(same, t), Occurrence.next(rule, t))
          assert.deepStrictEqual(Occurrence.latest(same, t), Occurrence.latest(rule, t))
        }
      )
    )
  })
})

describe("Occurrence cost", () => {
  it.each([
    ["a date that does not exist", "0 0 30 2 *"],
    ["dates that do not exist", "0 0 31 2,4,6,9,11 *"],
    ["a date of no month, with a star weekday", "0 0 31 4 */2"],
    ["a time that every such date skips", "30 2 8-14 3 */7"]
  ])("finds at once that there is no %s", (_what, expression) => {
    const rule = cron(expression)
    const begin = at("2026-01-01T00:00:00.000Z")
    assert.isNaN(Occurrence.next(rule, begin))
    assert.isBelow(
      bestOf(() => Occurrence.next(rule, begin)),
      0.1
    )
  })

  it("looks back no further than it has to for what no year beyond the horizon has", () => {
    const at = Date.UTC(9000, 0, 1)
    const rule = cron("30 2 8-14 3 */7")
    assert.strictEqual(text(Occurrence.latest(rule, at)), "2006-03-12T07:30:00.000Z")
    assert.isBelow(
      bestOf(() => Occurrence.latest(rule, at)),
      0.1
    )
  })

  it("answers for more rules than it keeps compiled", () => {
    const rules = Array.from({ length: 10_000 }, (_, i) => daily(new Date(i * 8000).toISOString().slice(11, -1), "UTC"))
    for (const rule of rules) Occurrence.next(rule, 0)
    for (const [i, rule] of rules.entries()) assert.strictEqual(Occurrence.next(rule, -1), i * 8000)
  })

  it("does not grow with the distance", () => {
    const begin = at("2026-01-01T00:00:00.000Z")
    const rules = ["*/15 9-17 * * 1-5", "0 0 29 2 *", "0 0 31 12 */5", "0 0 29 2 */7", "0 0 30 2 *"].map((e) => cron(e))
    const costs = rules.map((rule) => {
      const { next } = bindAll(Occurrence.compile(rule))
      return bestOf(() => {
        for (let i = 0; i < 1000; i++) next(begin + i * 86_400_000)
      })
    })
    // The slowest walks up to forty years.
    for (const cost of costs) assert.isBelow(cost, 1)
  })

  it("costs the same ten years after the last occurrence", () => {
    const rule = daily("09:00:00.000")
    const decision = at("2036-01-01T00:00:00.000Z")
    Occurrence.latest(rule, decision)
    assert.isBelow(
      bestOf(() => Occurrence.latest(rule, decision)),
      0.1
    )
  })
})

/** The shortest of some runs, in milliseconds: the one that nothing else disturbed. */
function bestOf(run: () => void): number {
  return Math.min(
    ...Array.from({ length: 50 }, () => {
      const begin = performance.now()
      run()
      return performance.now() - begin
    })
  )
}

function bindAll(occurrences: Occurrence.Occurrences) {
  return { next: (after: number) => occurrences.next(after) }
}

function localText(timeZone: string, instant: number): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3
  }).formatToParts(instant)
  const part = (type: string) => parts.find((part) => part.type === type)?.value ?? ""
  const year = (part("era") === "BC" ? "0" : part("year")).padStart(6, "0")
  return `${year}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")}.${part("fractionalSecond")}`
}
