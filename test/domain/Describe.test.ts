import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Cron from "../../src/domain/Cron.ts"
import * as CronField from "../../src/domain/CronField.ts"
import * as Describe from "../../src/domain/Describe.ts"
import { anyExpression, anyOddZone, anyRule } from "./rules.ts"

describe("describe", () => {
  it.each([
    ["* * * * *", "Every minute"],
    ["*/15 9-17 * * 1-5", "Every 15 minutes from 09:00 to 17:45, Monday to Friday"],
    ["*/15 * * 6 *", "Every 15 minutes, every day in June"],
    ["5-59/15 * * * *", "Every 15 minutes from 00:05 to 23:50"],
    ["*/7 * * * *", "Every 7 minutes from :00 to :56 of every hour"],
    ["0-29 * * * *", "Every minute from :00 to :29 of every hour"],
    ["* 9 * * *", "Every minute from 09:00 to 09:59, every day"],
    ["* 9-17 1,15 * *", "Every minute from 09:00 to 17:59, on the 1st and 15th of every month"],
    ["*/10 8,12,16 * * *", "Every 10 minutes from :00 to :50 of the hours 08, 12 and 16, every day"],
    ["0,7,20-30 * * * *", "At :00, :07 and :20 to :30 of every hour"],
    ["30 * * * *", "Every hour at :30"],
    ["0 9-17 * * *", "Every hour from 09:00 to 17:00, every day"],
    ["0 */2 * * *", "Every 2 hours from 00:00 to 22:00, every day"],
    ["30 2 * * *", "Every day at 02:30"],
    ["0 9,18 * * *", "Every day at 09:00 and 18:00"],
    ["*/25 9-10 * * *", "Every day at 09:00, 09:25, 09:50, 10:00, 10:25 and 10:50"],
    ["0 12 * * 1", "Every Monday at 12:00"],
    ["0 12 * * 0,6", "Every Saturday and Sunday at 12:00"],
    ["0 8 * 1,4 1-5", "Monday to Friday in January and April at 08:00"],
    ["0 0 29 2 *", "On the 29th of February at 00:00"],
    ["0 0 1-7,15 * *", "On the 1st to 7th and 15th of every month at 00:00"],
    ["0 0 2,3,21-23 * *", "On the 2nd, 3rd and 21st to 23rd of every month at 00:00"],
    // Neither day field is a star: either is enough.
    ["0 0 13 * 5", "On the 13th of every month and every Friday at 00:00"],
    ["0 0 13 6 1-5", "On the 13th of June and every day from Monday to Friday in June at 00:00"],
    ["0 0 1-31 * 1", "Every day at 00:00"],
    ["0 0 1 * 0-6", "Every day at 00:00"],
    // One is a star: both are needed.
    ["0 0 */2 * 1", "On every 2nd day from the 1st to the 31st of every month if it is Monday, at 00:00"],
    ["0 0 1-7 * */7", "On the 1st to 7th of every month if it is Sunday, at 00:00"],
    ["0 0 */15 * */3", "On the 1st, 16th and 31st of every month if it is Wednesday, Saturday or Sunday, at 00:00"],
    ["0 0 * * */2", "Every Tuesday, Thursday, Saturday and Sunday at 00:00"],
    ["0 0 */2 * *", "On every 2nd day from the 1st to the 31st of every month at 00:00"]
  ])("cron %s", (expression, expected) => {
    assert.strictEqual(Describe.describe({ kind: "cron", expression, timeZone: "UTC" }), `${expected}, UTC`)
  })

  it.each<readonly [Describe.Subject, string]>([
    [{ kind: "after", afterSeconds: 600 }, "Once, 10 minutes after it is saved"],
    [
      { kind: "after", afterSeconds: 90_061, scheduledAt: "2026-01-02T01:01:01.000Z" },
      "Once, 25 hours 1 minute 1 second after it is saved, on 2026-01-02 at 01:01:01 UTC"
    ],
    [{ kind: "at", scheduledAt: "2026-01-01T09:00:00.000Z" }, "Once, on 2026-01-01 at 09:00 UTC"],
    [{ kind: "at", scheduledAt: "2026-01-01T09:00:00.050Z" }, "Once, on 2026-01-01 at 09:00:00.050 UTC"],
    [{ kind: "every", everySeconds: 60 }, "Every minute"],
    [{ kind: "every", everySeconds: 90 }, "Every 1 minute 30 seconds"],
    [{ kind: "every", everySeconds: 7200 }, "Every 2 hours"],
    [{ kind: "every", everySeconds: 86_400 }, "Every 24 hours"],
    [{ kind: "every", everySeconds: 604_800 }, "Every 7 days"],
    [{ kind: "daily", time: "09:00:00.000", timeZone: "Asia/Shanghai" }, "Every day at 09:00, Asia/Shanghai"],
    [
      { kind: "weekly", time: "09:00:30.000", timeZone: "Asia/Shanghai", weekdays: [1, 3] },
      "Every Monday and Wednesday at 09:00:30, Asia/Shanghai"
    ],
    [
      { kind: "weekly", time: "09:00:00.000", timeZone: "UTC", weekdays: [1, 2, 3, 4, 5] },
      "Monday to Friday at 09:00, UTC"
    ],
    [
      { kind: "weekly", time: "09:00:00.000", timeZone: "UTC", weekdays: [1, 2, 3, 4, 5, 6, 7] },
      "Every day at 09:00, UTC"
    ]
  ])("%j", (subject, expected) => {
    assert.strictEqual(Describe.describe(subject), expected)
  })

  it("always answers one clean line that ends with the zone", () => {
    FastCheck.assert(
      FastCheck.property(anyRule(anyOddZone), (rule) => {
        assert.match(Describe.describe(rule), /^[A-Z][A-Za-z0-9:,. ]+, [A-Za-z_/]+$/)
        assert.isTrue(Describe.describe(rule).endsWith(`, ${rule.timeZone}`))
        assert.notMatch(Describe.describe(rule), / {2}|,,|undefined|NaN/)
      })
    )
  })

  it("says exactly what a cron expression matches: read back, it matches the same", () => {
    FastCheck.assert(
      FastCheck.property(anyExpression, (expression) => {
        const cron = Either.getOrThrow(Cron.parse(expression))
        const said = read(Describe.describe({ kind: "cron", expression, timeZone: "UTC" }).replace(/, UTC$/, ""))
        const times = values(cron, "hour").flatMap((h) => values(cron, "minute").map((m) => h * 60 + m))
        assert.deepStrictEqual(said.times, times)
        const needsBoth = cron.dayOfMonth.star || cron.dayOfWeek.star
        for (const month of upTo(1, 12)) {
          for (const date of upTo(1, 31)) {
            for (const weekday of upTo(0, 6)) {
              const onDate = CronField.has(cron.dayOfMonth, date)
              const onWeekday = CronField.has(cron.dayOfWeek, weekday)
              const onDay = needsBoth ? onDate && onWeekday : onDate || onWeekday
              if (said.isOn(month, date, weekday) !== (onDay && CronField.has(cron.month, month))) {
                assert.fail(`${expression}: month ${month}, day ${date}, weekday ${weekday}`)
              }
            }
          }
        }
      }),
      { numRuns: 500 }
    )
  })
})

