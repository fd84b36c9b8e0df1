import { Either } from "effect"
import * as FC from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { ScheduleRecord } from "../../src/domain/index.ts"
import { createRecord, resolveUpdate, type ScheduleId } from "../../src/domain/index.ts"
import * as Draft from "../../ui/src/editor/Draft.ts"
import * as Fields from "../../ui/src/editor/Fields.ts"

const id = "schedule-00000000-0000-0000-0000-000000000001" as ScheduleId
const now = Date.UTC(2026, 10, 30, 12)

describe("a draft", () => {
  it("asks for nothing before something was changed, whatever the record", () => {
    FC.assert(
      FC.property(record, (record) => {
        const draft = Draft.begin(record)
        expect(Draft.edited(draft)).toEqual([])
        expect(Draft.request(draft)).toEqual({ expected: record })
      })
    )
  })

  it("shows a timing that the domain takes for the one it came from", () => {
    FC.assert(
      FC.property(record, (record) => {
        const { timing } = Fields.ofRecord(record)
        const change = { kind: timing.kind, ...Fields.selector(timing) }
        expect(resolveUpdate(record, { expected: record, change }, now)).toEqual(
          Either.right({ updated: false, record })
        )
      })
    )
  })

  it("is accepted in place exactly when the Host accepts it", () => {
    FC.assert(
      FC.property(record, fields, (record, fields) => {
        const draft = { base: record, fields }
        const check = Fields.check(fields, now)
        const isShownValid = Draft.edited(draft).every((part) => check[part] === undefined)
        const answer = resolveUpdate(record, Draft.request(draft), now)
        expect(Either.isRight(answer)).toBe(isShownValid)
        if (Either.isRight(answer)) expect("code" in answer.right).toBe(false)
      })
    )
  })

  it("of a new task is accepted in place exactly when the Host accepts it", () => {
    FC.assert(
      FC.property(fields, (fields) => {
        const check = Fields.check(fields, now)
        const isShownValid = !check.title && !check.prompt && !check.timing
        expect(Either.isRight(createRecord(Fields.request(fields), { id, now }))).toBe(isShownValid)
      })
    )
  })

  it("moves onto a newer record with what was touched, and takes the rest from there", () => {
    FC.assert(
      FC.property(record, record, fields, (base, current, fields) => {
        const draft = { base, fields }
        const moved = Draft.rebase(draft, current)
        expect(moved.base).toBe(current)
        const parts = Draft.edited(draft)
        const latest = Fields.ofRecord(current)
        for (const part of ["title", "prompt", "timing"] as const) {
          expect(moved.fields[part]).toEqual(parts.includes(part) ? fields[part] : latest[part])
        }
      })
    )
  })

  it("names what changed meanwhile", () => {
    const [every, daily] = [made({ every_seconds: 60 }), made({ daily: { time: "09:00:00", time_zone: "UTC" } })]
    const draft = Draft.begin(every)
    expect(Draft.changedMeanwhile(draft, every)).toEqual([])
    expect(Draft.changedMeanwhile(draft, { ...every, title: "Other" })).toEqual(["title"])
    expect(Draft.changedMeanwhile(draft, { ...every, scheduledAt: daily.scheduledAt })).toEqual(["scheduledAt"])
    expect(Draft.changedMeanwhile(draft, daily)).toEqual(["timing", "scheduledAt"])
  })
})

const made = (selector: object): ScheduleRecord =>
  Either.getOrThrow(createRecord({ title: "A task", prompt: "Say hello", ...selector }, { id, now }))

const zone = FC.constantFrom("UTC", "Europe/Paris", "Asia/Kathmandu", "Australia/Lord_Howe", "America/New_York")
const time = FC.tuple(FC.integer({ min: 0, max: 86_399_999 })).map(([millis]) =>
  new Date(millis).toISOString().slice(11, -1)
)
const weekdays = FC.uniqueArray(FC.integer({ min: 1, max: 7 }), { minLength: 1 })
const expression = FC.constantFrom("*/15 9-17 * * 1-5", "0 0 1,15 * *", "5 4 * * 0", "*/7 * * * *")

const record: FC.Arbitrary<ScheduleRecord> = FC.oneof(
  FC.integer({ min: 1, max: 10_000_000 }).map((after_seconds) => ({ after_seconds })),
  FC.integer({ min: 1, max: 1e11 }).map((ahead) => ({ at: new Date(now + ahead).toISOString() })),
  FC.integer({ min: 60, max: 10_000_000 }).map((every_seconds) => ({ every_seconds })),
  FC.record({ time, time_zone: zone }).map((daily) => ({ daily })),
  FC.record({ time, time_zone: zone, weekdays }).map((weekly) => ({ weekly })),
  FC.record({ expression, time_zone: zone }).map((cron) => ({ cron }))
).map(made)

const text = FC.oneof(FC.constantFrom("", " ", "A task", "Say hello", "x".repeat(121)), FC.string())

const fields: FC.Arbitrary<Fields.Fields> = FC.record({
  title: text,
  prompt: text,
  timing: FC.record({
    kind: FC.constantFrom(...Fields.kinds.filter((kind) => kind !== "after")),
    amount: FC.oneof(FC.constantFrom("", "1", "0.5", "-1", "1e3", "abc"), FC.nat().map(String)),
    unit: FC.constantFrom("seconds", "minutes", "hours", "days"),
    date: FC.constantFrom("", "2026-12-24", "2027-03-28", "2001-01-01", "2027-02-30"),
    time: FC.oneof(FC.constantFrom("", "02:30", "09:00", "23:59:59.5", "24:00"), time),
    zone: FC.oneof(zone, FC.constantFrom("", "EST", "+08:00", "europe/paris")),
    weekdays: FC.uniqueArray(FC.integer({ min: 1, max: 7 })).map((days) => days.sort()),
    expression: FC.oneof(expression, FC.constantFrom("", "61 * * * *", "0 0 30 2 *", "@daily"))
  })
})
