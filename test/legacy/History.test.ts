import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { decodeScheduleChange } from "../../src/legacy/ScheduleChange.ts"
import { foldScheduleEvents, type LoggedEvent, nextId, validateCandidate } from "../../src/legacy/ScheduleFold.ts"

const at = "2030-01-01T00:00:00.000Z"
const later = "2030-01-01T00:07:00.000Z"

const record = (fields: object = {}) => ({ id: "a", kind: "at", prompt: "p", scheduledAt: at, ...fields })
const every = (fields: object = {}) => record({ kind: "every", everySeconds: 300, ...fields })
const delay = (fields: object = {}) => record({ kind: "after", afterSeconds: 60, ...fields })
const create = (schedule: unknown = record(), fields: object = {}) => ({
  version: 1,
  operation: "create",
  schedule,
  ...fields
})
const remove = (id: unknown = "a", fields: object = {}) => ({ version: 1, operation: "delete", id, ...fields })
const dispatch = (id: unknown = "a", fields: object = {}) => ({ version: 1, operation: "dispatch", id, ...fields })
const without = (value: object, key: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
const log = (...changes: ReadonlyArray<unknown>): ReadonlyArray<LoggedEvent> =>
  changes.map((data) => ({ type: "schedule/change", data }))

describe("a change", () => {
  it.each<[string, unknown]>([
    ["a one-shot after a delay", create(delay())],
    ["a one-shot at an instant", create()],
    ["a fixed rate", create(every())],
    ["a title", create(record({ title: "t" }))],
    ["an interval of 60 seconds", create(every({ everySeconds: 60 }))],
    ["an id of another spelling", create(record({ id: "Mémo 7" }))],
    ["a deletion", remove()],
    ["a dispatch", dispatch()],
    ["a dispatch with its decision", dispatch("a", { acceptedAt: at })]
  ])("with %s is kept as it is", (_, data) =>
    assert.deepStrictEqual<unknown>(decodeScheduleChange(data), Either.right(data))
  )

  it.each<[string, unknown, string]>([
    ["null", null, "must be an object"],
    ["a number", 1, "must be an object"],
    ["text", "create", "must be an object"],
    ["a list", [create()], "must be an object"],
    ["nothing", {}, "operation is missing"],
    ["no version", without(create(), "version"), "version is missing"],
    ["version 0", create(record(), { version: 0 }), "version must be 1"],
    ["version 2", create(record(), { version: 2 }), "version must be 1"],
    ["a version in text", create(record(), { version: "1" }), "version must be 1"],
    ["an unknown operation", { version: 1, operation: "update", id: "a" }, "operation must be one of"],
    ["an operation of another type", { version: 1, operation: 1, id: "a" }, "operation must be one of"],
    ["a creation without a record", without(create(), "schedule"), "schedule is missing"],
    ["a creation with an id beside its record", create(record(), { id: "a" }), 'unknown key "id"'],
    ["a creation with a decision", create(every(), { acceptedAt: at }), 'unknown key "acceptedAt"'],
    ["a record that is null", create(null), "schedule must be an object"],
    ["a record that is a list", create([record()]), "schedule must be an object"],
    ["a record without an id", create(without(record(), "id")), "id is missing"],
    ["a record with an id that is a number", create(record({ id: 1 })), "id must be a string"],
    ["a record with an empty id", create(record({ id: "" })), "id must be non-empty and trimmed"],
    ["a record with a padded id", create(record({ id: " a" })), "id must be non-empty and trimmed"],
    ["a record without a kind", create(without(record(), "kind")), "kind is missing"],
    ["a daily record", create(record({ kind: "daily", time: "09:00:00.000", timeZone: "UTC" })), "kind must be one of"],
    [
      "a cron record",
      create(record({ kind: "cron", expression: "* * * * *", timeZone: "UTC" })),
      "kind must be one of"
    ],
    ["a record without a prompt", create(without(record(), "prompt")), "prompt is missing"],
    ["an empty prompt", create(record({ prompt: "" })), "prompt must be trimmed"],
    ["a blank prompt", create(record({ prompt: " \n" })), "prompt must be trimmed"],
    ["a padded prompt", create(record({ prompt: "p\n" })), "prompt must be trimmed"],
    ["a prompt that is null", create(record({ prompt: null })), "prompt must be a string"],
    ["an empty title", create(record({ title: "" })), "title must be trimmed"],
    ["a padded title", create(record({ title: "t " })), "title must be trimmed"],
    ["a title of 121 characters", create(record({ title: "x".repeat(121) })), "title must be trimmed"],
    ["a title that is null", create(record({ title: null })), "title must be a string"],
    ["a title that is there and undefined", create(record({ title: undefined })), "title must be a string"],
    ["a record without a target", create(without(record(), "scheduledAt")), "scheduledAt is missing"],
    ["a target in milliseconds", create(record({ scheduledAt: 0 })), "scheduledAt must be a string"],
    ["a target without milliseconds", create(record({ scheduledAt: "2030-01-01T00:00:00Z" })), "scheduledAt must be"],
    [
      "a target with an offset",
      create(record({ scheduledAt: "2030-01-01T00:00:00.000+00:00" })),
      "scheduledAt must be"
    ],
    [
      "a target that does not exist",
      create(record({ scheduledAt: "2030-02-30T00:00:00.000Z" })),
      "scheduledAt must be"
    ],
    ["a target in the year 0", create(record({ scheduledAt: "0000-01-01T00:00:00.000Z" })), "scheduledAt must be"],
    [
      "a target in the year 10000",
      create(record({ scheduledAt: "+010000-01-01T00:00:00.000Z" })),
      "scheduledAt must be"
    ],
    ["a delay without its seconds", create(without(delay(), "afterSeconds")), "afterSeconds is missing"],
    ["a delay of 0", create(delay({ afterSeconds: 0 })), "afterSeconds must be a positive"],
    ["a negative delay", create(delay({ afterSeconds: -1 })), "afterSeconds must be a positive"],
    ["half a second", create(delay({ afterSeconds: 0.5 })), "afterSeconds must be a positive"],
    ["a delay that is not safe", create(delay({ afterSeconds: 2 ** 53 })), "afterSeconds must be a positive"],
    ["a delay in text", create(delay({ afterSeconds: "60" })), "afterSeconds must be a number"],
    ["an at record with a delay", create(record({ afterSeconds: 60 })), 'unknown key "afterSeconds"'],
    ["an after record with an interval", create(delay({ everySeconds: 300 })), 'unknown key "everySeconds"'],
    ["a fixed rate without its interval", create(without(every(), "everySeconds")), "everySeconds is missing"],
    ["an interval of 59 seconds", create(every({ everySeconds: 59 })), "everySeconds must be"],
    ["an interval of 300.5 seconds", create(every({ everySeconds: 300.5 })), "everySeconds must be"],
    [
      "an interval whose milliseconds are not safe",
      create(every({ everySeconds: 9_007_199_254_741 })),
      "everySeconds must be"
    ],
    ["a record with an unknown member", create(record({ status: "active" })), 'unknown key "status"'],
    ["a deletion without an id", without(remove(), "id"), "id is missing"],
    ["a deletion with a padded id", remove("a "), "id must be non-empty and trimmed"],
    ["a deletion with an unknown member", remove("a", { reason: "x" }), 'unknown key "reason"'],
    ["a dispatch without an id", without(dispatch(), "id"), "id is missing"],
    ["a dispatch with a record", dispatch("a", { schedule: record() }), 'unknown key "schedule"'],
    ["a dispatch with a malformed decision", dispatch("a", { acceptedAt: "2030-01-01" }), "acceptedAt must be"],
    ["a dispatch with a decision that is null", dispatch("a", { acceptedAt: null }), "acceptedAt must be a string"],
    [
      "a dispatch with a decision that is undefined",
      dispatch("a", { acceptedAt: undefined }),
      "acceptedAt must be a string"
    ]
  ])("that is or has %s is refused", (_, data, reason) => {
    const decoded = decodeScheduleChange(data)
    assert.isTrue(Either.isLeft(decoded))
    if (Either.isLeft(decoded)) {
      assert.strictEqual(decoded.left.code, "corrupt_schedule_log")
      assert.include(decoded.left.message, reason)
    }
    assert.isTrue(Either.isLeft(foldScheduleEvents(log(data))))
    assert.isTrue(Either.isLeft(validateCandidate([], data)))
  })
})

describe("a stream", () => {
  it.each<[string, ReadonlyArray<LoggedEvent>, string]>([
    ["a deletion before any creation", log(remove()), "not active"],
    ["a dispatch before any creation", log(dispatch()), "not active"],
    ["an id that is used twice", log(create(), create()), "used twice"],
    ["an id that is used again after its deletion", log(create(), remove(), create()), "used twice"],
    ["an id that is used again after its dispatch", log(create(), dispatch(), create()), "used twice"],
    ["a second deletion", log(create(), remove(), remove()), "not active"],
    ["a second dispatch of a one-shot", log(create(), dispatch(), dispatch()), "not active"],
    ["a dispatch after a deletion", log(create(), remove(), dispatch()), "not active"],
    ["a deletion after the dispatch of a one-shot", log(create(), dispatch(), remove()), "not active"],
    ["a deletion of an id of another case", log(create(), remove("A")), "not active"],
    ["the dispatch of a one-shot with a decision", log(create(), dispatch("a", { acceptedAt: at })), "has acceptedAt"],
    [
      "the dispatch of a delay with a decision",
      log(create(delay()), dispatch("a", { acceptedAt: at })),
      "has acceptedAt"
    ],
    ["the dispatch of a fixed rate without a decision", log(create(every()), dispatch()), "lacks acceptedAt"],
    [
      "a decision before the target",
      log(create(every()), dispatch("a", { acceptedAt: "2029-12-31T23:59:59.999Z" })),
      "precedes its target"
    ],
    [
      "a decision before the target that followed",
      log(create(every()), dispatch("a", { acceptedAt: later }), dispatch("a", { acceptedAt: later })),
      "precedes its target"
    ],
    [
      "a change to a fixed rate that reached the end of the calendar",
      log(
        create(every({ scheduledAt: "9999-12-31T23:59:00.000Z" })),
        dispatch("a", { acceptedAt: "9999-12-31T23:59:59.999Z" }),
        remove()
      ),
      "not active"
    ]
  ])("with %s is refused", (_, events, reason) => {
    const folded = foldScheduleEvents(events)
    assert.isTrue(Either.isLeft(folded))
    if (Either.isLeft(folded)) assert.include(folded.left.message, reason)
    assert.isTrue(Either.isRight(foldScheduleEvents(events.slice(0, -1))), "by its last event alone")
    assert.isTrue(Either.isLeft(validateCandidate(events.slice(0, -1), events.at(-1))))
  })

  it("folds to its active records in the order of creation, and to every id", () => {
    const events = [
      ...log(create(record({ id: "x" })), create(every({ id: "y" }))),
      { type: "message/user", data: { version: 9 } },
      ...log(create(delay({ id: "z" })), dispatch("y", { acceptedAt: later }), remove("x"))
    ]
    assert.deepStrictEqual<unknown>(
      foldScheduleEvents(events),
      Either.right({
        active: [every({ id: "y", scheduledAt: "2030-01-01T00:10:00.000Z" }), delay({ id: "z" })],
        seenIds: ["x", "y", "z"]
      })
    )
  })

  it("of a fork is what follows its seed, and the seed may be anything", () => {
    const events = log(remove("z"), create(), create(record({ id: "b" })))
    assert.isTrue(Either.isLeft(foldScheduleEvents(events)))
    const own = Either.getOrThrow(foldScheduleEvents(events, 2))
    assert.deepStrictEqual<unknown>(own, { active: [record({ id: "b" })], seenIds: ["b"] })
    for (const seedLength of [-1, 0.5, 4, Number.NaN]) {
      assert.isTrue(Either.isLeft(foldScheduleEvents(events, seedLength)))
    }
  })

  it("takes an event of another type whatever it holds", () => {
    assert.isTrue(Either.isRight(validateCandidate(log(create()), { type: "note", data: remove("nobody") })))
  })

  it("that is broken takes no event at all", () => {
    assert.isTrue(Either.isLeft(validateCandidate(log(remove()), { type: "note", data: null })))
  })

  it.each([
    [[], "schedule-1"],
    [["schedule-1"], "schedule-2"],
    [["schedule-2"], "schedule-3"],
    [["schedule-3", "x"], "schedule-4"],
    [["schedule-1", "schedule-2", "schedule-10"], "schedule-4"]
  ])("that used %j allots %s next", (ids, expected) => {
    const events = log(...ids.flatMap((id) => [create(record({ id })), remove(id)]))
    assert.strictEqual<string>(nextId(Either.getOrThrow(foldScheduleEvents(events))), expected)
  })
})