const values = (cron: Cron.Cron, field: keyof Cron.Cron) => CronField.valuesOf(cron[field], Cron.ranges[field])

function upTo(from: number, to: number, step = 1): ReadonlyArray<number> {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)
}

/** What a reader understands: the minutes of a day, and the dates. */
interface Understood {
  readonly times: ReadonlyArray<number>
  readonly isOn: (month: number, date: number, weekday: number) => boolean
}

function read(text: string): Understood {
  const listed = /^(.+?),? at (\d\d:\d\d(?:(?:, | and )\d\d:\d\d)*)$/.exec(text)
  if (listed !== null) return { times: list(listed[2], minuteOfDay), isOn: readDates(listed[1]!) }
  for (const [pattern, times] of patterns) {
    const match = pattern.exec(text)
    if (match === null) continue
    const dates = text.slice(match[0].length).replace(/^, /, "")
    return { times: times(match), isOn: readDates(dates === "" ? "every day" : dates) }
  }
  throw new Error(`not understood: ${text}`)
}

const hours = "(every hour|the hours? (?:\\d\\d(?: to \\d\\d)?(?:, (?=\\d)| and )?)+)"

const patterns: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => ReadonlyArray<number>]> = [
  [/^Every hour at :(\d\d)/, ([, minute]) => upTo(Number(minute), 1439, 60)],
  [
    /^Every (\d*) ?(minute|hour)s? from (\d\d:\d\d) to (\d\d:\d\d)/,
    ([, count, unit, from, to]) =>
      upTo(minuteOfDay(from!), minuteOfDay(to!), Number(count || 1) * (unit === "hour" ? 60 : 1))
  ],
  [
    new RegExp(`^Every (\\d*) ?minutes? from :(\\d\\d) to :(\\d\\d) of ${hours}`),
    ([, count, from, to, of]) => inHours(of, upTo(Number(from), Number(to), Number(count || 1)))
  ],
  [/^Every (\d*) ?minutes?/, ([, count]) => upTo(0, 1439, Number(count || 1))],
  [
    new RegExp(`^At (:.+?) of ${hours}`),
    ([, at, of]) =>
      inHours(
        of,
        list(at, (text) => Number(text.slice(1)))
      )
  ]
]

