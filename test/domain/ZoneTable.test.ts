import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Instant from "../../src/domain/Instant.ts"
import * as ZoneTable from "../../src/domain/ZoneTable.ts"
import { differences, offsetByName } from "../oracle/offsets.ts"
import { anyInstant } from "./fixtures.ts"
import { anyOddZone } from "./rules.ts"

const hour = 3_600_000
const day = 24 * hour

describe("ZoneTable", () => {
  it("is one for all spellings of a zone, and none for what is no zone", () => {
    assert.strictEqual(ZoneTable.get("Asia/Kolkata"), ZoneTable.get("asia/calcutta"))
    assert.isUndefined(ZoneTable.get("EST"))
  })

  it("knows the offset that Intl names at any instant, in any order of asking", () => {
    FastCheck.assert(
      FastCheck.property(anyOddZone, FastCheck.array(anyInstant, { minLength: 1, maxLength: 10 }), (name, instants) => {
        const zone = ZoneTable.get(name)!
        for (const instant of [...instants, ...instants]) {
          assert.strictEqual(zone.offset(zone.at(instant)), offsetByName(name, instant))
        }
      }),
      { numRuns: 500 }
    )
  })

  // Boa Vista and Gaza change back within a week.
  it.each(["America/Boa_Vista", "America/Juneau", "Asia/Gaza", "Europe/London"])(
    "changes to the millisecond where Intl does: %s",
    (name) => assert.deepStrictEqual(differences(name, Date.UTC(1840, 0, 1), Date.UTC(2110, 0, 1), 3 * day), [])
  )

  it("sorts every local time into one window, or into a gap between two", () => {
    const around = FastCheck.oneof(
      anyInstant,
      FastCheck.integer({ min: Date.UTC(1860, 0, 1), max: Date.UTC(2100, 0, 1) }),
      FastCheck.constantFrom(
        Date.UTC(2011, 11, 30),
        Date.UTC(1867, 9, 18),
        Date.UTC(1994, 11, 31),
        Date.UTC(2026, 2, 8)
      )
    )
    FastCheck.assert(
      FastCheck.property(anyOddZone, around, FastCheck.integer({ min: -2 * day, max: 2 * day }), (name, base, by) => {
        const local = Math.min(Math.max(base + by, Instant.min + 2 * day), Instant.max - 2 * day)
        const zone = ZoneTable.get(name)!
        const segment = zone.around(local)
        assert.isBelow(local, zone.endLocal(segment))
        // All instants that show this local time, by every offset that the zone has around it.
        const shown = Array.from({ length: 4 * 48 }, (_, i) => offsetByName(name, local + (i - 96) * (hour / 2)))
          .map((offset) => local - offset)
          .filter((instant) => instant + offsetByName(name, instant) === local)
        if (local >= zone.firstLocal(segment)) {
          assert.strictEqual(local - zone.offset(segment), Math.min(...shown))
        } else {
          assert.deepStrictEqual(shown, [])
          assert.isAtMost(zone.endLocalBefore(segment), local)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("answers for years that borrow each other's place", () => {
    const zone = ZoneTable.get("Europe/London")!
    for (let round = 0; round < 2; round++) {
      for (let year = 2125; year < 2500; year += 1) {
        assert.strictEqual(zone.offset(zone.at(Date.UTC(year, 6, 1))), hour, `${year}`)
        assert.strictEqual(zone.offset(zone.at(Date.UTC(year, 11, 1))), 0, `${year}`)
        assert.strictEqual(zone.offset(zone.at(Date.UTC(year - 400, 6, 1) - 300 * 365.25 * day)), -75_000, `${year}`)
      }
    }
  })

  it("remembers no segment of a far year whose place another one took", () => {
    const zone = new ZoneTable.ZoneTable("Europe/London")
    const summer = Date.UTC(2500, 6, 1)
    const end = zone.endLocal(zone.at(summer))
    for (let year = 2501; year < 2520; year++) {
      zone.around(Date.UTC(year, 6, 1))
      assert.strictEqual(zone.endLocal(zone.at(summer)), end)
    }
  })

  it("stays below 64 KiB when every year has been asked for", () => {
    // Those with the most transitions.
    for (const name of ["Africa/Casablanca", "Africa/El_Aaiun", "Asia/Gaza", "Asia/Hebron", "Europe/London"]) {
      const zone = new ZoneTable.ZoneTable(name)
      for (let year = 1; year < 9999; year++) {
        zone.at(Date.UTC(2000, 6, 1) + Math.floor((year - 2000) * 365.2425 * day))
      }
      assert.isBelow(zone.byteLength, 64 * 1024, name)
    }
  })

  it("is ready within 5 ms when a zone is first asked", () => {
    const durations = Intl.supportedValuesOf("timeZone").map((name) => {
      const begin = performance.now()
      const zone = new ZoneTable.ZoneTable(name)
      zone.at(Date.UTC(2026, 6, 1))
      zone.around(Date.UTC(2027, 0, 1))
      return performance.now() - begin
    })
    durations.sort((a, b) => a - b)
    assert.isBelow(durations[Math.floor(durations.length * 0.9)]!, 5)
  })
})
