import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { createRecord } from "../../src/domain/Creation.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { resolveUpdate } from "../../src/domain/Update.ts"
import { at, hostile, id, instant, outcome, records, someZone } from "./fixtures.ts"

/** The save time: later than some of the targets, so that these tasks are overdue. */
const saveTime = at("2026-01-01T00:20:00.000Z")
const every = Object.values(records) as ReadonlyArray<ScheduleRecord>

const update = (current: ScheduleRecord, edit: object, now = saveTime) =>
  outcome(resolveUpdate(current, { expected: current, ...edit }, now))

const changes = {
  at: { kind: "at", at: "2027-01-01T09:00:00+08:00" },
  every: { kind: "every", every_seconds: 3600 },
  daily: { kind: "daily", daily: { time: "10:00:00", time_zone: "Asia/Shanghai" } },
  weekly: { kind: "weekly", weekly: { time: "10:00:00", time_zone: "Asia/Shanghai", weekdays: [7, 2] } },
  cron: { kind: "cron", cron: { expression: "0 10 * * 1-5", time_zone: "Asia/Shanghai" } }
} as const

const stored = {
  at: '"scheduledAt":"2027-01-01T01:00:00.000Z"',
  every: '"everySeconds":3600,"scheduledAt":"2026-01-01T01:20:00.000Z"',
  daily: '"time":"10:00:00.000","timeZone":"Asia/Shanghai","scheduledAt":"2026-01-01T02:00:00.000Z"',
  weekly: '"time":"10:00:00.000","timeZone":"Asia/Shanghai","weekdays":[2,7],"scheduledAt":"2026-01-04T02:00:00.000Z"',
  cron: '"expression":"0 10 * * 1-5","timeZone":"Asia/Shanghai","scheduledAt":"2026-01-01T02:00:00.000Z"'
} as const

