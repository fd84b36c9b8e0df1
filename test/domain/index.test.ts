import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Domain from "../../src/domain/index.ts"
import { at, hostile, id, instant, now, outcome, receipt, records, sessionId } from "./fixtures.ts"

describe("host-schedule/domain", () => {
  it("takes a reminder from its request to its saved delivery", () => {
    const request = { title: "Check", prompt: "Check the build", every_seconds: 300 }
    const record = Either.getOrThrow(Domain.createRecord(request, { id, now }))
    assert.deepStrictEqual(Either.getOrThrow(Domain.decodeRecord(JSON.parse(JSON.stringify(record)))), record)

    const { occurrenceAt } = Domain.resolveOccurrence(record, at("2026-01-01T00:16:00.000Z"))
    assert.strictEqual(
      Domain.renderReminderBatch([{ record, occurrenceAt }]).split("\n")[2],
      `reminders_json: [{"schedule_id":"${id}","occurrence_at":"2026-01-01T00:15:00.000Z","reminder_prompt":"Check the build"}]`
    )
    const task = Domain.appendDelivery({ sessionId, record }, receipt("m1", "2026-01-01T00:16:01.000Z", occurrenceAt), {
      days: 30,
      records: 200
    })
    assert.deepStrictEqual(Either.getOrThrow(Domain.decodeTask(JSON.parse(JSON.stringify(task)))), task)
    const page = Either.getOrThrow(Domain.historyPage(task, { limit: 10 }, { days: 30, records: 200 }))
    assert.deepStrictEqual(page.records, [
      {
        scheduledAt: instant("2026-01-01T00:15:00.000Z"),
        deliveredAt: instant("2026-01-01T00:16:01.000Z"),
        messageId: task.lastDelivery!.messageId,
        prompt: "Check the build"
      }
    ])
  })

  it("previews a record and a selector alike, and describes a record", () => {
    const next = Either.right([instant("2026-01-01T01:00:00.000Z"), instant("2026-01-02T01:00:00.000Z")])
    const daily = { time: "09:00:00", time_zone: "Asia/Shanghai" }
    assert.deepStrictEqual(Domain.preview(records.daily, now, 2), next)
    assert.deepStrictEqual(Domain.preview({ daily }, now, 2), next)
    assert.match(
      String(outcome(Domain.preview({ ...records.daily, title: "" }, now, 2))),
      /^invalid_rule: record.title/
    )
    assert.match(String(outcome(Domain.preview(records.daily, now, 0))), /^invalid_rule: count/)
    assert.strictEqual(Domain.describe(records.daily, "en"), "Every day at 09:00, Asia/Shanghai")
  })

  it("frames a one-shot at its target", () => {
    assert.include(Domain.renderReminder(records.at), "\noccurrence_at: 2026-01-01T00:10:00.000Z\n")
  })

  it("canonicalises cron, and refuses what is no text", () => {
    assert.deepStrictEqual(Domain.canonicalizeCron("0 9 * * 1,2,3"), Either.right("0 9 * * 1-3"))
    for (const value of hostile()) assert.isTrue(Either.isLeft(Domain.canonicalizeCron(value)))
  })
})
