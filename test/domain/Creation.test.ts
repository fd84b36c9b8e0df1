import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { Temporal } from "temporal-polyfill"
import { createRecord } from "../../src/domain/Creation.ts"
import * as Instant from "../../src/domain/Instant.ts"
import { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { anyInstant, at, hostile, id, now, outcome, recentInstant, someZone } from "./fixtures.ts"

const create = (request: unknown, time = now) => outcome(createRecord(request, { id, now: time }))
const withTexts = (selector: object) => ({ title: "T", prompt: "P", ...selector })
const local = (date: string, time: string, time_zone: unknown) => ({ at: { date, time, time_zone } })
const target = (selector: object, time = now): string => {
  const result = create(withTexts(selector), time)
  return typeof result === "string" ? result.split(":")[0]! : result.scheduledAt
}

describe("createRecord", () => {
  it.each<[object, string]>([
    [{ after_seconds: 600 }, '"kind":"after","title":"T","prompt":"P","afterSeconds":600,"scheduledAt":"2026-01-01T00:10:00.000Z"'], // biome-ignore format: a table
    [
      { at: "2099-01-01T09:00:00+08:00" },
      '"kind":"at","title":"T","prompt":"P","scheduledAt":"2099-01-01T01:00:00.000Z"'
    ],
    [
      local("2026-07-01", "09:00:00", "Europe/Paris"),
      '"kind":"at","title":"T","prompt":"P","scheduledAt":"2026-07-01T07:00:00.000Z"'
    ],
    [
      { every_seconds: 300 },
      '"kind":"every","title":"T","prompt":"P","everySeconds":300,"scheduledAt":"2026-01-01T00:05:00.000Z"'
    ],
    [
      { daily: { time: "23:00:00", time_zone: "Asia/Shanghai" } },
      '"kind":"daily","title":"T","prompt":"P","time":"23:00:00.000","timeZone":"Asia/Shanghai","scheduledAt":"2026-01-01T15:00:00.000Z"'
    ],
    [
      { weekly: { time: "09:00:00.5", time_zone: "Asia/Shanghai", weekdays: [3, 1] } },
      '"kind":"weekly","title":"T","prompt":"P","time":"09:00:00.500","timeZone":"Asia/Shanghai","weekdays":[1,3],"scheduledAt":"2026-01-05T01:00:00.500Z"'
    ],
    [
      { cron: { expression: " */15  9-17 * * 1,2,3-5 ", time_zone: "Asia/Shanghai" } },
      '"kind":"cron","title":"T","prompt":"P","expression":"*/15 9-17 * * 1-5","timeZone":"Asia/Shanghai","scheduledAt":"2026-01-01T01:00:00.000Z"'
    ]
  ])("makes the record of %j in its fixed key order", (selector, rest) => {
    assert.strictEqual(
      JSON.stringify(create({ ...selector, prompt: "P", title: "T" })),
      `{"id":"schedule-00000000-0000-4000-8000-000000000001",${rest}}`
    )
  })

  it("trims the texts, and keeps what is inside them", () => {
    const record = create({ title: "\u00a0 T  t\n", prompt: "\ufeff\tP\n\nq ", after_seconds: 1 })
    assert.deepInclude(record, { title: "T  t", prompt: "P\n\nq" })
  })

  it("counts a title in UTF-16 code units, after trimming", () => {
    const titled = (title: string) => create({ title, prompt: "P", after_seconds: 1 })
    assert.deepInclude(titled(` ${"x".repeat(120)} `), { title: "x".repeat(120) })
    assert.deepInclude(titled("🎉".repeat(60)), { title: "🎉".repeat(60) })
    for (const title of ["x".repeat(121), "🎉".repeat(61)])
      assert.match(String(titled(title)), /^invalid_prompt: title/)
  })

  it("stores a zone by this runtime's canonical name", () => {
    const canonical = new Intl.DateTimeFormat("en", { timeZone: "US/Pacific" }).resolvedOptions().timeZone
    for (const time_zone of ["US/Pacific", "america/los_angeles"]) {
      assert.deepInclude(create(withTexts({ daily: { time: "09:00:00", time_zone } })), { timeZone: canonical })
    }
  })

  it("counts a member that is undefined as absent", () => {
    assert.isObject(create(withTexts({ after_seconds: 1, at: undefined, other: undefined })))
  })
})

describe("createRecord refuses", () => {
  const selectors = "after_seconds, at, every_seconds, daily, weekly, cron"
  const daily = { time: "09:00:00", time_zone: "Asia/Shanghai" }
  const weekly = { ...daily, weekdays: [1] }
  const cron = { expression: "0 9 * * *", time_zone: "Asia/Shanghai" }

  it.each<[unknown, string, string]>([
    // keys and selectors
    [null, "invalid_selector", "a request must be an object"],
    [[], "invalid_selector", "a request must be an object"],
    ["at", "invalid_selector", "a request must be an object"],
    [{}, "invalid_selector", `exactly one of ${selectors} is wanted: none was given`],
    [withTexts({}), "invalid_selector", "none was given"],
    [withTexts({ at: undefined }), "invalid_selector", "none was given"],
    [withTexts({ at: 1, daily: 1 }), "invalid_selector", "at and daily were both given"],
    [
      withTexts({ after_seconds: 1, every_seconds: 60, at: 1 }),
      "invalid_selector",
      "after_seconds and at were both given"
    ],
    [withTexts({ after_seconds: 1, cron: null }), "invalid_selector", "both given"],
    [withTexts({ afterSeconds: 1 }), "invalid_selector", 'unknown key "afterSeconds"'],
    [withTexts({ after_seconds: 1, id: "x" }), "invalid_selector", 'unknown key "id"'],
    [
      JSON.parse('{"title":"T","prompt":"P","after_seconds":1,"__proto__":{}}'),
      "invalid_selector",
      'unknown key "__proto__"'
    ],
    [withTexts({ ["k".repeat(60)]: 1 }), "invalid_selector", `unknown key "${"k".repeat(40)}…"`],
    // texts
    [{ prompt: "P", after_seconds: 1 }, "invalid_prompt", "title must be"],
    [{ title: "T", after_seconds: 1 }, "invalid_prompt", "prompt must be"],
    [{ title: " \n", prompt: "P", after_seconds: 1 }, "invalid_prompt", "title must be"],
    [{ title: "T", prompt: "\u3000", after_seconds: 1 }, "invalid_prompt", "prompt must be"],
    [{ title: 5, prompt: "P", after_seconds: 1 }, "invalid_prompt", "title must be"],
    [{ title: "T", prompt: ["P"], after_seconds: 1 }, "invalid_prompt", "prompt must be"],
    [{ title: "T", prompt: null, after_seconds: 1 }, "invalid_prompt", "prompt must be"],
    // after_seconds
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "600", null, [600], true].map(
      (after_seconds): [unknown, string, string] => [
        withTexts({ after_seconds }),
        "invalid_rule",
        "after_seconds must be"
      ]
    ),
    [withTexts({ after_seconds: Number.MAX_SAFE_INTEGER }), "time_out_of_range", "9999"],
    // every_seconds
    ...[1.5, 60.5, Number.NaN, 2 ** 53, "60", null].map((every_seconds): [unknown, string, string] => [
      withTexts({ every_seconds }),
      "invalid_rule",
      "every_seconds must be"
    ]),
    ...[59, 1, 0, -0, -60].map((every_seconds): [unknown, string, string] => [
      withTexts({ every_seconds }),
      "frequency_too_high",
      "every_seconds must be at least 60"
    ]),
    [withTexts({ every_seconds: Number.MAX_SAFE_INTEGER }), "time_out_of_range", "9999"],
    // at, shape
    ...[
      "",
      "2030-01-01",
      "2030-01-01T09:00:00",
      "2030-01-01T09:00Z",
      "2030-01-01T09Z",
      "2030-01-01 09:00:00Z",
      "2030-01-01t09:00:00Z",
      "2030-01-01T09:00:00z",
      "2030-01-01T09:00:00.Z",
      "2030-01-01T09:00:00.1234Z",
      "2030-01-01T09:00:00,5Z",
      "2030-01-01T09:00:00+0800",
      "2030-01-01T09:00:00+08",
      "2030-01-01T09:00:00+8:00",
      "2030-01-01T09:00:00+08:00:00",
      "2030-01-01T09:00:00\u221208:00",
      "2030-01-01T09:00:00Z[UTC]",
      "2030-01-01T09:00:00 Z",
      " 2030-01-01T09:00:00Z",
      "2030-01-01T09:00:00Z\n",
      "+002030-01-01T09:00:00Z",
      "-2030-01-01T09:00:00Z",
      "12030-01-01T09:00:00Z",
      "２０３０-01-01T09:00:00Z",
      "2030-01-0١T09:00:00Z",
      "20300101T090000Z",
      "2030-W01-1T09:00:00Z",
      "tomorrow",
      5,
      null,
      true,
      [],
      ["2030-01-01T09:00:00Z"],
      {},
      { date: "2030-01-01", time: "09:00:00" },
      { date: "2030-01-01", time_zone: "UTC" },
      { time: "09:00:00", time_zone: "UTC" },
      { date: "2030-01-01", time: "09:00:00", timeZone: "UTC" },
      { date: "2030-01-01", time: "09:00:00", time_zone: "UTC", offset: "Z" }
    ].map((at): [unknown, string, string] => [withTexts({ at }), "invalid_rule", "at must be YYYY-MM-DDTHH:mm:ss"]),
    // at, values
    ...[
      "2030-02-29T09:00:00Z",
      "2100-02-29T09:00:00Z",
      "2030-04-31T09:00:00Z",
      "2030-00-01T09:00:00Z",
      "2030-13-01T09:00:00Z",
      "2030-01-00T09:00:00Z",
      "2030-01-32T09:00:00Z",
      "0000-01-01T00:00:00Z",
      "2030-01-01T24:00:00Z",
      "2030-01-01T25:00:00Z",
      "2030-01-01T09:60:00Z",
      "2016-12-31T23:59:60Z",
      "2030-01-01T09:00:61Z"
    ].map((at): [unknown, string, string] => [withTexts({ at }), "invalid_rule", "date and a time that exist"]),
    ...["-00:00", "+24:00", "-24:00", "+08:60", "+99:99"].map((offset): [unknown, string, string] => [
      withTexts({ at: `2030-01-01T09:00:00${offset}` }),
      "invalid_rule",
      "offset from -23:59 to +23:59"
    ]),
    [withTexts({ at: "9999-12-31T23:59:59-00:01" }), "time_out_of_range", "0001 to 9999"],
    [withTexts({ at: "0001-01-01T00:00:00+00:01" }), "time_out_of_range", "0001 to 9999"],
    [withTexts({ at: "2026-01-01T00:00:00Z" }), "not_future", "at must be later than now"],
    [withTexts({ at: "0001-01-01T00:00:00Z" }), "not_future", "at must be later than now"],
    // at, local
    ...["2030-1-1", "2030-02-29", "0000-01-01", "10000-01-01", "20300101", " 2030-01-01", "", 5, null].map(
      (date): [unknown, string, string] => [
        withTexts({ at: { date, time: "09:00:00", time_zone: "UTC" } }),
        "invalid_rule",
        "at.date must be"
      ]
    ),
    ...[
      "9:00:00",
      "09:00",
      "24:00:00",
      "23:60:00",
      "23:59:60",
      "09:00:00.",
      "09:00:00.1234",
      "09:00:00Z",
      "",
      5,
      null
    ].flatMap(
      (time): Array<[unknown, string, string]> => [
        [withTexts({ at: { date: "2030-01-01", time, time_zone: "UTC" } }), "invalid_rule", "at.time must be"],
        [withTexts({ daily: { ...daily, time } }), "invalid_rule", "daily.time must be"],
        [withTexts({ weekly: { ...weekly, time } }), "invalid_rule", "weekly.time must be"]
      ]
    ),
    [withTexts(local("2027-03-14", "02:30:00", "America/New_York")), "invalid_rule", "clocks in America/New_York skip"],
    [
      withTexts(local("2011-12-30", "12:00:00", "Pacific/Apia")),
      "invalid_rule",
      "clocks in Pacific/Apia skip 2011-12-30"
    ],
    [withTexts(local("2026-01-01", "08:00:00", "Asia/Shanghai")), "not_future", "at must be later than now"],
    [withTexts(local("9999-12-31", "23:30:00", "America/New_York")), "time_out_of_range", "0001 to 9999"],
    [withTexts(local("0001-01-01", "00:00:00", "Asia/Tokyo")), "time_out_of_range", "0001 to 9999"],
    // zones
    ...[
      "+08:00",
      "EST",
      "GMT",
      "utc",
      "Z",
      "UTC ",
      " Asia/Shanghai",
      "Asia/Nowhere",
      "Asia",
      "",
      "Japan",
      8,
      null,
      {}
    ].flatMap(
      (time_zone): Array<[unknown, string, string]> => [
        [withTexts(local("2030-01-01", "09:00:00", time_zone)), "invalid_time_zone", "at.time_zone must be"],
        [withTexts({ daily: { ...daily, time_zone } }), "invalid_time_zone", "daily.time_zone must be"],
        [withTexts({ weekly: { ...weekly, time_zone } }), "invalid_time_zone", "weekly.time_zone must be"],
        [withTexts({ cron: { ...cron, time_zone } }), "invalid_time_zone", "cron.time_zone must be"]
      ]
    ),
    // daily, weekly and cron, shape
    ...[null, "09:00:00", [], {}, { time: "09:00:00" }, { time_zone: "UTC" }, { ...daily, x: 1 }, weekly].map(
      (daily): [unknown, string, string] => [
        withTexts({ daily }),
        "invalid_rule",
        "daily must be exactly {time, time_zone}"
      ]
    ),
    ...[null, [], daily, { ...weekly, x: 1 }].map((weekly): [unknown, string, string] => [
      withTexts({ weekly }),
      "invalid_rule",
      "weekly must be exactly {time, time_zone, weekdays}"
    ]),
    ...[[], [0], [8], [1, 1], [1.5], ["1"], [1, null], 1, "1", null, {}, { 0: 1, length: 1 }, new Array(3)].map(
      (weekdays): [unknown, string, string] => [
        withTexts({ weekly: { ...weekly, weekdays } }),
        "invalid_rule",
        "weekly.weekdays must hold"
      ]
    ),
    ...[null, "0 9 * * *", [], { expression: "0 9 * * *" }, { ...cron, x: 1 }].map(
      (cron): [unknown, string, string] => [
        withTexts({ cron }),
        "invalid_rule",
        "cron must be exactly {expression, time_zone}"
      ]
    ),
    ...[null, 5, ["0 9 * * *"]].map((expression): [unknown, string, string] => [
      withTexts({ cron: { ...cron, expression } }),
      "invalid_rule",
      "cron.expression must be a text"
    ]),
    [withTexts({ cron: { ...cron, expression: "60 9 * * *" } }), "invalid_rule", "minute"],
    [withTexts({ cron: { ...cron, expression: "0 0 30 2 *" } }), "time_out_of_range", "no occurrence"]
  ])("%j: %s", (request, code, message) => {
    const result = String(create(request))
    assert.isTrue(result.startsWith(`${code}: `), result)
    assert.include(result, message)
    assert.notMatch(result, /\n|undefined|\[object/)
  })

  it("whatever has no occurrence left before the year 10000", () => {
    const end = at("9999-12-31T23:00:00.000Z")
    assert.strictEqual(target({ after_seconds: 3599 }, end), "9999-12-31T23:59:59.000Z")
    assert.strictEqual(target({ after_seconds: 3600 }, end), "time_out_of_range")
    assert.strictEqual(target({ every_seconds: 3600 }, end), "time_out_of_range")
    const time_zone = "UTC"
    assert.strictEqual(target({ daily: { time: "23:59:59.999", time_zone } }, end), "9999-12-31T23:59:59.999Z")
    assert.strictEqual(target({ daily: { time: "23:00:00", time_zone } }, end), "time_out_of_range")
    assert.strictEqual(
      target({ weekly: { time: "00:00:00", time_zone, weekdays: [1, 2, 3, 4, 5, 6, 7] } }, end),
      "time_out_of_range"
    )
    assert.strictEqual(target({ cron: { expression: "0 0 * * *", time_zone } }, end), "time_out_of_range")
  })

  it("the first of several faults: keys, title, prompt, rule, zone, gap, range, future", () => {
    const zone = "Mars/Olympus"
    const faults: ReadonlyArray<[object, string]> = [
      [{ daily: {}, extra: 1 }, "invalid_selector: unknown key"],
      [{ daily: {}, at: "" }, "invalid_selector: exactly one"],
      [{ daily: {} }, "invalid_prompt: title"],
      [{ title: "T", daily: {} }, "invalid_prompt: prompt"],
      [withTexts({ daily: { time: "25:00:00" } }), "invalid_rule: daily must be exactly"],
      [withTexts({ daily: { time: "25:00:00", time_zone: zone } }), "invalid_rule: daily.time"],
      [withTexts({ weekly: { time: "25:00:00", time_zone: zone, weekdays: [] } }), "invalid_rule: weekly.time"],
      [withTexts({ weekly: { time: "09:00:00", time_zone: zone, weekdays: [] } }), "invalid_rule: weekly.weekdays"],
      [withTexts({ cron: { expression: "* * * *", time_zone: zone } }), "invalid_rule: "],
      [withTexts({ cron: { expression: "0 0 30 2 *", time_zone: zone } }), "invalid_time_zone: cron.time_zone"],
      [withTexts(local("2011-12-32", "25:00:00", zone)), "invalid_rule: at.date"],
      [withTexts(local("2011-12-30", "25:00:00", zone)), "invalid_rule: at.time"],
      [withTexts(local("2011-12-30", "12:00:00", zone)), "invalid_time_zone: at.time_zone"],
      [withTexts(local("2011-12-30", "12:00:00", "Pacific/Apia")), "invalid_rule: at must be a local time"],
      [withTexts({ at: "2020-02-30T00:00:00+99:00" }), "invalid_rule: at must name a date"],
      [withTexts({ at: "0001-01-01T00:00:00+24:00" }), "invalid_rule: at must have Z or an offset"],
      [withTexts({ at: "0001-01-01T00:00:00+00:01" }), "time_out_of_range: at"],
      [withTexts({ at: "2020-01-01T00:00:00Z" }), "not_future: at"]
    ]
    for (const [request, expected] of faults) {
      const result = String(create(request))
      assert.isTrue(result.startsWith(expected), `${JSON.stringify(request)} gave ${result}`)
    }
  })

  it("hostile values wherever they stand, without throwing", () => {
    const names = ["title", "prompt", "after_seconds", "at", "every_seconds", "daily", "weekly", "cron"]
    for (const value of hostile()) {
      assert.isString(create(value))
      for (const name of names) create({ title: "T", prompt: "P", [name]: value })
      for (const [name, member] of [
        ["at", "date"],
        ["at", "time"],
        ["at", "time_zone"],
        ["daily", "time"],
        ["weekly", "time_zone"],
        ["weekly", "weekdays"],
        ["cron", "expression"],
        ["cron", "time_zone"]
      ] as const) {
        const selector = { at: { date: "2030-01-01", time: "09:00:00", time_zone: "UTC" }, daily, weekly, cron }[name]
        assert.isString(create(withTexts({ [name]: { ...selector, [member]: value } })), `${name}.${member}`)
      }
    }
  })

  it("a getter only once, so that it cannot change its mind", () => {
    let reads = 0
    const request = withTexts({})
    Object.defineProperty(request, "after_seconds", { enumerable: true, get: () => (reads++ === 0 ? 600 : "later") })
    assert.deepInclude(create(request), { afterSeconds: 600 })
    assert.strictEqual(reads, 1)
  })
})

describe("createRecord, at as a string", () => {
  it("accepts every offset from -23:59 to +23:59, and one to three digits of a fraction", () => {
    assert.strictEqual(target({ at: "2030-01-01T00:00:00.5+23:59" }), "2029-12-31T00:01:00.500Z")
    assert.strictEqual(target({ at: "2030-01-01T00:00:00.05-23:59" }), "2030-01-01T23:59:00.050Z")
    assert.strictEqual(target({ at: "2030-01-01T00:00:00.005+00:00" }), "2030-01-01T00:00:00.005Z")
    assert.strictEqual(target({ at: "2028-02-29T12:00:00Z" }), "2028-02-29T12:00:00.000Z")
    assert.strictEqual(target({ at: "9999-12-31T23:59:59.999Z" }), "9999-12-31T23:59:59.999Z")
    assert.strictEqual(target({ at: "2026-01-01T00:00:00.001Z" }), "2026-01-01T00:00:00.001Z")
  })

  it("means the instant that Temporal reads, for any date, time and offset", () => {
    const parts = FastCheck.record({
      wall: anyInstant,
      digits: FastCheck.integer({ min: 0, max: 3 }),
      offset: FastCheck.integer({ min: -1439, max: 1439 }),
      time: anyInstant
    })
    FastCheck.assert(
      FastCheck.property(parts, ({ digits, offset, time, wall }) => {
        const text = `${Instant.format(wall).slice(0, digits === 0 ? 19 : 20 + digits)}${offsetText(offset)}`
        const expected = Temporal.Instant.from(text).epochMilliseconds
        const result = target({ at: text }, time)
        if (expected < Instant.min || expected > Instant.max) assert.strictEqual(result, "time_out_of_range")
        else assert.strictEqual(result, expected > time ? Instant.format(expected) : "not_future")
      }),
      { numRuns: 2000 }
    )
  })

  it("accepts of damaged texts only those that still have the strict form and exist", () => {
    const characters = FastCheck.constantFrom(..."0123456789-+:.TZtz \n٣".split(""))
    const damage = FastCheck.record({
      wall: recentInstant,
      position: FastCheck.nat(28),
      remove: FastCheck.nat(2),
      insert: FastCheck.array(characters, { maxLength: 2 })
    })
    const strict =
      /^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.][0-9]{1,3})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/
    FastCheck.assert(
      FastCheck.property(damage, ({ insert, position, remove, wall }) => {
        const text = `${Instant.format(wall).slice(0, -1)}+05:30`
        const damaged = text.slice(0, position) + insert.join("") + text.slice(position + remove)
        const result = target({ at: damaged }, Instant.min - 1)
        const instant = temporal(() => Temporal.Instant.from(damaged).epochMilliseconds)
        const exists = strict.test(damaged) && !damaged.endsWith("-00:00") && !damaged.startsWith("0000")
        assert.strictEqual(
          result,
          exists && instant !== undefined && instant >= Instant.min ? Instant.format(instant) : "invalid_rule"
        )
      }),
      { numRuns: 3000 }
    )
  })
})