describe("resolveUpdate", () => {
  it.each(every)(
    "changes $kind into any kind, with the target that creation would give at the save time",
    (current) => {
      for (const kind of ["at", "every", "daily", "weekly", "cron"] as const) {
        assert.strictEqual(
          JSON.stringify(update(current, { change: changes[kind] })),
          `{"updated":true,"record":{"id":"${id}","kind":"${kind}","title":"T","prompt":"P",${stored[kind]}}}`
        )
      }
    }
  )

  it.each(every)("title or prompt alone never move the target of $kind, not even of an overdue one", (current) => {
    assert.deepStrictEqual(update(current, { title: " New " }), { updated: true, record: { ...current, title: "New" } })
    assert.deepStrictEqual(update(current, { prompt: " New " }), {
      updated: true,
      record: { ...current, prompt: "New" }
    })
    const later = at("2999-01-01T00:00:00.000Z")
    assert.deepStrictEqual(update(current, { title: "A", prompt: "B" }, later), {
      updated: true,
      record: { ...current, title: "A", prompt: "B" }
    })
  })

  it.each(every)("without anything to change, $kind stays as it is", (current) => {
    for (const edit of [{}, { title: "T" }, { prompt: " P " }, { title: " T", prompt: "P\n" }, { title: undefined }]) {
      assert.deepStrictEqual(update(current, edit), { updated: false, record: current })
    }
  })

  it.each<[keyof typeof records, object]>([
    ["after", { kind: "at", at: "2026-01-01T00:10:00Z" }],
    ["after", { kind: "at", at: "2026-01-01T08:10:00.0+08:00" }],
    ["at", { kind: "at", at: "2025-12-31T19:10:00-05:00" }],
    ["at", { kind: "at", at: { date: "2026-01-01", time: "08:10:00", time_zone: "Asia/Shanghai" } }],
    ["every", { kind: "every", every_seconds: 300 }],
    ["daily", { kind: "daily", daily: { time: "09:00:00.0", time_zone: "Asia/Shanghai" } }],
    ["daily", { kind: "daily", daily: { time: "09:00:00", time_zone: "asia/shanghai" } }],
    ["daily", { kind: "daily", daily: { time: "09:00:00", time_zone: "Asia/Chongqing" } }],
    ["weekly", { kind: "weekly", weekly: { time: "09:00:00", time_zone: "Asia/Shanghai", weekdays: [3, 1] } }],
    ["cron", { kind: "cron", cron: { expression: "*/15 9-12,13-17 * * 1,2,3,4,5", time_zone: "Asia/Chongqing" } }]
  ])("an equivalent change of %s does nothing, overdue or not: %j", (kind, change) => {
    const current = records[kind]
    for (const now of [Instant.min, saveTime, at("2999-01-01T00:00:00.000Z")]) {
      assert.deepStrictEqual(update(current, { change }, now), { updated: false, record: current })
      assert.deepStrictEqual(update(current, { change, title: "New" }, now), {
        updated: true,
        record: { ...current, title: "New" }
      })
    }
  })

  it("an equivalent change keeps the stored spelling of the zone; another one stores the canonical name", () => {
    const current = { ...records.daily, timeZone: "Asia/Chongqing" }
    const daily = { time: "09:00:00", time_zone: "Asia/Shanghai" }
    assert.deepStrictEqual(update(current, { change: { kind: "daily", daily } }), { updated: false, record: current })
    assert.deepStrictEqual(
      update(current, {
        change: { kind: "daily", daily: { ...daily, time: "10:00:00", time_zone: "Asia/Chongqing" } }
      }),
      {
        updated: true,
        record: { ...records.daily, time: "10:00:00.000", scheduledAt: instant("2026-01-01T02:00:00.000Z") }
      }
    )
  })

  it.each<[keyof typeof records, object]>([
    ["every", { kind: "every", every_seconds: 301 }],
    ["daily", { kind: "daily", daily: { time: "09:00:00.001", time_zone: "Asia/Shanghai" } }],
    ["daily", { kind: "daily", daily: { time: "09:00:00", time_zone: "Asia/Singapore" } }],
    [
      "daily",
      { kind: "weekly", weekly: { time: "09:00:00", time_zone: "Asia/Shanghai", weekdays: [1, 2, 3, 4, 5, 6, 7] } }
    ],
    ["weekly", { kind: "weekly", weekly: { time: "09:00:00", time_zone: "Asia/Shanghai", weekdays: [1, 3, 5] } }],
    ["weekly", { kind: "daily", daily: { time: "09:00:00", time_zone: "Asia/Shanghai" } }],
    ["cron", { kind: "cron", cron: { expression: "*/15 9-17 * * *", time_zone: "Asia/Shanghai" } }],
    ["cron", { kind: "cron", cron: { expression: "0-45/15 9-17 * * 1-5", time_zone: "Asia/Shanghai" } }]
  ])("a change that says something else re-anchors %s: %j", (kind, change) => {
    const result = update(records[kind], { change })
    assert.isObject(result)
    assert.propertyVal(result, "updated", true)
  })

  it("a one-shot keeps nothing of after when it moves", () => {
    assert.deepStrictEqual(update(records.after, { change: { kind: "at", at: "2026-01-01T00:20:00.001Z" } }), {
      updated: true,
      record: { ...records.at, scheduledAt: instant("2026-01-01T00:20:00.001Z") }
    })
  })

  it("does what creation does, from any kind to any rule, at any time", () => {
    const change = FastCheck.oneof(
      FastCheck.integer({ min: -5, max: 10_000 }).map(
        (every_seconds) => ["every", "every_seconds", every_seconds] as const
      ),
      FastCheck.integer({ min: 0, max: 2 * saveTime }).map((millis) => ["at", "at", Instant.format(millis)] as const),
      FastCheck.record({ time: FastCheck.constantFrom("09:00:00", "25:00:00"), time_zone: someZone }).map(
        (daily) => ["daily", "daily", daily] as const
      ),
      FastCheck.record({
        expression: FastCheck.constantFrom("0 9 * * *", "*/5 * 1 * 1", "0 0 31 2 *", "nonsense"),
        time_zone: someZone
      }).map((cron) => ["cron", "cron", cron] as const)
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(...every),
        change,
        FastCheck.integer({ min: 0, max: 2 * saveTime }),
        (current, [kind, name, value], now) => {
          const result = update(current, { change: { kind, [name]: value } }, now)
          const created = outcome(createRecord({ title: "T", prompt: "P", [name]: value }, { id, now }))
          if (typeof result === "string" || !("record" in result) || result.updated) {
            assert.deepStrictEqual(result, typeof created === "string" ? created : { updated: true, record: created })
          } else assert.deepStrictEqual(result.record, current)
        }
      )
    )
  })

  it("deciding again with what was decided does nothing", () => {
    for (const current of every) {
      for (const change of Object.values(changes)) {
        const first = update(current, { change, title: "New", prompt: "Newer" })
        if (typeof first === "string" || !("record" in first)) return assert.fail(String(first))
        assert.deepStrictEqual(update(first.record, { change, title: "New", prompt: "Newer" }, saveTime + 1e9), {
          updated: false,
          record: first.record
        })
      }
    }
  })
})

