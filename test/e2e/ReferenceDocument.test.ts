import { readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"
import { type Document, documentOf, instant, occurrencesOf, type Row, type Summary } from "./documents.ts"

const session = "conversation 1"
const idOf = (n: number) => `schedule-0000000${n}-0000-4000-8000-000000000000`
const texts = { title: "T", prompt: "P" }
const ahead = "2999-01-01T01:00:00.000Z"

/** One row of each kind, written by hand. */
const rows = (due: string): ReadonlyArray<Row> => [
  { sessionId: session, record: { id: idOf(1), kind: "after", ...texts, afterSeconds: 600, scheduledAt: due } },
  {
    sessionId: session,
    record: { id: idOf(2), kind: "at", ...texts, scheduledAt: "2020-01-01T00:00:00.000Z" },
    status: "inactive",
    lastDelivery: { scheduledAt: "2020-01-01T00:00:00.000Z", deliveredAt: "2020-01-01T00:00:00.100Z", messageId: "m1" }
  },
  {
    sessionId: session,
    record: { id: idOf(3), kind: "every", ...texts, everySeconds: 300, scheduledAt: ahead },
    status: "active",
    deliveryHistory: { records: [], earlierRecordsUnavailable: false }
  },
  {
    sessionId: session,
    record: {
      id: idOf(4),
      kind: "daily",
      ...texts,
      time: "09:00:00.000",
      timeZone: "Asia/Calcutta",
      scheduledAt: ahead
    },
    status: "active"
  },
  {
    sessionId: session,
    record: {
      id: idOf(5),
      kind: "weekly",
      ...texts,
      time: "09:00:00.000",
      timeZone: "Asia/Shanghai",
      weekdays: [1, 3],
      scheduledAt: ahead
    },
    status: "active"
  },
  {
    sessionId: session,
    record: {
      id: idOf(6),
      kind: "cron",
      ...texts,
      expression: "*/15 9-17 * * 1-5",
      timeZone: "UTC",
      scheduledAt: ahead
    },
    status: "active"
  }
]

describe("a schedule.json of an existing installation", () => {
  it("opens as it is, lists, and delivers", async () => {
    await using home = new TestHome()
    const due = instant(Date.now() - 60_000)
    const written = rows(due)
    writeFileSync(home.path("schedule.json"), JSON.stringify(documentOf(written), null, 2))
    await home.ok("sessions", "new", "--id", session)
    const catalog = await home.json<ReadonlyArray<Summary>>("catalog")
    assert.deepStrictEqual(
      new Map(catalog.map(({ record, status }) => [record.id, { record, status }])),
      new Map(written.map(({ record, status = "active" }) => [record.id, { record, status }]))
    )
    const old = await home.json<object>("history", "--session", session, idOf(2))
    assert.deepInclude(old, {
      records: [written[1]!.lastDelivery],
      earlierRecordsUnavailable: true,
      earlierRecordsPruned: false
    })

    const host = await home.serve()
    await home.until("a message", () => home.messages(session).length > 0)
    assert.strictEqual((await host.stop()).code, 0)
    assert.deepStrictEqual(home.messages(session).flatMap(occurrencesOf), [{ id: idOf(1), at: due }])
    const after: Document = JSON.parse(readFileSync(home.path("schedule.json"), "utf8"))
    assert.strictEqual(after.tables.tasks[idOf(1)]?.status, "inactive")
    assert.deepStrictEqual(after.tables.tasks[idOf(4)]?.record, written[3]!.record)
    assert.strictEqual(after.tables.tasks[idOf(2)]?.deliveryHistory, undefined)
  })

  it("with one broken row refuses to start, names the row, and leaves every byte", async () => {
    await using home = new TestHome()
    const broken = rows(ahead).map((row, i) =>
      i === 4 ? { ...row, record: { ...row.record, weekdays: [3, 1] } } : row
    )
    const text = `${JSON.stringify(documentOf(broken), null, 3)}\n\n`
    writeFileSync(home.path("schedule.json"), text)
    for (const args of [
      ["serve", "--port", "0"],
      ["catalog"],
      ["create", "--session", session, "--title", "T", "--prompt", "P", "--after", "1"]
    ]) {
      const { code, stderr, stdout } = await home.run(args)
      assert.deepStrictEqual([code, stdout], [2, ""], args[0])
      assert.match(
        stderr,
        new RegExp(
          `^host-schedule: .*schedule.json.*${idOf(5)}.*weekdays.*check --repair.*\\(corrupt_schedule_log\\)\\n$`
        )
      )
      assert.strictEqual(readFileSync(home.path("schedule.json"), "utf8"), text)
    }
  })
})
