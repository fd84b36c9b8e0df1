import { assert, describe, it } from "@effect/vitest"
import { Either, Option } from "effect"
import * as SelectorFlags from "../../src/cli/SelectorFlags.ts"

const none: SelectorFlags.Values = {
  after: undefined,
  at: undefined,
  every: undefined,
  daily: undefined,
  weekly: undefined,
  weekdays: undefined,
  cron: undefined,
  zone: undefined
}

const zone = "Asia/Shanghai"

describe("SelectorFlags", () => {
  it.each<[Partial<SelectorFlags.Values>, unknown]>([
    [{}, {}],
    [{ after: "600" }, { after_seconds: 600 }],
    [{ after: "1.5" }, { after_seconds: 1.5 }],
    [{ after: "ten" }, { after_seconds: "ten" }],
    [{ after: "0x10" }, { after_seconds: "0x10" }],
    [{ every: "-60" }, { every_seconds: -60 }],
    [{ at: "2030-01-01T09:00:00Z" }, { at: "2030-01-01T09:00:00Z" }],
    [{ at: "2030-01-01T09:00:00", zone }, { at: { date: "2030-01-01", time: "09:00:00", time_zone: zone } }],
    [{ at: "tomorrow", zone }, { at: { date: "tomorrow", time: "", time_zone: zone } }],
    [{ daily: "09:00:00", zone }, { daily: { time: "09:00:00", time_zone: zone } }],
    [{ daily: "09:00:00" }, { daily: { time: "09:00:00" } }],
    [
      { weekly: "09:00:00", weekdays: "1,3", zone },
      { weekly: { time: "09:00:00", time_zone: zone, weekdays: [1, 3] } }
    ],
    [
      { weekly: "09:00:00", weekdays: "1,", zone },
      { weekly: { time: "09:00:00", time_zone: zone, weekdays: [1, ""] } }
    ],
    [{ weekly: "09:00:00", zone }, { weekly: { time: "09:00:00", time_zone: zone } }],
    [{ cron: "* * * * *", zone }, { cron: { expression: "* * * * *", time_zone: zone } }],
    [
      { after: "1", every: "60" },
      { after_seconds: 1, every_seconds: 60 }
    ]
  ])("%j asks for %j", (flags, selectors) => {
    assert.deepStrictEqual(Either.getOrThrow(SelectorFlags.toSelectors({ ...none, ...flags })), selectors)
  })

  it.each<[Partial<SelectorFlags.Values>]>([
    [{ weekdays: "1" }],
    [{ zone }],
    [{ zone, every: "60" }],
    [{ weekdays: "1", daily: "09:00:00", zone }]
  ])("%j does not go together", (flags) => {
    const refusal = Either.flip(SelectorFlags.toSelectors({ ...none, ...flags }))
    assert.strictEqual(Either.getOrThrow(refusal).code, "invalid_selector")
  })

  it.each<[Partial<SelectorFlags.Values>, unknown]>([
    [{}, Option.none()],
    [{ every: "90" }, Option.some({ kind: "every", every_seconds: 90 })],
    [{ at: "2030-01-01T09:00:00Z" }, Option.some({ kind: "at", at: "2030-01-01T09:00:00Z" })],
    [{ cron: "* * * * *", zone }, Option.some({ kind: "cron", cron: { expression: "* * * * *", time_zone: zone } })]
  ])("%j changes to %j", (flags, change) => {
    assert.deepStrictEqual(Either.getOrThrow(SelectorFlags.toChange({ ...none, ...flags })), change)
  })

  it.each<[Partial<SelectorFlags.Values>]>([[{ after: "60" }], [{ every: "60", at: "x" }]])(
    "%j is no change",
    (flags) => {
      assert.isTrue(Either.isLeft(SelectorFlags.toChange({ ...none, ...flags })))
    }
  )
})