function inHours(text: string | undefined, minutes: ReadonlyArray<number>): ReadonlyArray<number> {
  const hours = text === "every hour" ? upTo(0, 23) : list(text?.replace(/^the hours? /, ""), Number)
  return hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute))
}

function readDates(text: string): Understood["isOn"] {
  const [, days, months] = /^(?:every day|((?:every )?[A-Z].+?))(?: in (.+))?$/i.exec(text) ?? []
  const of = /^on (.+?) of (.+?)(?: and every (?:day from )?(.+?)(?: in .*)?| if it is (.+))?$/i.exec(text)
  if (of !== null) {
    const step = /^every (\d+)\w\w day from the (\d+)\w\w to the (\d+)\w\w$/.exec(of[1]!)
    const dates = step
      ? upTo(Number(step[2]), Number(step[3]), Number(step[1]))
      : list(of[1], (text) => Number.parseInt(text, 10))
    const weekdays = list(of[3] ?? of[4], weekdayOf)
    return (month, date, weekday) => {
      const both = [dates.includes(date), weekdays.includes(weekday)]
      const onDay = of[3] ? both.includes(true) : of[4] ? !both.includes(false) : both[0]!
      return onDay && isIn(of[2], month)
    }
  }
  const weekdays = days === undefined ? upTo(0, 6) : list(days.replace(/^every /i, ""), weekdayOf)
  return (month, _date, weekday) => weekdays.includes(weekday) && isIn(months ?? "every month", month)
}

const isIn = (months: string | undefined, month: number) =>
  months === "every month" || list(months, monthOf).includes(month)

const minuteOfDay = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
const monthOf = (name: string) => new Date(`1 ${name} 2000 UTC`).getUTCMonth() + 1
const weekdayOf = (name: string) =>
  upTo(1, 7).findIndex((date) => nameOfWeekday.format(Date.UTC(2000, 0, date + 1)) === name)
const nameOfWeekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" })

/** `a, b and c to e`, in which weekdays run on from Saturday to Sunday. */
function list(text: string | undefined, valueOf: (text: string) => number): ReadonlyArray<number> {
  if (text === undefined) return []
  return text.split(/, | and | or /).flatMap((part) => {
    const [from = 0, to = from] = part
      .replace(/the /g, "")
      .split(" to ")
      .map((text) => valueOf(text))
    return upTo(from, to < from ? to + 7 : to).map((value) => (valueOf === weekdayOf ? value % 7 : value))
  })
}
