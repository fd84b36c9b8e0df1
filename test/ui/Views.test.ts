import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { rpc, session, task } from "./Rpc.ts"
import { stage } from "./Stage.ts"

// `npm run screenshots` names the directory that keeps what these tests look at.
const gallery = process.env.SCREENSHOTS
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

describe("every view, in light and dark", () => {
  const it_ = stage()

  beforeAll(async () => {
    await furnish(it_.home)
  })

  const looks = [
    ["light", "light", 1280],
    ["dark", "dark", 1280],
    ["phone", "light", 360]
  ] as const
  const views: ReadonlyArray<[name: string, hash: string, show?: (page: Page) => Promise<unknown>]> = [
    ["tasks", "#/tasks"],
    ["task-rules", "#/tasks", (page) => page.getByRole("link", { name: /Check the deploy/ }).click()],
    [
      "task-draft",
      "#/tasks",
      async (page) => {
        await page.getByRole("link", { name: /Check the deploy/ }).click()
        await page.getByLabel("Cron expression").fill("*/20 8-18 * * 1-5")
        await page.getByText("Every 20 minutes from 08:00 to 18:40").waitFor()
      }
    ],
    [
      "task-records",
      "#/tasks",
      async (page) => {
        await page.getByRole("link", { name: /Stand-up/ }).click()
        await page.getByRole("tab", { name: "Records" }).click()
        await page.getByText("The Host keeps 30 days").waitFor()
      }
    ],
    ["task-inactive", "#/tasks", (page) => page.getByRole("link", { name: /Stand-up/ }).click()],
    [
      "task-delete",
      "#/tasks",
      async (page) => {
        await page.getByRole("link", { name: /Stand-up/ }).click()
        await page.getByRole("button", { name: "Delete task" }).click()
      }
    ],
    ["new-task", "#/tasks", (page) => page.keyboard.press("n")],
    [
      "new-task-zone",
      "#/tasks",
      async (page) => {
        await page.keyboard.press("n")
        await page.getByRole("dialog").getByRole("combobox", { name: "Time zone" }).fill("america")
        await page.locator(".option").first().waitFor()
      }
    ],
    ["nothing-found", "#/tasks", (page) => page.getByRole("searchbox").fill("nothing of the kind")],
    ["timeline-day", "#/timeline"],
    ["timeline-week", "#/timeline", (page) => page.getByRole("radio", { name: "7 days" }).check()],
    ["sessions", "#/sessions"],
    ["session", "#/sessions/release-train", (page) => page.getByText("[SCHEDULE REMINDER]").waitFor()],
    [
      "session-refused",
      "#/sessions/release-train",
      async (page) => {
        await page.getByRole("button", { name: "Archive", exact: true }).click()
        await page.getByRole("dialog").waitFor()
      }
    ]
  ]

  it.each(views)("%s has no accessibility violations and fits its width", async (name, hash, show) => {
    const page = await it_.open({ hash })
    await show?.(page)
    for (const [suffix, colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await picture(page, `${name}-${suffix}`)
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toEqual([])
    }
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("shows hostile texts as text, and keeps the layout", async () => {
    const { home } = it_
    const page = await it_.open()
    const look = async (hash: string, heading: string) => {
      await page.evaluate((hash) => location.assign(hash), hash)
      await page.locator("h1", { hasText: heading }).first().waitFor()
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 740 })
        await picture(page, `${hash.replace(/\W+/g, "-").slice(1, 30)}-${width}`)
        expect(await overflow(page)).toEqual([])
      }
      await page.setViewportSize({ width: 1280, height: 740 })
    }
    for (const [i, [title, prompt]] of hostile.entries()) {
      await session(home, `hostile-${i}`, title)
      const record = await task(home, `hostile-${i}`, title, { every_seconds: 86_400 }, prompt)
      await look(`#/tasks/${record.id}`, title)
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title)
      expect(await page.getByRole("textbox", { name: "Instruction" }).inputValue()).toBe(prompt)
      await look(`#/sessions/hostile-${i}`, title)
      await rpc(home, [["sessions.rename", { id: `hostile-${i}`, title: prompt.slice(0, 900) }]])
    }
    await look("#/sessions/hostile-3", "www")
    await look("#/timeline", "Timeline")
    // nothing became markup, nothing ran
    expect(await page.locator("main").locator("img, script, b").count()).toBe(0)
    expect(await page.evaluate(() => "hacked" in window)).toBe(false)
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("speaks Chinese to a Chinese browser, and the language that is chosen from then on", async () => {
    const page = await it_.open({ locale: "zh-CN" })
    await page.getByRole("button", { name: "新建任务" }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN")
    await page.getByRole("link", { name: /Check the deploy/ }).click()
    await page.getByLabel("Cron 表达式").fill("61 * * * *")
    await page.getByText('分钟："61" 超出范围，请使用 0-59。').waitFor()
    await picture(page, "chinese")
    expect(await violations(page)).toEqual([])
    await page.getByLabel("语言").selectOption("English")
    await page.getByText('Minute: "61" is out of range, use 0-59.').waitFor()
    await page.reload()
    await page.getByRole("button", { name: "New task" }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en")
    await page.context().close()
  })

  it("follows the system's theme until one is chosen, and remembers the choice", async () => {
    const page = await it_.open({ colorScheme: "light" })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.emulateMedia({ colorScheme: "dark" })
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.getByLabel("Theme").selectOption("Light")
    expect(await ground()).toBe(light)
    await page.reload({ waitUntil: "commit" })
    await page.waitForFunction(() => document.body !== null)
    expect(await ground()).toBe(light)
    await page.getByLabel("Theme").selectOption("System")
    expect(await ground()).toBe(dark)
    await page.context().close()
  })

  it("is worked by the keyboard alone", async () => {
    const page = await it_.open()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press("Tab")
    expect(await focused()).toBe("Skip to content")
    await page.keyboard.press("Enter")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main")
    await page.keyboard.press("/")
    for (let i = 0; i < 2; i++) await page.keyboard.press("Tab")
    const rows = page.getByRole("list", { name: "Task list" }).getByRole("link")
    expect(await rows.first().evaluate((row) => row === document.activeElement)).toBe(true)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    expect(await rows.nth(2).evaluate((row) => row === document.activeElement)).toBe(true)
    await page.keyboard.press("End")
    expect(await rows.last().evaluate((row) => row === document.activeElement)).toBe(true)
    expect(await rows.last().evaluate((row) => getComputedStyle(row).outlineStyle)).toBe("solid")
    await page.keyboard.press("Enter")
    await page.getByRole("tab", { name: "Rules" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.getByRole("tab", { name: "Records", selected: true }).waitFor()
    await page.waitForURL(/\/records$/)
    // a dialog keeps the focus inside, closes with Escape and gives it back
    await page.getByRole("button", { name: "Delete task" }).press("Enter")
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Tab")
      const inside = await page.evaluate(
        () => document.activeElement?.closest("dialog") !== null || document.activeElement === document.body
      )
      expect(inside).toBe(true)
    }
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "hidden" })
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Delete task")
    await page.context().close()
  })
})

const furnish = async (home: ReturnType<typeof stage>["home"]) => {
  await session(home, "release-train", "Release train")
  await session(home, "support-rota", "Support rota")
  await session(home, "garden", "Garden diary")
  const cron = { expression: "*/15 9-17 * * 1-5", time_zone: "Asia/Shanghai" }
  await task(
    home,
    "release-train",
    "Check the deploy",
    { cron },
    "Look at the deploy dashboard. When more than 1 % of requests fail, say so and propose a rollback."
  )
  await task(
    home,
    "release-train",
    "Daily review",
    { daily: { time: "09:00:00", time_zone: "Europe/Berlin" } },
    "Summarise what was merged yesterday, and what is still open."
  )
  await task(
    home,
    "support-rota",
    "Weekly planning",
    { weekly: { time: "10:30:00", time_zone: "America/New_York", weekdays: [1, 4] } },
    "Ask who is on call next week."
  )
  await task(
    home,
    "support-rota",
    "Queue check",
    { every_seconds: 1800 },
    "Check the queue, and name what waits longest."
  )
  await task(home, "support-rota", "Heartbeat", { every_seconds: 60 }, "Say that you are there.")
  await task(
    home,
    "garden",
    "Water the tomatoes",
    { every_seconds: 172_800 },
    "The tomatoes on the balcony want water."
  )
  await task(
    home,
    "garden",
    "Order the bulbs",
    { at: new Date(Date.now() + 60 * 86_400_000).toISOString() },
    "Tulips and daffodils, before they are sold out."
  )
  await task(home, "garden", "Look at the weather", { after_seconds: 7200 }, "Will it freeze tonight?")
  await task(home, "release-train", "Stand-up", { after_seconds: 1 }, "The stand-up begins. Collect what blocks whom.")
  await home.until("the delivery", () => home.messages("release-train").length > 0)
}

const hostile: ReadonlyArray<readonly [title: string, prompt: string]> = [
  ["<img src=x onerror=hacked=1><b>bold</b>", "<script>hacked = 1</script>\n<b>not bold</b> &amp; &lt;"],
  ["تذكير بالاجتماع \u202eأسبوعي", "مرحبا\nسطر ثان"],
  ["👩‍👩‍👧‍👦🏳️‍🌈🚀 e\u0301\u0301\u0301\u0301", "🎉".repeat(200)],
  ["w".repeat(120), "w".repeat(10_000)],
  ["Long", `${"Many words that go on and on. ".repeat(340)}end`]
]

/** What reaches beyond the page's width, and so would make it scroll sideways. */
const overflow = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect()
        return (
          width > 0 && right > innerWidth + 1 && !element.closest(".unseen, .skip, .row-title, .row-rule, .row-session")
        )
      })
      .map((element) => `${element.tagName} ${element.className}`)
  )

const violations = async (page: Page): Promise<unknown> => {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: ReadonlyArray<Violation> }> } }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => [
      id,
      ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)
    ])
  })
}

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary: string }>
}

const picture = async (page: Page, name: string) => {
  if (gallery === undefined || !/-(light|dark)$|^task(s|-draft)-phone$/.test(name)) return
  mkdirSync(gallery, { recursive: true })
  await page.screenshot({ path: `${gallery}/${name}.png` })
}
