import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { Temporal } from "temporal-polyfill"
import * as Instant from "../../src/domain/Instant.ts"
import { resolveOccurrence } from "../../src/domain/Recurrence.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { anyInstant, at, instant, recentInstant, records, someZone } from "./fixtures.ts"

/** `[occurrence, next]`, next undefined when there is none. */
const resolve = (record: ScheduleRecord, decision: string | number): [string, string | undefined] => {
  const time = typeof decision === "string" ? at(decision) : decision
  const { nextScheduledAt, occurrenceAt } = resolveOccurrence(record, time)
  return [occurrenceAt, Option.getOrUndefined(nextScheduledAt)]
}

describe("resolveOccurrence", () => {
  it("delivers a one-shot at its target, however late, and never again", () => {
    for (const record of [records.after, records.at]) {
      assert.deepStrictEqual(resolve(record, "2026-01-01T00:10:00.000Z"), [record.scheduledAt, undefined])
      assert.deepStrictEqual(resolve(record, "2036-01-01T00:00:00.000Z"), [record.scheduledAt, undefined])
    }
  })

  it("delivers of a fixed rate only the latest, and stays on its anchor", () => {
    const record = { ...records.every, scheduledAt: instant("2026-01-01T00:05:00.123Z") }
    assert.deepStrictEqual(resolve(record, "2026-01-01T00:05:00.123Z"), [
      "2026-01-01T00:05:00.123Z",
      "2026-01-01T00:10:00.123Z"
    ])
    assert.deepStrictEqual(resolve(record, "2026-01-01T00:10:00.122Z"), [
      "2026-01-01T00:05:00.123Z",
      "2026-01-01T00:10:00.123Z"
    ])
    assert.deepStrictEqual(resolve(record, "2026-01-01T00:10:00.123Z"), [
      "2026-01-01T00:10:00.123Z",
      "2026-01-01T00:15:00.123Z"
    ])
    assert.deepStrictEqual(resolve(record, "2036-01-01T00:00:00.000Z"), [
      "2035-12-31T23:55:00.123Z",
      "2036-01-01T00:00:00.123Z"
    ])
  })

  it("delivers of a local time only the latest, and the next one on a later date", () => {
    assert.deepStrictEqual(resolve(records.daily, "2026-01-01T01:00:00.000Z"), [
      "2026-01-01T01:00:00.000Z",
      "2026-01-02T01:00:00.000Z"
    ])
    assert.deepStrictEqual(resolve(records.daily, "2026-03-01T00:59:59.999Z"), [
      "2026-02-28T01:00:00.000Z",
      "2026-03-01T01:00:00.000Z"
    ])
    assert.deepStrictEqual(resolve(records.weekly, "2026-01-11T12:00:00.000Z"), [
      "2026-01-07T01:00:00.000Z",
      "2026-01-12T01:00:00.000Z"
    ])
    assert.deepStrictEqual(resolve(records.cron, "2026-01-03T12:00:00.000Z"), [
      "2026-01-02T09:45:00.000Z",
      "2026-01-05T01:00:00.000Z"
    ])
  })

  it("counts a decision before the target as made at the target", () => {
    for (const record of Object.values(records)) {
      assert.deepStrictEqual(resolve(record, Instant.min), resolve(record, at(record.scheduledAt)))
    }
  })

  it("skips a gap, and takes of an overlap the earlier instant once", () => {
    const newYork = (time: string, scheduledAt: string): ScheduleRecord => ({
      ...records.daily,
      timeZone: "America/New_York",
      time,
      scheduledAt: instant(scheduledAt)
    })
    assert.deepStrictEqual(resolve(newYork("02:30:00.000", "2026-03-07T07:30:00.000Z"), "2026-03-08T12:00:00.000Z"), [
      "2026-03-07T07:30:00.000Z",
      "2026-03-09T06:30:00.000Z"
    ])
    assert.deepStrictEqual(resolve(newYork("01:30:00.000", "2026-11-01T05:30:00.000Z"), "2026-11-01T05:30:00.000Z"), [
      "2026-11-01T05:30:00.000Z",
      "2026-11-02T06:30:00.000Z"
    ])
  })
})