describe("createRecord, at as a local time", () => {
  it("takes the earlier of two instants", () => {
    assert.strictEqual(target(local("2026-11-01", "01:30:00", "America/New_York")), "2026-11-01T05:30:00.000Z")
    assert.strictEqual(target(local("2026-04-05", "01:45:00", "Australia/Lord_Howe")), "2026-04-04T14:45:00.000Z")
  })

  it("means the instant that Temporal reads, and refuses gaps, in any zone", () => {
    const parts = FastCheck.record({ wall: FastCheck.oneof(recentInstant, anyInstant), zone: someZone })
    FastCheck.assert(
      FastCheck.property(parts, ({ wall, zone }) => {
        const [date = "", time = ""] = Instant.format(wall).slice(0, -1).split("T")
        const expected = earlier(`${date}T${time}`, zone)
        const result = target(local(date, time, zone), Instant.min - 1)
        if (expected === undefined) assert.strictEqual(result, "invalid_rule")
        else if (expected < Instant.min || expected > Instant.max) assert.strictEqual(result, "time_out_of_range")
        else assert.strictEqual(result, Instant.format(expected))
      }),
      { numRuns: 1000 }
    )
  })

  it("agrees with Temporal around every change of a zone's clocks", () => {
    const around = FastCheck.record({
      zone: someZone,
      from: recentInstant,
      minutes: FastCheck.integer({ min: -180, max: 180 })
    })
    FastCheck.assert(
      FastCheck.property(around, ({ from, minutes, zone }) => {
        const change = Temporal.Instant.fromEpochMilliseconds(from)
          .toZonedDateTimeISO(zone)
          .getTimeZoneTransition("next")
        if (change === null) return
        const wall = change.toPlainDateTime().add({ minutes }).toString({ fractionalSecondDigits: 3 })
        const [date = "", time = ""] = wall.split("T")
        const expected = earlier(wall, zone)
        const result = target(local(date, time, zone), Instant.min - 1)
        assert.strictEqual(result, expected === undefined ? "invalid_rule" : Instant.format(expected))
      }),
      { numRuns: 1000 }
    )
  })
})

