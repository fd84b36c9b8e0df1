import { assert, describe, it } from "@effect/vitest"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import * as View from "../../src/domain/View.ts"
import { at, records } from "./fixtures.ts"

describe("View.scheduleView", () => {
  it.each([
    ["after", '"afterSeconds":600,"scheduledAt":"2026-01-01T00:10:00.000Z"'],
    ["at", '"scheduledAt":"2026-01-01T00:10:00.000Z"'],
    ["every", '"everySeconds":300,"scheduledAt":"2026-01-01T00:05:00.000Z"'],
    ["daily", '"time":"09:00:00.000","timeZone":"Asia/Shanghai","scheduledAt":"2026-01-01T01:00:00.000Z"'],
    [
      "weekly",
      '"time":"09:00:00.000","timeZone":"Asia/Shanghai","weekdays":[1,3],"scheduledAt":"2026-01-05T01:00:00.000Z"'
    ],
    ["cron", '"expression":"*/15 9-17 * * 1-5","timeZone":"Asia/Shanghai","scheduledAt":"2026-01-01T01:00:00.000Z"']
  ] as const)("renders %s in the fixed key order, whatever the order of the record", (kind, own) => {
    const expected = `{"id":"schedule-00000000-0000-4000-8000-000000000001","kind":"${kind}","title":"T","prompt":"P",${own},"state":"scheduled","deliveryMode":"host"}`
    const record: ScheduleRecord = records[kind]
    assert.strictEqual(JSON.stringify(View.scheduleView(record, 0)), expected)
    assert.strictEqual(JSON.stringify(View.scheduleView(reversed(record), 0)), expected)
  })

  it("is overdue from the target on, to the millisecond", () => {
    const target = at(records.at.scheduledAt)
    assert.strictEqual(View.scheduleView(records.at, target - 1).state, "scheduled")
    assert.strictEqual(View.scheduleView(records.at, target).state, "overdue")
    assert.strictEqual(View.scheduleView(records.at, target + 1).state, "overdue")
  })
})

const reversed = <A extends object>(value: A): A => Object.fromEntries(Object.entries(value).reverse()) as A