describe("resolveOccurrence, when zone data has changed since the target was committed", () => {
  // Committed under an offset of +9; today's data says +8, so the rule's own occurrence is an hour after the target.
  const stale = { ...records.daily, scheduledAt: instant("2026-01-02T00:00:00.000Z") }

  it("delivers the committed target, never an earlier occurrence", () => {
    assert.strictEqual(resolve(stale, "2026-01-02T00:30:00.000Z")[0], "2026-01-02T00:00:00.000Z")
  })

  it("does not deliver a second time on the same local date", () => {
    assert.strictEqual(resolve(stale, "2026-01-02T00:30:00.000Z")[1], "2026-01-03T01:00:00.000Z")
    const weekly = { ...records.weekly, scheduledAt: instant("2026-01-05T00:00:00.000Z") }
    assert.deepStrictEqual(resolve(weekly, "2026-01-05T00:30:00.000Z"), [
      "2026-01-05T00:00:00.000Z",
      "2026-01-07T01:00:00.000Z"
    ])
  })

  it("delivers the rule's own occurrence once the decision is past it", () => {
    assert.deepStrictEqual(resolve(stale, "2026-01-02T01:00:00.000Z"), [
      "2026-01-02T01:00:00.000Z",
      "2026-01-03T01:00:00.000Z"
    ])
  })

  it("of a cron expression takes whatever comes strictly after the decision", () => {
    const cron = { ...records.cron, scheduledAt: instant("2026-01-02T01:07:00.000Z") }
    assert.deepStrictEqual(resolve(cron, "2026-01-02T01:08:00.000Z"), [
      "2026-01-02T01:07:00.000Z",
      "2026-01-02T01:15:00.000Z"
    ])
  })
})

describe("resolveOccurrence, at the end of the calendar", () => {
  const end = "9999-12-31T23:59:59.999Z"

  it("ends every kind", () => {
    const scheduledAt = instant("9999-12-31T23:59:00.000Z")
    const utc = { timeZone: "UTC", scheduledAt }
    for (const record of [
      { ...records.every, everySeconds: 60, scheduledAt },
      { ...records.daily, ...utc, time: "23:59:00.000" },
      { ...records.weekly, ...utc, time: "23:59:00.000", weekdays: [5] },
      { ...records.cron, ...utc, expression: "* * * * *" }
    ]) {
      assert.deepStrictEqual(resolve(record, end), [scheduledAt, undefined], record.kind)
    }
  })

  it("still finds the last occurrence of all", () => {
    const record = { ...records.every, everySeconds: 60, scheduledAt: instant("9999-12-31T23:58:59.999Z") }
    assert.deepStrictEqual(resolve(record, "9999-12-31T23:58:59.999Z"), ["9999-12-31T23:58:59.999Z", end])
  })

  it("survives the longest interval", () => {
    const record = { ...records.every, everySeconds: Number.MAX_SAFE_INTEGER }
    assert.deepStrictEqual(resolve(record, end), [record.scheduledAt, undefined])
  })
})

