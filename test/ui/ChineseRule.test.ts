import { Either } from "effect"
import * as FC from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as Cron from "../../src/domain/Cron.ts"
import * as CronField from "../../src/domain/CronField.ts"
import * as chineseRule from "../../ui/src/language/chineseRule.ts"
import { anyExpression } from "../domain/rules.ts"

const cron = (expression: string) => chineseRule.describe({ kind: "cron", expression, timeZone: "UTC" })

describe("a rule in Chinese", () => {
  it.each([
    ["* * * * *", "每天，每 1 分钟"],
    ["*/15 9-17 * * 1-5", "每周一至周五，09:00 至 17:45 每 15 分钟"],
    ["*/7 * * * *", "每天，每小时的第 0、7、14、21、28、35、42、49、56 分"],
    ["30 * * * *", "每天，00:30 至 23:30 每 1 小时"],
    ["0 9,18 * * *", "每天，09:00、18:00"],
    ["0 12 * * 0,6", "每周六、周日，12:00"],
    ["0 0 29 2 *", "2 月的 29 日，00:00"],
    ["0 0 1-7,15 * *", "每月 1 至 7、15 日，00:00"],
    // neither day field is a star: either is enough; one is a star: both are needed
    ["0 0 13 6 5", "6 月的 13 日，以及 6 月的每周五，00:00"],
    ["0 0 1-7 * */7", "每月 1 至 7 日，且为周日，00:00"]
  ])("cron %s", (expression, said) => {
    expect(cron(expression)).toBe(`${said}，UTC`)
  })

  it.each<readonly [chineseRule.Subject, string]>([
    [{ kind: "every", everySeconds: 5400 }, "每 1 小时 30 分钟"],
    [{ kind: "every", everySeconds: 604_800 }, "每 7 天"],
    [{ kind: "daily", time: "09:00:30.000", timeZone: "Asia/Shanghai" }, "每天 09:00:30，Asia/Shanghai"],
    [{ kind: "weekly", time: "09:00:00.000", timeZone: "UTC", weekdays: [1, 2, 3, 5] }, "每周一至周三、周五 09:00，UTC"]
  ])("%j", (subject, said) => {
    expect(chineseRule.describe(subject)).toBe(said)
  })

  it("reads the same only when it matches the same", () => {
    const said = new Map<string, string>()
    FC.assert(
      FC.property(anyExpression, (expression) => {
        const sentence = cron(expression)
        expect(sentence).not.toMatch(/undefined|NaN/)
        const matched = matches(expression)
        expect(said.get(sentence) ?? matched).toBe(matched)
        said.set(sentence, matched)
      }),
      { numRuns: 3000 }
    )
  })
})

/** Everything that an expression matches, as text to compare. */
const matches = (expression: string): string => {
  const parsed = Either.getOrThrow(Cron.parse(expression))
  const has = (field: keyof Cron.Cron) => (value: number) => CronField.has(parsed[field], value)
  const list = (field: keyof Cron.Cron) => CronField.valuesOf(parsed[field], Cron.ranges[field]).join()
  const needsBoth = parsed.dayOfMonth.star || parsed.dayOfWeek.star
  const days = Array.from({ length: 31 * 7 }, (_, i) => {
    const [onDate, onWeekday] = [has("dayOfMonth")(Math.floor(i / 7) + 1), has("dayOfWeek")(i % 7)]
    return (needsBoth ? onDate && onWeekday : onDate || onWeekday) ? 1 : 0
  })
  return [list("minute"), list("hour"), list("month"), days.join("")].join(" ")
}
