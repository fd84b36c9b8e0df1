import { writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"

interface View {
  readonly id: string
  readonly scheduledAt: string
}

interface Summary {
  readonly record: View
  readonly status: string
  readonly lastDelivery?: { readonly scheduledAt: string; readonly messageId: string }
}

describe("the main job", () => {
  it("a reminder wakes its cold Session when due, lands in its log, and leaves a receipt", async () => {
    await using home = new TestHome()
    const script = home.path("driver.mjs")
    writeFileSync(
      script,
      `process.stdin.on("data", (text) => console.log("read " + text.length + " of " + process.env.SESSION_ID))`
    )
    await home.serve("--command", `'${process.execPath}' '${script}'`)
    const session = await home.ok("sessions", "new", "--title", "Work")
    const prompt = 'Check the "build"\nof 今天'
    const created = await home.json<View>(
      "create",
      "--session",
      session,
      "--title",
      "Build",
      "--prompt",
      prompt,
      "--after",
      "2"
    )
    const answered = await home.until(
      "an answer of the driver",
      () => home.log(session).find(({ type }) => type === "message/assistant"),
      10
    )

    const text = [
      "[SCHEDULE REMINDER]",
      "This is a scheduled message from the user",
      `schedule_id_json: ${JSON.stringify(created.id)}`,
      `occurrence_at: ${created.scheduledAt}`,
      `reminder_prompt_json: ${JSON.stringify(prompt)}`
    ].join("\n")
    assert.deepStrictEqual(home.messages(session), [text])
    const [message] = home.log(session)
    assert.isBelow(Number(Reflect.get(message ?? {}, "time")) - Date.parse(created.scheduledAt), 1000)
    assert.strictEqual(answered.data.text, `read ${Buffer.byteLength(text)} of ${session}`)

    const history = await home.json<{ records: ReadonlyArray<object> }>("history", "--session", session, created.id)
    assert.strictEqual(history.records.length, 1)
    assert.deepInclude(history.records[0] ?? {}, {
      scheduledAt: created.scheduledAt,
      messageId: message?.data.id,
      prompt
    })
    const [task] = await home.json<ReadonlyArray<Summary>>("catalog")
    assert.strictEqual(task?.status, "inactive")
    assert.deepStrictEqual(await home.json("list", "--session", session), [])
  })
})