describe("resolveOccurrence laws", () => {
  it("a fixed rate is exact for any interval, target and delay", () => {
    const intervals = FastCheck.oneof(
      FastCheck.integer({ min: 60, max: 100_000 }),
      FastCheck.integer({ min: 60, max: 400_000_000_000 }),
      FastCheck.integer({ min: 60, max: Number.MAX_SAFE_INTEGER })
    )
    FastCheck.assert(
      FastCheck.property(intervals, anyInstant, anyInstant, (everySeconds, first, second) => {
        const [target, decision] = [Math.min(first, second), Math.max(first, second)]
        const record = { ...records.every, everySeconds, scheduledAt: Instant.format(target) }
        const interval = BigInt(everySeconds) * 1000n
        const steps = (BigInt(decision) - BigInt(target)) / interval
        const latest = BigInt(target) + steps * interval
        const next = latest + interval
        assert.deepStrictEqual(resolve(record, decision), [
          Instant.format(Number(latest)),
          next > BigInt(Instant.max) ? undefined : Instant.format(Number(next))
        ])
      }),
      { numRuns: 2000 }
    )
  })

  it("a fixed rate does what stepping from the target does", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 60, max: 500 }),
        recentInstant,
        FastCheck.integer({ min: 0, max: 10_000_000 }),
        (everySeconds, target, delay) => {
          let latest = target
          while (latest + everySeconds * 1000 <= target + delay) latest += everySeconds * 1000
          assert.deepStrictEqual(
            resolve({ ...records.every, everySeconds, scheduledAt: Instant.format(target) }, target + delay),
            [Instant.format(latest), Instant.format(latest + everySeconds * 1000)]
          )
        }
      )
    )
  })

  it("daily and weekly do what walking the local dates does", () => {
    const parts = FastCheck.record({
      time: FastCheck.integer({ min: 0, max: 86_399_999 }).map((millis) => Instant.format(millis).slice(11, 23)),
      zone: someZone,
      weekdays: FastCheck.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
      target: recentInstant,
      delay: FastCheck.integer({ min: 0, max: 40 * 86_400_000 })
    })
    FastCheck.assert(
      FastCheck.property(parts, ({ delay, target, time, weekdays, zone }) => {
        const decision = target + delay
        // Any committed target, so also such as no rule of today's zone data would give.
        const record: ScheduleRecord =
          weekdays.length === 7
            ? { ...records.daily, time, timeZone: zone, scheduledAt: Instant.format(target) }
            : { ...records.weekly, time, timeZone: zone, weekdays, scheduledAt: Instant.format(target) }
        const dates = walk(zone, target, decision).filter((date) => weekdays.includes(date.dayOfWeek))
        const occurrences = dates.flatMap((date) => earlier(`${date}T${time}`, zone))
        const latest = Math.max(target, ...occurrences.filter((occurrence) => occurrence <= decision))
        const delivered = localDate(latest, zone)
        const next = occurrences.find(
          (occurrence) =>
            occurrence > decision && Temporal.PlainDate.compare(localDate(occurrence, zone), delivered) > 0
        )
        assert.deepStrictEqual(resolve(record, decision), [
          Instant.format(latest),
          next === undefined ? undefined : Instant.format(next)
        ])
      }),
      { numRuns: 500 }
    )
  })

  it("of every kind: target ≤ occurrence ≤ decision < next, and delivering again at once is one step further", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(records.every, records.daily, records.weekly, records.cron),
        FastCheck.integer({ min: 0, max: 4e12 }),
        (record, delay) => {
          const decision = at(record.scheduledAt) + delay
          const [occurrence, next] = resolve(record, decision)
          assert.isTrue(record.scheduledAt <= occurrence && at(occurrence) <= decision)
          assert.isTrue(next !== undefined && at(next) > decision)
          const [second] = resolve({ ...record, scheduledAt: instant(next!) }, next!)
          assert.strictEqual(second, next)
        }
      )
    )
  })
})

// --- independent of the engine: the Temporal polyfill

const localDate = (millis: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(millis).toZonedDateTimeISO(zone).toPlainDate()

const walk = (zone: string, from: number, to: number): ReadonlyArray<Temporal.PlainDate> => {
  const start = localDate(from, zone).subtract({ days: 8 })
  return Array.from({ length: Math.ceil((to - from) / 86_400_000) + 24 }, (_, days) => start.add({ days }))
}

const earlier = (wall: string, zone: string): Array<number> => {
  const plain = Temporal.PlainDateTime.from(wall)
  const zoned = plain.toZonedDateTime(zone, { disambiguation: "earlier" })
  return zoned.toPlainDateTime().equals(plain) ? [zoned.epochMilliseconds] : []
}
