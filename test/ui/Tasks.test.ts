import { describe, expect, it } from "vitest"
import { rpc, session, task } from "./Rpc.ts"
import { stage } from "./Stage.ts"

describe("tasks on the page", () => {
  const it_ = stage()

  it.each([
    ["In a while", "after", async (form: Form) => form.fill("Once, after", "90")],
    [
      "Once",
      "at",
      async (form: Form) => {
        await form.fill("Date", "2099-01-31")
        await form.fill("Time", "09:30")
      }
    ],
    ["Interval", "every", async (form: Form) => form.fill("Every", "45")],
    ["Daily", "daily", async (form: Form) => form.fill("Time", "07:15:30")],
    ["Weekly", "weekly", async (form: Form) => form.check("Saturday")],
    ["Cron", "cron", async (form: Form) => form.fill("Cron expression", "*/15 9-17 * * 1-5")]
  ])("creates a task of the kind %s", async (name, kind, write) => {
    await session(it_.home, `kind-${kind}`)
    const page = await it_.open()
    await page.keyboard.press("n")
    const dialog = page.getByRole("dialog", { name: "New task" })
    await dialog.getByRole("combobox", { name: "Session id" }).fill(`kind-${kind}`)
    await dialog.getByRole("textbox", { name: "Name" }).fill(`Made as ${kind}`)
    await dialog.getByRole("textbox", { name: "Instruction" }).fill("Say hello")
    await dialog.getByRole("radio", { name }).check()
    await write({
      fill: (label, text) => dialog.getByLabel(label, { exact: true }).fill(text),
      check: (label) => dialog.getByLabel(label, { exact: true }).check()
    })
    expect(await dialog.getByRole("region", { name: "Next runs" }).getByRole("listitem").count()).toBe(
      kind === "after" || kind === "at" ? 1 : 5
    )
    await dialog.getByRole("button", { name: "Create task" }).click()

    await page.getByRole("heading", { level: 1, name: `Made as ${kind}` }).waitFor()
    const [[record]] = await rpc(it_.home, [["schedule.list", { sessionId: `kind-${kind}` }]])
    expect(record).toMatchObject({ kind, title: `Made as ${kind}`, prompt: "Say hello", ...expected[kind] })
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("creates a task in a Session that it makes first", async () => {
    const page = await it_.open()
    await page.getByRole("button", { name: "New task" }).first().click()
    const dialog = page.getByRole("dialog", { name: "New task" })
    await dialog.getByRole("radio", { name: "New Session" }).check()
    await dialog.getByRole("textbox", { name: "Name of the new Session" }).fill("Made on the way")
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("First in it")
    await dialog.getByRole("textbox", { name: "Instruction" }).fill("Say hello")
    await dialog.getByRole("button", { name: "Create task" }).click()
    await page.getByRole("heading", { level: 1, name: "First in it" }).waitFor()
    await page.locator(".facts").getByRole("link").click()
    await page.getByRole("heading", { level: 1, name: "Made on the way" }).waitFor()
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("refuses in place what the Host would refuse, in its words", async () => {
    const page = await it_.open()
    await page.keyboard.press("n")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("radio", { name: "Cron" }).check()
    const expression = dialog.getByLabel("Cron expression")
    for (const [text, told] of [
      ["0 9 * *", "Write five fields"],
      ["61 * * * *", 'Minute: "61" is out of range, use 0-59.'],
      ["0 9 * JAN *", 'Month: "JAN" is not one of'],
      ["0 17-9 * * *", 'Hour: "17-9" ends before it begins.'],
      ["0 0 30 2 *", "This never comes"]
    ] as const) {
      await expression.fill(text)
      await dialog.getByText(told).waitFor()
    }
    await expression.fill("0 9 * * 1,2,3,4,7")
    await dialog.getByText("Stored as 0 9 * * 0-4").waitFor()
    await dialog.getByText("Every Monday to Thursday and Sunday at 09:00").waitFor({ state: "attached" })
    await dialog.getByLabel("Time zone").fill("+08:00")
    await dialog.getByText("Choose UTC or a time zone such as Europe/Paris.").waitFor()
    await dialog.getByRole("button", { name: "Create task" }).click()
    await dialog.getByText("Choose a Session.").waitFor()
    await dialog.getByText("Give it a name of at most 120 characters.").waitFor()
    await dialog.getByText("Write what the reminder says.").waitFor()
    await page.context().close()
  })

  it("finds a zone by its city, its name and its offset", async () => {
    const page = await it_.open()
    await page.keyboard.press("n")
    const zone = page.getByRole("dialog").getByRole("combobox", { name: "Time zone" })
    for (const [search, found] of [
      ["tokyo", "Asia/Tokyo"],
      ["new zealand", "Pacific/Auckland"],
      ["gmt+5:45", /Asia\/Kat(h)?mandu/]
    ] as const) {
      await zone.fill(search)
      await page.getByRole("option", { name: found }).first().waitFor()
    }
    await zone.fill("los ang")
    await expect.poll(() => page.locator(".option").allTextContents()).toEqual([expect.stringContaining("Los_Ang")])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    expect(await zone.inputValue()).toBe("America/Los_Angeles")
    await page.context().close()
  })

  it("searches and filters", async () => {
    const { home } = it_
    await session(home, "search-here")
    await task(home, "search-here", "Needle in the title", { every_seconds: 3600 })
    await task(home, "search-here", "Other", { every_seconds: 3600 }, "a needle in the instruction")
    await task(home, "search-here", "Third", { every_seconds: 3600 })
    const page = await it_.open()
    const rows = page.getByRole("list", { name: "Task list" }).getByRole("link")
    await page.keyboard.press("/")
    await page.keyboard.type("NEEDLE")
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole("searchbox").fill("search-here")
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole("radio", { name: /Inactive/ }).check()
    await page.getByText("No task matches").waitFor()
    await page.getByRole("button", { name: "Clear search and filter" }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(3)
    await page.context().close()
  })

  it("takes a search before it has read the tasks", async () => {
    const { home } = it_
    await session(home, "read-late")
    await task(home, "read-late", "Haystack", { every_seconds: 3600 })
    await task(home, "read-late", "Another", { every_seconds: 3600 })
    const held: Array<() => void> = []
    const page = await it_.open({
      prepare: (context) =>
        context.routeWebSocket(/./, (page) => {
          const host = page.connectToServer()
          host.onMessage((frame) => {
            if (frame.toString().includes("Haystack")) held.push(() => page.send(frame))
            else page.send(frame)
          })
        })
    })
    await expect.poll(() => held.length).toBe(1)
    await page.keyboard.press("/")
    await page.keyboard.type("haystack")
    for (const release of held) release()
    const rows = page.getByRole("list", { name: "Task list" }).getByRole("link")
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining("Haystack")])
    await page.context().close()
  })

  it("shows a delivery as it happens, and its record", async () => {
    const { home } = it_
    await session(home, "live-one")
    const page = await it_.open()
    await page.getByText("Live", { exact: true }).waitFor()
    const record = await task(home, "live-one", "Comes soon", { after_seconds: 2 }, "the words that are sent")
    await page.getByRole("link", { name: /Comes soon/ }).click()
    await page.getByRole("tab", { name: "Records" }).click()
    await page.getByText("Nothing was delivered yet").waitFor()
    // nobody reloads
    await page.getByText("the words that are sent").waitFor()
    await page.getByText("Inactive · Once").waitFor()
    await page.getByRole("link", { name: "live-one" }).last().click()
    await page.getByRole("link", { name: "Comes soon" }).waitFor()
    expect(await page.getByText("[SCHEDULE REMINDER]").textContent()).toContain(record.id)
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("deletes a task after asking, and every inactive one with their number", async () => {
    const { home } = it_
    await session(home, "to-delete")
    await task(home, "to-delete", "Goes away", { every_seconds: 3600 })
    await task(home, "to-delete", "Ends by itself", { after_seconds: 1 })
    await home.until("the delivery", () => home.messages("to-delete").length === 1)
    const page = await it_.open()
    await page.getByRole("link", { name: /Goes away/ }).click()
    const remove = page.getByRole("button", { name: "Delete task" })
    await remove.click()
    await page.getByRole("dialog", { name: "Delete this task?" }).getByRole("button", { name: "Cancel" }).click()
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Delete task")
    await remove.click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete task" }).click()
    await page.getByText("Task deleted").waitFor()
    await expect.poll(() => page.getByRole("link", { name: /Goes away/ }).count()).toBe(0)

    const [all] = await rpc(home, [["schedule.catalog"]])
    const ended = all.filter((task: { status: string }) => task.status === "inactive").length
    const name = `${ended} inactive task${ended === 1 ? "" : "s"}`
    await page.getByRole("button", { name: `Delete ${name}` }).click()
    await page
      .getByRole("dialog", { name: `Delete ${name}?` })
      .getByRole("button", { name: "Delete" })
      .click()
    await page.getByText(`${name} deleted`).waitFor()
    await expect.poll(() => page.getByRole("link", { name: /Ends by itself/ }).count()).toBe(0)
    expect(page.errors).toEqual([])
    await page.context().close()
  })
})

interface Form {
  readonly fill: (label: string, text: string) => Promise<void>
  readonly check: (label: string) => Promise<void>
}

const expected: Record<string, object> = {
  after: { afterSeconds: 5400 },
  at: { scheduledAt: "2099-01-31T08:30:00.000Z" },
  every: { everySeconds: 2700 },
  daily: { time: "07:15:30.000", timeZone: "Europe/Paris" },
  weekly: { time: "09:00:00.000", weekdays: [1, 2, 3, 4, 5, 6] },
  cron: { expression: "*/15 9-17 * * 1-5" }
}
