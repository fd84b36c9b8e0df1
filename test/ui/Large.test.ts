import { randomUUID } from "node:crypto"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { createRecord, type ScheduleId } from "../../src/domain/index.ts"
import { session, task } from "./Rpc.ts"
import { stage } from "./Stage.ts"

const many = 5000

describe(`the page with ${many} tasks`, () => {
  const it_ = stage(async (home) => {
    const { code, stderr } = await home.run(["import"], { stdin: exported() })
    if (code !== 0) throw new Error(stderr)
  })

  it("shows, searches, scrolls and follows changes without delay, and draws only what is seen", async () => {
    const { home } = it_
    await session(home, "crowd", "Crowd")
    const page = await it_.open()
    const rows = page.getByRole("list", { name: "Task list" }).getByRole("link")
    const begun = Date.now()
    await page.reload()
    await page.getByText("5,000 tasks").waitFor()
    const loaded = Date.now() - begun
    expect(await rows.count()).toBeLessThan(40)

    const typed = Date.now()
    await page.getByRole("searchbox").fill("number 4321")
    await page.getByText("1 of 5,000 tasks").waitFor()
    const searched = Date.now() - typed
    await page.getByRole("searchbox").fill("")
    await page.getByText("5,000 tasks", { exact: true }).waitFor()

    await rows.first().focus()
    await page.keyboard.press("End")
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest("li")?.ariaPosInSet)).toBe("5000")
    expect(await rows.count()).toBeLessThan(60)

    const changed = Date.now()
    await task(home, "crowd", "One more", { every_seconds: 60 })
    await page.getByText("5,001 tasks").waitFor()
    const followed = Date.now() - changed

    await page.getByRole("link", { name: "Timeline" }).click()
    await page.getByRole("radio", { name: "7 days" }).check()
    await page.getByText("5,001 tasks due").waitFor()
    expect(await page.getByRole("list", { name: "Timeline of tasks" }).getByRole("link").count()).toBeLessThan(40)

    // A reader notices more than a second; a machine that is busy with other tests gets three.
    expect(Math.max(loaded, searched, followed)).toBeLessThan(3000)
    expect(page.errors).toEqual([])
    await page.context().close()
  })
})

/** As `host-schedule export` writes it. */
const exported = () => {
  const tasks = Array.from({ length: many }, (_, n) => {
    const id = `schedule-${randomUUID()}` as ScheduleId
    const time = `${String(n % 24).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}:00`
    const daily = { time, time_zone: n % 2 === 0 ? "Europe/Paris" : "Asia/Shanghai" }
    const request = { title: `Task number ${n}`, prompt: "Say hello", daily }
    // none is due while the test runs
    const record = Either.getOrThrow(createRecord(request, { id, now: Date.now() + 3_600_000 }))
    const deliveryHistory = { records: [], earlierRecordsUnavailable: false }
    return [id, { sessionId: "crowd", record, status: "active", deliveryHistory }]
  })
  return JSON.stringify({
    unit: { name: "schedule", version: 1 },
    global: null,
    tables: { tasks: Object.fromEntries(tasks) }
  })
}
