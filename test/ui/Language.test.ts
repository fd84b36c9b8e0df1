import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { createRecord, type ScheduleId } from "../../src/domain/index.ts"
import { make, UnavailableCode } from "../../src/remote/ScheduleUnavailable.ts"
import { chinese } from "../../ui/src/language/chinese.ts"
import { english } from "../../ui/src/language/english.ts"
import { messageIn } from "../../ui/src/language/Message.ts"

const id = "schedule-00000000-0000-0000-0000-000000000001" as ScheduleId
const now = Date.UTC(2026, 10, 30, 12)

describe("the page's languages", () => {
  it("have the same members, none of them empty or left in English", () => {
    const untranslated = (en: unknown, zh: unknown, path: string): ReadonlyArray<string> => {
      if (typeof en === "string") {
        return typeof zh === "string" && (zh === "" || zh !== en || same.includes(en)) ? [] : [path]
      }
      if (typeof en === "function") return typeof zh === "function" && en.length === zh.length ? [] : [path]
      const [a, b] = [Object(en), Object(zh)]
      return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
        untranslated(a[key], b[key], `${path}.${key}`)
      )
    }
    expect(untranslated(english, chinese, "texts")).toEqual([])
  })

  it("have words for every refusal that the editor can meet", () => {
    for (const selector of refused) {
      const answer = createRecord({ title: "x", prompt: "x", ...selector }, { id, now })
      if (Either.isRight(answer)) throw new Error(`accepted: ${JSON.stringify(selector)}`)
      const zh = messageIn("zh", answer.left)
      expect(zh, answer.left.message).toMatch(/[\u4e00-\u9fff]/)
      expect(messageIn("en", answer.left), answer.left.message).not.toMatch(/_|^[a-z]|must be/)
    }
  })

  it("have words for every failure of the Host", () => {
    for (const code of UnavailableCode.literals) {
      expect(messageIn("zh", make(code))).toMatch(/[\u4e00-\u9fff]/)
      expect(messageIn("en", make(code))).toMatch(/^[A-Z].*\.$/)
    }
  })
})

// What is a name, a code or a sign in both.
const same = ["Cron", "/", "n", "↑ ↓", "Ctrl S", "Esc"]

const at = (date: string, time: string, time_zone = "Europe/Paris") => ({ at: { date, time, time_zone } })
const cron = (expression: string, time_zone = "UTC") => ({ cron: { expression, time_zone } })

const refused: ReadonlyArray<object> = [
  { title: "" },
  { title: "x".repeat(121), after_seconds: 1 },
  { prompt: " ", after_seconds: 1 },
  { after_seconds: 0 },
  { after_seconds: 1.5 },
  { every_seconds: 59 },
  { every_seconds: Number.NaN },
  at("", "09:00:00"),
  at("2027-02-30", "09:00:00"),
  at("2027-02-03", "25:00:00"),
  at("2027-02-03", "09:00:00", "EST"),
  at("2027-03-28", "02:30:00"),
  at("2001-03-28", "02:30:00"),
  { daily: { time: "", time_zone: "UTC" } },
  { daily: { time: "09:00:00", time_zone: "+08:00" } },
  { weekly: { time: "09:00:00", time_zone: "UTC", weekdays: [] } },
  cron("* * * *"),
  cron("61 * * * *"),
  cron("* 9-5 * * *"),
  cron("* * */0 * *"),
  cron("* * * JAN *"),
  cron("0 0 30 2 *"),
  cron("* * * * *", "Mars/Olympus")
].map((selector) =>
  "title" in selector && Object.keys(selector).length === 1 ? { ...selector, after_seconds: 1 } : selector
)
