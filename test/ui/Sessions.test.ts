import { describe, expect, it } from "vitest"
import { rpc, session, task } from "./Rpc.ts"
import { stage } from "./Stage.ts"

describe("Sessions on the page", () => {
  const it_ = stage()

  it("creates, finds and renames one", async () => {
    const page = await it_.open({ hash: "#/sessions" })
    await page.getByText("No Sessions yet").waitFor()
    await page.getByRole("button", { name: "New Session" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Name" }).fill("Planning")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { level: 1, name: "Planning" }).waitFor()
    await page.getByRole("button", { name: "Rename" }).click()
    await dialog.getByRole("textbox", { name: "Name" }).fill("Planning 2027")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { level: 1, name: "Planning 2027" }).waitFor()
    await page.getByRole("searchbox").fill("no such")
    await expect.poll(() => page.getByRole("link", { name: /Planning 2027/ }).count()).toBe(0)
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("refuses to archive one with reminders, with their list, and stops them when told to", async () => {
    const { home } = it_
    await session(home, "busy", "Busy")
    await task(home, "busy", "First reminder", { every_seconds: 3600 })
    await task(home, "busy", "Second reminder", { daily: { time: "09:00:00", time_zone: "UTC" } })
    const page = await it_.open({ hash: "#/sessions/busy" })
    await page.getByRole("heading", { name: "2 active tasks" }).waitFor()
    const archive = page.getByRole("button", { name: "Archive", exact: true })
    await archive.click()
    const dialog = page.getByRole("dialog", { name: "This Session is still active" })
    expect(await dialog.getByRole("listitem").allTextContents()).toEqual(["First reminder", "Second reminder"])
    await dialog.getByRole("button", { name: "Cancel" }).click()
    expect((await rpc(home, [["schedule.list", { sessionId: "busy" }]]))[0]).toHaveLength(2)

    await archive.click()
    await dialog.getByRole("button", { name: "Stop and archive" }).click()
    await page.getByText("Session archived").waitFor()
    await page.getByRole("heading", { name: "No active tasks" }).waitFor()
    expect((await rpc(home, [["schedule.list", { sessionId: "busy" }]]))[0]).toEqual([])

    await page.getByRole("button", { name: "Unarchive" }).click()
    await archive.waitFor()
    await page.getByText("stopped reminders stay stopped").waitFor()
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("archives a quiet one at once", async () => {
    await session(it_.home, "quiet", "Quiet")
    const page = await it_.open({ hash: "#/sessions/quiet" })
    await page.getByRole("button", { name: "Archive", exact: true }).click()
    await page.getByRole("button", { name: "Unarchive" }).waitFor()
    expect(await page.getByRole("dialog").count()).toBe(0)
    await page.context().close()
  })

  it("says that a Session does not exist, and that a task in it cannot be made", async () => {
    const page = await it_.open({ hash: "#/sessions/nowhere" })
    await page.getByText("This Session does not exist here.").waitFor()
    await page.keyboard.press("n")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("combobox", { name: "Session id" }).fill("nowhere")
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Lost")
    await dialog.getByRole("textbox", { name: "Instruction" }).fill("Say hello")
    await dialog.getByRole("button", { name: "Create task" }).click()
    await dialog.getByText('There is no Session "nowhere".').waitFor()
    await page.context().close()
  })

  it("reads a long transcript from its end, and further back on demand", async () => {
    const { home } = it_
    await session(home, "talkative", "Talkative")
    const rename = (n: number) => ["sessions.rename", { id: "talkative", title: `Name ${n}` }] as const
    for (let n = 1; n <= 130; n += 26) {
      await rpc(
        home,
        Array.from({ length: 26 }, (_, i) => rename(n + i))
      )
    }
    const page = await it_.open({ hash: "#/sessions/talkative" })
    const log = page.getByRole("region", { name: "Transcript" }).last().getByRole("listitem")
    await expect.poll(() => log.count()).toBe(100)
    await page.getByRole("button", { name: "Load older" }).click()
    await expect.poll(() => log.count()).toBe(130)
    await page.context().close()
  })
})