describe("createRecord, targets", () => {
  it("after and every add their seconds exactly", () => {
    const parts = FastCheck.record({
      time: anyInstant,
      seconds: FastCheck.oneof(
        FastCheck.integer({ min: 60, max: 1_000_000 }),
        FastCheck.integer({ min: 60, max: Number.MAX_SAFE_INTEGER })
      )
    })
    FastCheck.assert(
      FastCheck.property(parts, ({ seconds, time }) => {
        const expected = BigInt(time) + BigInt(seconds) * 1000n
        const text = expected > BigInt(Instant.max) ? "time_out_of_range" : Instant.format(Number(expected))
        assert.strictEqual(target({ after_seconds: seconds }, time), text)
        assert.strictEqual(target({ every_seconds: seconds }, time), text)
      })
    )
  })

  it("daily and weekly find the first local date whose time is still to come", () => {
    const parts = FastCheck.record({
      time: recentInstant,
      wall: FastCheck.integer({ min: 0, max: 86_399_999 }),
      zone: someZone,
      weekdays: FastCheck.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })
    })
    FastCheck.assert(
      FastCheck.property(parts, ({ time, wall, weekdays, zone }) => {
        const text = Instant.format(wall).slice(11, 23)
        const daily = { time: text, time_zone: zone }
        assert.strictEqual(target({ daily }, time), firstAfter(time, text, zone, [1, 2, 3, 4, 5, 6, 7]))
        const weekly = { ...daily, weekdays: [...weekdays].reverse() }
        assert.strictEqual(target({ weekly }, time), firstAfter(time, text, zone, weekdays))
      }),
      { numRuns: 500 }
    )
  })

  it("a record that was created decodes as it is, from its own JSON", () => {
    const decode = Schema.decodeUnknownSync(ScheduleRecord, { onExcessProperty: "error" })
    const time_zone = someZone
    const selector = FastCheck.oneof(
      FastCheck.record({ after_seconds: FastCheck.integer({ min: 1, max: 1e9 }) }),
      FastCheck.record({ every_seconds: FastCheck.integer({ min: 60, max: 1e9 }) }),
      FastCheck.record({ at: recentInstant.map(Instant.format) }),
      FastCheck.record({
        daily: FastCheck.record({ time: FastCheck.constantFrom("00:00:00", "09:30:00.25"), time_zone })
      }),
      FastCheck.record({
        weekly: FastCheck.record({
          time: FastCheck.constant("23:59:59.999"),
          time_zone,
          weekdays: FastCheck.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })
        })
      }),
      FastCheck.record({
        cron: FastCheck.record({ expression: FastCheck.constantFrom("*/7 * * * *", "0 9 1,15 * 1-5"), time_zone })
      })
    )
    const texts = FastCheck.record({ title: FastCheck.fullUnicodeString(), prompt: FastCheck.fullUnicodeString() })
    FastCheck.assert(
      FastCheck.property(selector, texts, FastCheck.integer({ min: 0, max: now }), (selector, texts, time) => {
        const result = createRecord({ ...texts, ...selector }, { id, now: time })
        if (Either.isLeft(result)) return
        assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(result.right))), result.right)
        assert.isAbove(Instant.parse(result.right.scheduledAt), time)
      })
    )
  })
})

// --- independent of the engine: the Temporal polyfill

function temporal<A>(read: () => A): A | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes)
  const digits = (n: number) => String(n).padStart(2, "0")
  return minutes === 0 ? "Z" : `${minutes < 0 ? "-" : "+"}${digits(Math.floor(size / 60))}:${digits(size % 60)}`
}

/** The earlier instant of a local time; undefined in a gap. */
function earlier(wall: string, zone: string): number | undefined {
  const plain = Temporal.PlainDateTime.from(wall)
  const zoned = plain.toZonedDateTime(zone, { disambiguation: "earlier" })
  return zoned.toPlainDateTime().equals(plain) ? zoned.epochMilliseconds : undefined
}

/** Walks local dates one by one. */
function firstAfter(time: number, text: string, zone: string, weekdays: ReadonlyArray<number>): string {
  let date = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate().subtract({ days: 1 })
  for (;;) {
    const millis = weekdays.includes(date.dayOfWeek) ? earlier(`${date}T${text}`, zone) : undefined
    if (millis !== undefined && millis > time) return Instant.format(millis)
    date = date.add({ days: 1 })
  }
}
