import * as Peer from "@deepseek-ai/dsh-schedule"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { createLegacyRecord, decodeRequest } from "../../src/legacy/LegacyCreation.ts"
import { isOneShot, LegacyId } from "../../src/legacy/LegacyRecord.ts"
import { renderLegacyReminder, renderLegacyReminderBatch } from "../../src/legacy/LegacyReminder.ts"
import { decodeScheduleChange } from "../../src/legacy/ScheduleChange.ts"
import {
  foldScheduleEvents,
  type LoggedEvent,
  nextId,
  resolveEvery,
  validateCandidate
} from "../../src/legacy/ScheduleFold.ts"
import { mutatedLog, validLog } from "./arbitraries.ts"

// The published package of the Session-local system, on the same logs.
describe("the published package of the Session-local system agrees", () => {
  it("on 3 000 valid logs: all are accepted, with the same records, order, ids and messages", () => {
    fc.assert(
      fc.property(validLog, fc.nat(20), (log, seed) => {
        assert.isTrue(Either.isRight(foldScheduleEvents(log)))
        compare(log, 0)
        compare(log, seed)
      }),
      { numRuns: 3_000 }
    )
  }, 120_000)

  it("on 6 000 mutated logs: the same are refused, and the others mean the same", () => {
    let refused = 0
    fc.assert(
      fc.property(mutatedLog, fc.constantFrom(0, 0, 1, 2, -1, 0.5, 99), (log, seed) => {
        if (known(log)) return
        if (!compare(log, seed)) refused++
      }),
      { numRuns: 6_000 }
    )
    assert.isAbove(refused, 1_000)
  }, 120_000)

  it("on what may be appended to a log", () => {
    fc.assert(
      fc.property(validLog, mutatedLog, (log, others) => {
        const candidate = others.at(-1)
        if (candidate === undefined || known([candidate])) return
        const ours = validateCandidate(log, candidate)
        assert.strictEqual(Either.isRight(ours), peerFold([...log, candidate], 0) !== undefined)
      }),
      { numRuns: 2_000 }
    )
  }, 120_000)

  it("on what may be created, with the same record or the same code", () => {
    const codes = new Set<string>()
    fc.assert(
      fc.property(request, now, (request, now) => {
        const id = LegacyId.make("schedule-1")
        const ours = Either.flatMap(decodeRequest(request), (decoded) => createLegacyRecord(decoded, { id, now }))
        const theirs = peerCreate(request, now)
        if (Either.isRight(ours)) return assert.deepStrictEqual<unknown>(ours.right, plain(theirs))
        codes.add(ours.left.code)
        assert.strictEqual<unknown>(ours.left.code, theirs, JSON.stringify({ request, now }))
      }),
      { numRuns: 5_000 }
    )
    assert.deepStrictEqual([...codes].sort(), [
      "frequency_too_high",
      "invalid_prompt",
      "invalid_rule",
      "invalid_time_zone",
      "not_future",
      "time_out_of_range"
    ])
  }, 120_000)

  it("but for titles and intervals of 60 to 299 seconds, which it does not know", () => {
    const create = (fields: object) => ({
      version: 1,
      operation: "create",
      schedule: {
        id: "schedule-1",
        kind: "every",
        prompt: "p",
        everySeconds: 300,
        scheduledAt: "2030-01-01T00:00:00.000Z",
        ...fields
      }
    })
    for (const fields of [{ title: "t" }, { everySeconds: 60 }, { everySeconds: 299 }]) {
      assert.isTrue(Either.isRight(decodeScheduleChange(create(fields))))
      assert.throws(() => Peer.decodeScheduleChange(create(fields)))
    }
    for (const fields of [{ title: "" }, { title: " t" }, { title: "x".repeat(121) }, { everySeconds: 59 }]) {
      assert.isTrue(Either.isLeft(decodeScheduleChange(create(fields))))
    }
  })
})

type PeerFold = ReturnType<typeof Peer.foldScheduleEvents>

const peerFold = (log: ReadonlyArray<LoggedEvent>, seed: number): PeerFold | undefined => {
  try {
    const events = log.map((event, seq) => ({ seq, time: seq, ...event }))
    return Peer.foldScheduleEvents(events as Parameters<typeof Peer.foldScheduleEvents>[0], seed)
  } catch (error) {
    assert.strictEqual((error as { code?: string }).code, "corrupt_schedule_log")
    return undefined
  }
}