describe("resolveUpdate, expected", () => {
  it.each(every)("any other field makes a conflict of $kind", (current) => {
    const others: Record<string, unknown> = {
      id: "schedule-00000000-0000-4000-8000-000000000002",
      title: "t",
      prompt: "p",
      afterSeconds: 601,
      everySeconds: 301,
      time: "09:00:00.001",
      timeZone: "Asia/Chongqing",
      weekdays: [1],
      expression: "*/15 9-17 * * *",
      scheduledAt: "2026-01-01T00:10:00.001Z"
    }
    for (const key of Object.keys(current).filter((key) => key !== "kind")) {
      const edit = { expected: { ...current, [key]: others[key] }, title: "New" }
      assert.deepStrictEqual(update(current, edit), { updated: false, code: "schedule_conflict" }, key)
    }
  })

  it("a record of another kind is a conflict, although all common fields agree", () => {
    const { afterSeconds: _, ...common } = records.after
    assert.deepStrictEqual(update(records.after, { expected: { ...common, kind: "at" } }), {
      updated: false,
      code: "schedule_conflict"
    })
  })

  it("the order of its keys does not matter", () => {
    for (const current of every) {
      const expected = Object.fromEntries(Object.entries(current).reverse())
      assert.deepStrictEqual(update(current, { expected }), { updated: false, record: current })
    }
  })

  it("must be a complete record", () => {
    const { title: _, ...untitled } = records.every
    for (const expected of [
      undefined,
      null,
      {},
      [],
      "schedule-1",
      untitled,
      { ...records.every, extra: 1 },
      { ...records.every, title: " T" },
      { ...records.every, everySeconds: 59 },
      { ...records.every, scheduledAt: "2026-01-01T00:05:00Z" },
      { ...records.every, kind: "at" },
      { ...records.cron, expression: "*/15 9-17 * * 5,1-4" },
      { ...records.weekly, weekdays: [3, 1] },
      { ...records.daily, timeZone: "EST" },
      ...hostile()
    ]) {
      assert.match(String(update(records.every, { expected, title: "" })), /^invalid_rule: expected must be/)
    }
  })
})

describe("resolveUpdate refuses", () => {
  it.each<[object, string]>([
    [{ id }, 'invalid_selector: unknown key "id"'],
    [{ at: "2027-01-01T09:00:00Z" }, 'invalid_selector: unknown key "at"'],
    [{ title: "" }, "invalid_prompt: title must be"],
    [{ title: "x".repeat(121) }, "invalid_prompt: title must be"],
    [{ title: null }, "invalid_prompt: title must be"],
    [{ prompt: " " }, "invalid_prompt: prompt must be"],
    [{ prompt: 5 }, "invalid_prompt: prompt must be"],
    [{ change: null }, "invalid_selector: change must be"],
    [{ change: "daily" }, "invalid_selector: change must be"],
    [{ change: {} }, "invalid_selector: change must be"],
    [{ change: { kind: "at" } }, "invalid_selector: change must be"],
    [{ change: { kind: "daily", at: "2027-01-01T09:00:00Z" } }, "invalid_selector: change must be"],
    [{ change: { ...changes.at, cron: {} } }, "invalid_selector: change must be"],
    [{ change: { kind: "after", after_seconds: 5 } }, "invalid_selector: change must be"],
    [{ change: { kind: "every_seconds", every_seconds: 60 } }, "invalid_selector: change must be"],
    [{ change: { kind: "constructor", constructor: 1 } }, "invalid_selector: change must be"],
    [{ change: { at: "2027-01-01T09:00:00Z" } }, "invalid_selector: change must be"],
    [{ change: { kind: "every", every_seconds: 59 } }, "frequency_too_high: "],
    [{ change: { kind: "every", every_seconds: "60" } }, "invalid_rule: every_seconds"],
    [{ change: { kind: "at", at: "2026-01-01T00:20:00Z" } }, "not_future: "],
    [{ change: { kind: "at", at: "2027-02-30T00:00:00Z" } }, "invalid_rule: at"],
    [{ change: { kind: "daily", daily: { time: "10:00:00" } } }, "invalid_rule: daily must be exactly"],
    [
      { change: { kind: "daily", daily: { time: "10:00:00", time_zone: "EST" } } },
      "invalid_time_zone: daily.time_zone"
    ],
    [{ change: { kind: "cron", cron: { expression: "0 0 31 2 *", time_zone: "UTC" } } }, "time_out_of_range: "],
    // the first of several faults
    [{ extra: 1, expected: {} }, "invalid_selector: unknown key"],
    [{ expected: {}, title: "" }, "invalid_rule: expected"],
    [{ title: "", prompt: "", change: {} }, "invalid_prompt: title"],
    [{ title: "x", prompt: "", change: {} }, "invalid_prompt: prompt"],
    [{ title: "x", change: {} }, "invalid_selector: change"]
  ])("%j: %s", (edit, expected) => {
    const result = String(update(records.daily, edit))
    assert.isTrue(result.startsWith(expected), result)
  })

  it("nothing of an outdated caller: the conflict is told before any other fault", () => {
    const expected = { ...records.daily, title: "Old" }
    for (const edit of [
      { title: "" },
      { prompt: 5 },
      { change: {} },
      { change: { kind: "every", every_seconds: 1 } }
    ]) {
      assert.deepStrictEqual(update(records.daily, { expected, ...edit }), {
        updated: false,
        code: "schedule_conflict"
      })
    }
  })

  it("hostile values wherever they stand, without throwing", () => {
    for (const value of hostile()) {
      assert.match(String(outcome(resolveUpdate(records.every, value, saveTime))), /^invalid_/)
      for (const name of ["title", "prompt", "change", "extra"]) update(records.every, { [name]: value })
      for (const kind of ["at", "every", "daily", "weekly", "cron"]) {
        const name = kind === "every" ? "every_seconds" : kind
        if (value !== undefined) assert.isString(update(records.after, { change: { kind, [name]: value } }))
      }
    }
  })
})
