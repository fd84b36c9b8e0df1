/** Rows that must not be read: each a good row with one thing wrong, and the words that must tell what. */

const good = {
  sessionId: "session-1",
  record: {
    id: "schedule-00000000-0000-4000-8000-000000000001",
    kind: "every",
    title: "Standup",
    prompt: "Ask for news.",
    everySeconds: 300,
    scheduledAt: "2030-01-01T00:00:00.000Z"
  },
  status: "active",
  lastDelivery: receipt("b", "2029-12-31T23:55:00.000Z"),
  deliveryHistory: {
    records: [
      { ...receipt("a", "2029-12-31T23:50:00.000Z"), prompt: "Ask." },
      { ...receipt("b", "2029-12-31T23:55:00.000Z"), prompt: "Ask." }
    ],
    earlierRecordsUnavailable: false
  }
}

function receipt(messageId: string, at: string) {
  return { scheduledAt: at, deliveredAt: at, messageId }
}

/** The id of {@link goodRow}. */
export const goodId = good.record.id

/** A row that decodes, as JSON. */
export const goodRow = (): typeof good => structuredClone(good)

const { everySeconds: _, ...timeless } = good.record
const wall = { ...timeless, kind: "daily", time: "09:00:00.000", timeZone: "Asia/Shanghai" }
const { time: __, ...zoned } = wall
const weekly = { ...wall, kind: "weekly", weekdays: [1, 3] }
const cron = { ...zoned, kind: "cron", expression: "*/15 9-17 * * 1-5" }
const { lastDelivery, deliveryHistory, ...bare } = good

const record = (fields: object) => ({ ...good, record: { ...good.record, ...fields } })
const without = (key: string) => ({
  ...good,
  record: Object.fromEntries(Object.entries(good.record).filter(([name]) => name !== key))
})
const daily = (fields: object) => ({ ...good, record: { ...wall, ...fields } })
const history = (fields: object) => ({ ...good, deliveryHistory: { ...deliveryHistory, ...fields } })