/** Compares both on a log, and answers whether it was accepted. */
const compare = (log: ReadonlyArray<LoggedEvent>, seed: number): boolean => {
  const ours = foldScheduleEvents(log, seed)
  const theirs = peerFold(log, seed)
  if (Either.isLeft(ours) || theirs === undefined) {
    assert.isTrue(Either.isLeft(ours) && theirs === undefined, JSON.stringify({ log, seed, ours, theirs }))
    if (Either.isLeft(ours)) assert.strictEqual(ours.left.code, "corrupt_schedule_log")
    return false
  }
  assert.deepStrictEqual<unknown>(plain(ours.right), plain(theirs))
  assert.strictEqual<string>(nextId(ours.right), Peer.allocateScheduleId(theirs))
  const batches: Array<{ ours: Parameters<typeof renderLegacyReminderBatch>[0][number]; theirs: PeerMember }> = []
  for (const [index, record] of ours.right.active.entries()) {
    const twin = theirs.active[index]!
    if (isOneShot(record) || twin.kind !== "every") {
      assert.strictEqual(
        renderLegacyReminder(record),
        Peer.renderReminderFraming(twin as Parameters<typeof Peer.renderReminderFraming>[0])
      )
      continue
    }
    const target = Date.parse(record.scheduledAt)
    for (const decision of [
      target,
      target + 1,
      target + record.everySeconds * 1000 * 7 - 1,
      target + 86_400_000 * 365,
      target - 1
    ]) {
      const resolved = Either.getOrUndefined(resolveEvery(record, decision))
      const peer = attempt(() => Peer.resolveEveryOccurrence(twin, decision))
      assert.deepStrictEqual<unknown>(
        resolved && { occurrenceAt: resolved.occurrenceAt, next: Option.getOrUndefined(resolved.next) },
        peer && { occurrenceAt: peer.occurrenceAt, next: peer.nextScheduledAt }
      )
    }
    batches.push({
      ours: { record, occurrenceAt: record.scheduledAt },
      theirs: { record: twin, occurrenceAt: twin.scheduledAt }
    })
  }
  assert.strictEqual(
    renderLegacyReminderBatch(batches.map(({ ours }) => ours)),
    Peer.renderEveryReminderBatchFraming(batches.map(({ theirs }) => theirs))
  )
  return true
}

type PeerMember = Parameters<typeof Peer.renderEveryReminderBatchFraming>[0][number]

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

const attempt = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Whether a log has what is read here and not there. */
const known = (log: ReadonlyArray<LoggedEvent>): boolean =>
  log.some(({ data }) => {
    const schedule = typeof data === "object" && data !== null && "schedule" in data ? data.schedule : undefined
    if (typeof schedule !== "object" || schedule === null) return false
    const seconds = "everySeconds" in schedule ? Number(schedule.everySeconds) : Number.NaN
    return "title" in schedule || (seconds >= 60 && seconds < 300)
  })

const seconds = fc.oneof(
  fc.integer({ min: -2, max: 600 }),
  fc.constantFrom<unknown>(1e12, 2 ** 53, 2 ** 53 - 1, 1.5, "60", null, 253_402_300_799)
)

// Not the first years: there the package finds no local time at all in zones that were minutes and seconds from UTC.
const local = fc.record({
  date: fc.constantFrom("2030-03-10", "2030-11-03", "2030-02-30", "9999-12-31", "2030-1-1", "2030-06-01"),
  time: fc.constantFrom("02:30:00", "01:30:00", "09:00", "23:59:59.9", "24:00:00", "09:00:00.1234", "00:00:00.25"),
  time_zone: fc.constantFrom(
    "America/New_York",
    "UTC",
    "Asia/Shanghai",
    "utc",
    "EST",
    "+08:00",
    "Nowhere/At_All",
    "Pacific/Apia"
  )
})

const atText = fc
  .tuple(
    fc.constantFrom("2030-01-01", "2030-02-30", "9999-12-31", "0001-01-01", "2028-02-29", "2030-1-1"),
    fc.constantFrom("T", "t", " "),
    fc.constantFrom("00:00:00", "23:59:59.999", "09:00", "24:00:00", "12:00:00.12"),
    fc.constantFrom("Z", "z", "+08:00", "-00:00", "+00:00", "-23:59", "+24:00", "+0800", "")
  )
  .map((parts) => parts.join(""))

const request = fc
  .record({
    prompt: fc.constantFrom<unknown>("p", " p ", "p", "p", "", " ", 5),
    selector: fc.oneof(
      fc.record({ after_seconds: seconds }),
      fc.record({ every_seconds: seconds }),
      fc.record({
        at: fc.oneof(atText, atText, local, local, fc.constantFrom<unknown>(null, 5, {}, [], { date: "2030-01-01" }))
      })
    )
  })
  .map(({ prompt, selector }): Readonly<Record<string, unknown>> => ({ prompt, ...selector }))

const now = fc.constantFrom(Date.UTC(2029, 5, 1), Date.UTC(2030, 0, 1), Date.UTC(9999, 11, 31, 23), -62_135_596_800_000)

/** The record that the package creates, or the code with which it refuses. Its tools read a prompt before anything else. */
const peerCreate = (request: Readonly<Record<string, unknown>>, now: number): unknown => {
  const id = Peer.ScheduleId("schedule-1")
  if (typeof request.prompt !== "string") return "invalid_prompt"
  try {
    if ("after_seconds" in request) {
      return Peer.createAfterScheduleRecord(id, request.prompt, request.after_seconds as number, now)
    }
    if ("every_seconds" in request) {
      return Peer.createEveryScheduleRecord(id, request.prompt, request.every_seconds as number, now)
    }
    return Peer.createAtScheduleRecord(
      id,
      request.prompt,
      request.at as Parameters<typeof Peer.createAtScheduleRecord>[2],
      now
    )
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
