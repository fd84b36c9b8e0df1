import { readFileSync, rmSync } from "node:fs"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { rpc, session, task } from "./Rpc.ts"
import { stage } from "./Stage.ts"

describe("editing a task on the page", () => {
  const it_ = stage()

  it("saves only what was changed, shows no bar without a change, and Cancel takes everything back", async () => {
    const { page, record } = await opened(it_, "edit-plain", { every_seconds: 3600 })
    const name = page.getByRole("textbox", { name: "Name" })
    await name.fill("Another name")
    await bar(page).waitFor()
    await name.fill("A task")
    expect(await bar(page).count()).toBe(0)
    await name.fill("Another name")
    await bar(page).getByRole("button", { name: "Cancel" }).click()
    expect(await name.inputValue()).toBe("A task")
    expect(await bar(page).count()).toBe(0)

    await name.fill("Another name")
    await page.keyboard.press("Control+s")
    await page.getByText("Saved", { exact: true }).waitFor()
    await page.getByRole("heading", { level: 1, name: "Another name" }).waitFor()
    expect(await stored(it_, "edit-plain")).toEqual({ ...record, title: "Another name" })
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("changes the timing into every other kind, and explains what cannot be saved", async () => {
    const { page } = await opened(it_, "edit-kinds", { every_seconds: 3600 })
    const save = bar(page).getByRole("button", { name: "Save" })
    await page.getByRole("radio", { name: "Weekly" }).check()
    for (const day of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]) {
      await page.getByRole("checkbox", { name: day }).uncheck()
    }
    await page.getByText("Choose at least one day of the week.").waitFor()
    expect(await save.isDisabled()).toBe(true)
    await page.getByRole("checkbox", { name: "Sunday" }).check()
    await save.click()
    await page.getByText("Scheduled · Every Sunday").waitFor()

    await page.getByRole("radio", { name: "Once" }).check()
    await page.getByLabel("Date", { exact: true }).fill("2027-03-28")
    await page.getByLabel("Time", { exact: true }).fill("02:30")
    await page.getByText("This time does not exist: clocks in Europe/Paris skip 02:30 on 2027-03-28.").waitFor()
    await page.getByLabel("Date", { exact: true }).fill("2001-03-28")
    await page.getByText("Choose a time in the future.").waitFor()
    await page.getByLabel("Date", { exact: true }).fill("2027-03-29")
    await save.click()
    await expect.poll(async () => (await stored(it_, "edit-kinds")).kind).toBe("at")
    expect(await stored(it_, "edit-kinds")).toMatchObject({ scheduledAt: "2027-03-29T00:30:00.000Z" })
    await page.context().close()
  })

  it("keeps a draft when the command line changes the task meanwhile, and says so", async () => {
    const { page, record } = await opened(it_, "edit-conflict", { every_seconds: 3600 })
    const prompt = page.getByRole("textbox", { name: "Instruction" })
    await prompt.fill("My own words")
    await it_.home.ok("update", record.id, "--session", "edit-conflict", "--title", "Changed elsewhere")
    await page.getByRole("heading", { level: 1, name: "Changed elsewhere" }).waitFor()

    // the refresh wrote over nothing
    expect(await prompt.inputValue()).toBe("My own words")
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("A task")
    await page.getByText("This task changed on the Host since you began. Changed there: name.").waitFor()
    await bar(page).getByRole("button", { name: "Save" }).click()
    await page.getByText("This task changed on the Host since you began.").waitFor()
    expect((await stored(it_, "edit-conflict")).prompt).toBe("Say hello")

    await page.getByRole("button", { name: "Keep my changes" }).click()
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Changed elsewhere")
    await bar(page).getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await stored(it_, "edit-conflict")).toMatchObject({ title: "Changed elsewhere", prompt: "My own words" })
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("keeps a draft while one looks at other tasks and views", async () => {
    const { page } = await opened(it_, "edit-away", { every_seconds: 3600 })
    await page.getByRole("textbox", { name: "Name" }).fill("Half a thou")
    await page.getByRole("link", { name: "Timeline" }).click()
    await page.getByRole("heading", { level: 1, name: "Timeline" }).waitFor()
    await page.goBack()
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Half a thou")
    await page.getByRole("img", { name: "Unsaved changes" }).waitFor()
    await page.context().close()
  })

  it("offers the draft of a deleted task as a new one", async () => {
    const { page, record } = await opened(it_, "edit-gone", { every_seconds: 3600 })
    await page.getByRole("textbox", { name: "Name" }).fill("Rescued")
    await it_.home.ok("delete", record.id, "--session", "edit-gone")
    await page.getByText("This task was deleted while you were editing.").waitFor()
    await page.getByRole("button", { name: "Create as a new task" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Create task" }).click()
    await page.getByRole("heading", { level: 1, name: "Rescued" }).waitFor()
    expect((await stored(it_, "edit-gone")).everySeconds).toBe(3600)
    await page.context().close()
  })

  it("shows an ended task without letting it be edited, and tells a draft that its task has ended", async () => {
    const { page } = await opened(it_, "edit-ended", { after_seconds: 3 })
    await page.getByRole("textbox", { name: "Name" }).fill("Too late")
    await page.getByText("This task ended while you were editing").waitFor()
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Too late")
    await page.getByRole("button", { name: "Discard changes" }).click()
    expect(await page.getByRole("textbox", { name: "Name" }).getAttribute("readonly")).not.toBeNull()
    await page.getByText("Its rules can be read but not changed").waitFor()
    expect(await page.getByRole("radio", { name: "Once" }).isDisabled()).toBe(true)
    await page.context().close()
  })

  it("comes back after the Host restarted, with the draft and with what changed meanwhile", async () => {
    const { page } = await opened(it_, "edit-restart", { every_seconds: 3600 })
    await page.getByRole("textbox", { name: "Instruction" }).fill("Written before the restart")
    const { url } = JSON.parse(readFileSync(it_.home.path("host.json"), "utf8"))
    await it_.stopHost()
    await page.getByText("What you see was read before").waitFor()
    // what was read stays
    await page.getByRole("heading", { level: 1, name: "A task" }).waitFor()
    await bar(page).getByRole("button", { name: "Save" }).click()
    await page.getByRole("status").getByText("The Host does not answer.").waitFor()
    expect(await page.getByRole("textbox", { name: "Instruction" }).inputValue()).toBe("Written before the restart")

    await it_.startHost(new URL(url).port)
    await page.locator(".connection.Live").waitFor()
    await task(it_.home, "edit-restart", "Made after the restart", { every_seconds: 60 })
    await page.getByRole("link", { name: /Made after the restart/ }).waitFor()
    expect(await page.getByRole("textbox", { name: "Instruction" }).inputValue()).toBe("Written before the restart")
    await bar(page).getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(page.errors).toEqual([])
    await page.context().close()
  })

  it("says how to sign in again when the Host has a new token", async () => {
    const { home } = it_
    const page = await it_.open()
    const { url } = JSON.parse(readFileSync(home.path("host.json"), "utf8"))
    await it_.stopHost()
    rmSync(home.path("token"))
    await it_.startHost(new URL(url).port)
    await page.getByText("The Host no longer accepts this browser's sign-in.").waitFor()
    await page.goto(await home.ok("url"))
    await page.locator(".connection.Live").waitFor()
    await page.context().close()
  })
})

type Stage = ReturnType<typeof stage>

/** A new task in a Session of its own, opened on the page. */
const opened = async ({ home, open }: Stage, id: string, selector: object) => {
  await session(home, id)
  const record = await task(home, id, "A task", selector)
  const page = await open({ hash: `#/tasks/${record.id}` })
  await page.getByRole("heading", { level: 1, name: "A task" }).waitFor()
  return { page, record }
}

const stored = async ({ home }: Stage, sessionId: string) => (await rpc(home, [["schedule.list", { sessionId }]]))[0][0]

const bar = (page: Page) => page.getByRole("region", { name: "Unsaved changes" })