export const brokenRows: ReadonlyArray<readonly [name: string, row: unknown, tells: string]> = [
  ["null", null, "row must be an object"],
  ["an array", [], "row must be an object"],
  ["a text", "row", "row must be an object"],
  ["an empty object", {}, "sessionId is missing"],
  ["an unknown key", { ...good, note: "" }, 'row has the unknown key "note"'],
  ["no session", { ...good, sessionId: undefined }, "sessionId is missing"],
  ["an empty session", { ...good, sessionId: "" }, "sessionId must be non-empty and trimmed"],
  ["an untrimmed session", { ...good, sessionId: " s" }, "sessionId must be non-empty and trimmed"],
  ["an unknown status", { ...good, status: "paused" }, 'status must be one of "active", "inactive"'],
  ["a status null", { ...good, status: null }, 'status must be one of "active", "inactive"'],
  ["no record", { ...good, record: null }, "record must be an object"],
  ["a record without a kind", without("kind"), "record.kind is missing"],
  ["an unknown kind", record({ kind: "hourly" }), 'record.kind must be one of "after", "at", "every"'],
  ["no title", without("title"), "record.title is missing"],
  ["a blank title", record({ title: "  " }), "record.title must be trimmed, non-empty and at most 120 characters"],
  ["an untrimmed title", record({ title: "Standup " }), "record.title must be trimmed"],
  [
    "a title of 121 characters",
    record({ title: "x".repeat(121) }),
    "record.title must be trimmed, non-empty and at most 120"
  ],
  ["a title that is no text", record({ title: 5 }), "record.title must be a string"],
  ["no prompt", without("prompt"), "record.prompt is missing"],
  ["a blank prompt", record({ prompt: "" }), "record.prompt must be trimmed and non-empty"],
  ["an untrimmed prompt", record({ prompt: "\nAsk" }), "record.prompt must be trimmed and non-empty"],
  [
    "a target without milliseconds",
    record({ scheduledAt: "2030-01-01T00:00:00Z" }),
    "record.scheduledAt must be a canonical instant"
  ],
  [
    "a target with an offset",
    record({ scheduledAt: "2030-01-01T08:00:00.000+08:00" }),
    "record.scheduledAt must be a canonical instant"
  ],
  [
    "a target on no date",
    record({ scheduledAt: "2030-02-30T00:00:00.000Z" }),
    "record.scheduledAt must be a canonical instant"
  ],
  [
    "a target in the year 0",
    record({ scheduledAt: "0000-01-01T00:00:00.000Z" }),
    "record.scheduledAt must be a canonical instant"
  ],
  ["a target in milliseconds", record({ scheduledAt: 1893456000000 }), "record.scheduledAt must be a string"],
  ["no target", without("scheduledAt"), "record.scheduledAt is missing"],
  ["an interval below 60", record({ everySeconds: 59 }), "record.everySeconds must be a safe integer of at least 60"],
  ["a broken interval", record({ everySeconds: 60.5 }), "record.everySeconds must be a safe integer of at least 60"],
  ["an interval past safe integers", record({ everySeconds: 2 ** 53 }), "record.everySeconds must be a safe integer"],
  ["an interval as text", record({ everySeconds: "300" }), "record.everySeconds must be a number"],
  ["no interval", without("everySeconds"), "record.everySeconds is missing"],
  ["a field of another kind", record({ timeZone: "UTC" }), 'record has the unknown key "timeZone"'],
  [
    "a delay of zero",
    { ...good, record: { ...timeless, kind: "after", afterSeconds: 0 } },
    "record.afterSeconds must be a positive safe integer"
  ],
  [
    "an absolute target with a delay",
    { ...good, record: { ...timeless, kind: "at", afterSeconds: 5 } },
    'record has the unknown key "afterSeconds"'
  ],
  ["a time without milliseconds", daily({ time: "09:00:00" }), "record.time must be a normalized time"],
  ["a time of 24:00", daily({ time: "24:00:00.000" }), "record.time must be a normalized time"],
  ["an unknown zone", daily({ timeZone: "Mars/Base" }), "record.timeZone must be UTC or an IANA Area/Location zone"],
  [
    "a zone that is an offset",
    daily({ timeZone: "+08:00" }),
    "record.timeZone must be UTC or an IANA Area/Location zone"
  ],
  [
    "a zone that is an abbreviation",
    daily({ timeZone: "EST" }),
    "record.timeZone must be UTC or an IANA Area/Location zone"
  ],
  ["no weekdays", daily({ ...weekly, weekdays: [] }), "record.weekdays must be ISO weekdays"],
  ["weekdays out of order", daily({ ...weekly, weekdays: [3, 1] }), "record.weekdays must be ISO weekdays"],
  ["a weekday twice", daily({ ...weekly, weekdays: [1, 1] }), "record.weekdays must be ISO weekdays"],
  ["a weekday 8", daily({ ...weekly, weekdays: [8] }), "record.weekdays must be ISO weekdays"],
  [
    "a cron expression that is not canonical",
    { ...good, record: { ...cron, expression: "0,15,30,45 * * * *" } },
    "record.expression must be a canonical five-field cron expression"
  ],
  [
    "a cron expression with a name",
    { ...good, record: { ...cron, expression: "0 9 * * MON" } },
    "record.expression must be a canonical"
  ],
  [
    "a receipt without a message",
    { ...bare, lastDelivery: { ...lastDelivery, messageId: undefined } },
    "lastDelivery.messageId is missing"
  ],
  [
    "a receipt with an empty message",
    { ...bare, lastDelivery: { ...lastDelivery, messageId: "" } },
    "lastDelivery.messageId must be non-empty"
  ],
  [
    "a receipt with a prompt",
    { ...bare, lastDelivery: { ...lastDelivery, prompt: "Ask." } },
    'lastDelivery has the unknown key "prompt"'
  ],
  [
    "a receipt at no instant",
    { ...bare, lastDelivery: { ...lastDelivery, deliveredAt: "yesterday" } },
    "lastDelivery.deliveredAt must be a canonical instant"
  ],
  ["a history without records", history({ records: undefined }), "deliveryHistory.records is missing"],
  [
    "a history without its flag",
    { ...good, deliveryHistory: { records: deliveryHistory.records } },
    "deliveryHistory.earlierRecordsUnavailable is missing"
  ],
  [
    "a flag that is a number",
    history({ earlierRecordsPruned: 1 }),
    "deliveryHistory.earlierRecordsPruned must be true or false"
  ],
  ["an unknown key in the history", history({ pruned: true }), 'deliveryHistory has the unknown key "pruned"'],
  [
    "a saved delivery at no instant",
    history({ records: [{ ...lastDelivery, scheduledAt: "2029-13-01T00:00:00.000Z" }] }),
    "deliveryHistory.records[0].scheduledAt must be a canonical instant"
  ],
  [
    "a message twice in the history",
    history({ records: [lastDelivery, lastDelivery] }),
    "deliveryHistory.records must have unique message ids"
  ],
  [
    "an empty history with a receipt",
    history({ records: [] }),
    "lastDelivery must equal the newest record of the history, and be absent with an empty one"
  ],
  [
    "a history without the receipt",
    { ...bare, deliveryHistory },
    "lastDelivery must equal the newest record of the history"
  ],
  [
    "a receipt that is not the newest",
    { ...good, lastDelivery: receipt("a", "2029-12-31T23:50:00.000Z") },
    "lastDelivery must equal the newest record of the history"
  ],
  [
    "another id than its key",
    record({ id: "schedule-00000000-0000-4000-8000-000000000002" }),
    "record.id must equal the key of its row"
  ],
  ["an id that is no id", record({ id: "reminder-1" }), "record.id must be schedule-<uuid>"],
  ["an id in capitals", record({ id: good.record.id.replace("8000", "ABCD") }), "record.id must be schedule-<uuid>"]
]
