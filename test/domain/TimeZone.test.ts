import { assert, describe, it } from "@effect/vitest"
import * as TimeZone from "../../src/domain/TimeZone.ts"

describe("TimeZone", () => {
  it("knows UTC and every zone of the runtime", () => {
    for (const name of ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name.includes("/"))]) {
      assert.isTrue(TimeZone.isKnown(name), name)
      assert.strictEqual(TimeZone.canonicalName(name), name)
    }
  })

  it.each([
    ["Asia/Kolkata", "Asia/Calcutta"],
    ["Europe/Kyiv", "Europe/Kiev"],
    ["US/Eastern", "America/New_York"],
    ["asia/SHANGHAI", "Asia/Shanghai"],
    ["Etc/UTC", "UTC"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["America/Port-au-Prince", "America/Port-au-Prince"],
    ["Etc/GMT+8", "Etc/GMT+8"]
  ])("knows %s as the zone %s", (alias, other) => {
    assert.isDefined(TimeZone.canonicalName(alias))
    assert.strictEqual(TimeZone.canonicalName(alias), TimeZone.canonicalName(other))
  })

  it.each(["Asia/Kolkata", "asia/SHANGHAI", "Etc/UTC", "Etc/GMT", "Etc/Greenwich", "Etc/UCT"])(
    "answers for %s a name that it knows and keeps",
    (alias) => {
      const canonical = TimeZone.canonicalName(alias)!
      assert.isTrue(TimeZone.isKnown(canonical))
      assert.strictEqual(TimeZone.canonicalName(canonical), canonical)
    }
  )

  it.each([
    "",
    " ",
    "utc",
    " UTC",
    "UTC ",
    "UTC+8",
    "GMT",
    "Z",
    "EST",
    "EST5EDT",
    "CET",
    "GB",
    "Japan",
    "+08:00",
    "-05",
    "Etc/+08:00",
    "Asia",
    "Asia/",
    "/Shanghai",
    "Asia//Shanghai",
    "Asia/Nowhere",
    "Asia/Shanghai/",
    "Asia/Shanghai ",
    " Asia/Shanghai",
    "Asia/Shanghai\n",
    "Asia/Shanghai\0",
    "Asia\\Shanghai",
    "Asia/Sh\u0430nghai",
    "../etc/localtime",
    "posix/Asia/Shanghai",
    `Asia/${"x".repeat(100_000)}`
  ])("does not know %j", (name) => {
    assert.isFalse(TimeZone.isKnown(name))
    assert.isUndefined(TimeZone.canonicalName(name))
  })

  it("answers a million times within a second, in any mix of names", () => {
    const names = Intl.supportedValuesOf("timeZone")
    for (const name of names) TimeZone.isKnown(name)
    const begin = performance.now()
    for (let i = 0; i < 1_000_000; i++) TimeZone.isKnown(names[i % names.length]!)
    assert.isBelow(performance.now() - begin, 1000)
  })

  it("goes on answering when strangers fill its memory", () => {
    for (let i = 0; i < 5000; i++) {
      const letters = "asia/shanghai".split("").map((c, k) => ((i >> k) & 1 ? c.toUpperCase() : c))
      assert.strictEqual(TimeZone.canonicalName(letters.join("")), "Asia/Shanghai")
    }
  })
})
