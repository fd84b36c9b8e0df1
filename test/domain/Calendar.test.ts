import { assert, describe, it } from "@effect/vitest"
import * as Calendar from "../../src/domain/Calendar.ts"
import * as Instant from "../../src/domain/Instant.ts"

describe("Calendar", () => {
  it("agrees with Date on every day of the years 0000-10000", () => {
    const last = Math.floor(Instant.max / Calendar.dayMillis) + 366
    const date = new Date(-62_167_219_200_000)
    for (let day = Math.floor(date.getTime() / Calendar.dayMillis); day <= last; day++) {
      date.setTime(day * Calendar.dayMillis)
      const packed = Calendar.dateOf(day)
      const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
      if (
        Calendar.yearOf(packed) !== year ||
        Calendar.monthOf(packed) !== month ||
        Calendar.dayOfMonth(packed) !== dayOfMonth ||
        Calendar.weekday(day) !== date.getUTCDay() ||
        Calendar.dayOf(year, month, dayOfMonth) !== day ||
        Calendar.daysIn(year, month) !== new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
      ) {
        assert.fail(`day ${day} is ${date.toISOString()}`)
      }
    }
  })
})
