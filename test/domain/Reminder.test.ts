import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Reminder from "../../src/domain/Reminder.ts"
import { id, instant } from "./fixtures.ts"

const occurrenceAt = instant("2026-01-01T00:10:00.000Z")

describe("Reminder", () => {
  it("frames a one-shot to the byte", () => {
    assert.strictEqual(
      Reminder.renderOne({ id, occurrenceAt, prompt: "Check the build" }),
      `[SCHEDULE REMINDER]
This is a scheduled message from the user
schedule_id_json: "schedule-00000000-0000-4000-8000-000000000001"
occurrence_at: 2026-01-01T00:10:00.000Z
reminder_prompt_json: "Check the build"`
    )
  })

  it("frames a batch to the byte, in the order given", () => {
    assert.strictEqual(
      Reminder.renderBatch([
        { id, occurrenceAt, prompt: "first" },
        { id, occurrenceAt: instant("2025-12-31T23:59:59.999Z"), prompt: "second" }
      ]),
      `[SCHEDULE REMINDER BATCH]
This is a scheduled message from the user
reminders_json: [{"schedule_id":"schedule-00000000-0000-4000-8000-000000000001","occurrence_at":"2026-01-01T00:10:00.000Z","reminder_prompt":"first"},{"schedule_id":"schedule-00000000-0000-4000-8000-000000000001","occurrence_at":"2025-12-31T23:59:59.999Z","reminder_prompt":"second"}]`
    )
  })

  it("frames a batch of one as a batch", () => {
    assert.match(Reminder.renderBatch([{ id, occurrenceAt, prompt: "P" }]), /^\[SCHEDULE REMINDER BATCH\]\n/)
  })

  it.each([
    ['say "hi"', '"say \\"hi\\""'],
    ["a\nb\r\tc", '"a\\nb\\r\\tc"'],
    ["back\\slash", '"back\\\\slash"'],
    ["\u0000\u001f\u007f", '"\\u0000\\u001f\u007f"'],
    ["\u2028\u2029", '"\u2028\u2029"'],
    ["\uD800 and \uDC00", '"\\ud800 and \\udc00"'],
    ["提醒 🎉", '"提醒 🎉"'],
    ["</script>", '"</script>"']
  ])("encodes the prompt %j as JSON does", (prompt, json) => {
    assert.strictEqual(
      Reminder.renderOne({ id, occurrenceAt, prompt }).split("\n").slice(4).join("\n"),
      `reminder_prompt_json: ${json}`
    )
    assert.include(Reminder.renderBatch([{ id, occurrenceAt, prompt }]), `"reminder_prompt":${json}}`)
  })

  it("no prompt can break out of its line, and every message parses back", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(anyText, { minLength: 1, maxLength: 5 }), (prompts) => {
        const one = Reminder.renderOne({ id, occurrenceAt, prompt: prompts[0]! }).split("\n")
        assert.lengthOf(one, 5)
        assert.strictEqual(JSON.parse(one[4]!.slice("reminder_prompt_json: ".length)), prompts[0])
        const batch = Reminder.renderBatch(prompts.map((prompt) => ({ id, occurrenceAt, prompt }))).split("\n")
        assert.lengthOf(batch, 3)
        assert.deepStrictEqual(
          JSON.parse(batch[2]!.slice("reminders_json: ".length)),
          prompts.map((prompt) => ({ schedule_id: id, occurrence_at: occurrenceAt, reminder_prompt: prompt }))
        )
      })
    )
  })

  it("keys an occurrence by task and instant", () => {
    assert.strictEqual(Reminder.occurrenceKey({ id, occurrenceAt }), `${id}@2026-01-01T00:10:00.000Z`)
  })
})

// Any UTF-16 code units, lone surrogates included.
const anyText = FastCheck.array(FastCheck.integer({ min: 0, max: 0xffff })).map((units) =>
  String.fromCharCode(...units)
)
