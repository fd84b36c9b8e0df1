import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as History from "../../src/domain/History.ts"
import { MessageId } from "../../src/domain/Identifiers.ts"
import type { DeliveryRecord, HistoryBounds, ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as Task from "../../src/domain/ScheduleTask.ts"
import { hostile, outcome, receipt, records, task } from "./fixtures.ts"

const day = 86_400_000
const bounds: HistoryBounds = { days: 30, records: 3 }
const fresh = task({ deliveryHistory: { records: [], earlierRecordsUnavailable: false } })

describe("History.appendDelivery", () => {
  it("adds the receipt with the prompt of the record, and nothing else changes", () => {
    const before = task({ ...fresh, status: "active" })
    const after = History.appendDelivery(before, receipt("m1", "2026-01-01T00:05:00.123Z"), bounds)
    assert.deepStrictEqual(after, {
      ...before,
      lastDelivery: receipt("m1", "2026-01-01T00:05:00.123Z"),
      deliveryHistory: {
        records: [{ ...receipt("m1", "2026-01-01T00:05:00.123Z"), prompt: "P" }],
        earlierRecordsUnavailable: false
      }
    })
    assert.deepStrictEqual(before, task({ ...fresh, status: "active" }))
  })

  it("keeps what was delivered exactly the given days before, and drops what is a millisecond older", () => {
    const start = Date.UTC(2026, 0, 1)
    const row = append(fresh, [
      ["older", start - 1],
      ["edge", start],
      ["new", start + 30 * day]
    ])
    assert.deepStrictEqual(ids(row), ["edge", "new"])
    assert.deepInclude(row.deliveryHistory, { earlierRecordsUnavailable: true, earlierRecordsPruned: true })
  })

  it("keeps at most the given number, the newest", () => {
    const row = append(fresh, numbered(5))
    assert.deepStrictEqual(ids(row), ["m3", "m4", "m5"])
    assert.isTrue(row.deliveryHistory?.earlierRecordsPruned)
  })

  it("always keeps the new one, whatever the bounds", () => {
    for (const bounds of [
      { days: 0, records: 0 },
      { days: 0, records: 1 },
      { days: 1, records: 0 }
    ]) {
      const row = numbered(3).reduce((row, [id, time]) => History.appendDelivery(row, receipt(id, time), bounds), fresh)
      assert.deepStrictEqual(ids(row), ["m3"])
    }
  })

  it("counts days back from the new receipt even when wall time ran backwards", () => {
    const start = Date.UTC(2026, 0, 1)
    const row = append(fresh, [
      ["a", start],
      ["b", start + 31 * day - 1],
      ["c", start + 30 * day]
    ])
    // a was dropped by b, which looks one millisecond further; b is later than c and stays before it
    assert.deepStrictEqual(ids(row), ["a", "b", "c"].slice(1))
    const back = append(fresh, [
      ["a", start + 5 * day],
      ["b", start],
      ["c", start + 31 * day]
    ])
    assert.deepStrictEqual(ids(back), ["a", "c"], "a record that is too old goes from the middle, too")
  })

  it("says for good that records were pruned", () => {
    const pruned = append(fresh, numbered(4))
    const later = History.appendDelivery(pruned, receipt("m5", Date.UTC(2026, 0, 6)), { days: 30, records: 100 })
    assert.deepInclude(later.deliveryHistory, { earlierRecordsUnavailable: true, earlierRecordsPruned: true })
  })

  it("keeps the receipt of a row without history, and never infers pruning from it", () => {
    const row = append(task({ lastDelivery: receipt("m0", "2026-01-01T00:00:00.000Z") }), [
      ["m1", Date.UTC(2026, 0, 2)]
    ])
    assert.deepStrictEqual(row.deliveryHistory, {
      records: [
        receipt("m0", "2026-01-01T00:00:00.000Z"),
        { ...receipt("m1", "2026-01-02T00:00:00.000Z"), prompt: "P" }
      ],
      earlierRecordsUnavailable: true
    })
  })

  it("starts a row that has neither history nor receipt as unavailable", () => {
    const row = append(task(), [["m1", Date.UTC(2026, 0, 2)]])
    assert.deepStrictEqual(ids(row), ["m1"])
    assert.deepInclude(row.deliveryHistory, { earlierRecordsUnavailable: true })
    assert.notProperty(row.deliveryHistory, "earlierRecordsPruned")
  })

  it("saves nothing of a receipt but its three fields", () => {
    const extra = { ...receipt("m1", "2026-01-01T00:00:00.000Z"), prompt: "other", more: 1 }
    assert.deepStrictEqual(History.appendDelivery(fresh, extra, bounds), append(fresh, [["m1", Date.UTC(2026, 0, 1)]]))
  })

  it("refuses to record the same message twice: it would be a row that does not decode", () => {
    const row = append(fresh, numbered(2))
    assert.throws(() => History.appendDelivery(row, receipt("m1", Date.UTC(2026, 1, 1)), bounds), "m1")
  })

  it("agrees with a naive model over any sequence of deliveries", () => {
    FastCheck.assert(
      FastCheck.property(rows, deliveries, someBounds, (start, times, bounds) => {
        let row = start
        let model = naiveOf(start)
        times.forEach((time, i) => {
          const next = receipt(`n${i}`, time)
          row = History.appendDelivery(row, next, bounds)
          model = naiveAppend(model, { ...next, prompt: "P" }, bounds)
          assert.deepStrictEqual(naiveOf(row), model)
          assert.deepStrictEqual(row.lastDelivery, next)
          assert.doesNotThrow(() => Schema.validateSync(Task.ScheduleTask)(row))
        })
      }),
      { numRuns: 500 }
    )
  })
})

describe("History.page", () => {
  const row = append(fresh, numbered(3))

  it("returns the newest first, and a cursor only while older ones remain", () => {
    assert.deepStrictEqual(page(row, { limit: 2 }), { ids: ["m3", "m2"], nextBefore: "m2" })
    assert.deepStrictEqual(page(row, { limit: 2, before: "m2" }), { ids: ["m1"], nextBefore: undefined })
    assert.deepStrictEqual(page(row, { limit: 3 }), { ids: ["m3", "m2", "m1"], nextBefore: undefined })
    assert.deepStrictEqual(page(row, { limit: 3, before: "m1" }), { ids: [], nextBefore: undefined })
  })

  it("keeps append order when wall time ran backwards", () => {
    const backwards = append(fresh, [
      ["a", 3000],
      ["b", 1000],
      ["c", 2000]
    ])
    assert.deepStrictEqual(page(backwards, { limit: 100 }).ids, ["c", "b", "a"])
  })

  it("tells an empty page from an unknown cursor", () => {
    assert.deepStrictEqual(page(fresh, { limit: 1 }), { ids: [], nextBefore: undefined })
    assert.deepStrictEqual(History.page(fresh, { limit: 1, before: MessageId.make("m1") }), Option.none())
    assert.deepStrictEqual(History.page(row, { limit: 1, before: MessageId.make("M1") }), Option.none())
  })

  it("shows a row without history as its last receipt alone", () => {
    const last = receipt("m0", "2026-01-01T00:00:00.000Z")
    const old = task({ lastDelivery: last })
    assert.deepStrictEqual(History.page(old, { limit: 10 }), Option.some({ records: [last], ...unavailable }))
    assert.deepStrictEqual(
      History.page(old, { limit: 10, before: last.messageId }),
      Option.some({ records: [], ...unavailable })
    )
    assert.deepStrictEqual(History.page(task(), { limit: 10 }), Option.some({ records: [], ...unavailable }))
  })

  it("following cursors reads every record once, newest first, for any row and limit", () => {
    FastCheck.assert(
      FastCheck.property(rows, FastCheck.integer({ min: 1, max: 7 }), (row, limit) => {
        const seen: Array<DeliveryRecord> = []
        let before: MessageId | undefined
        do {
          const page = Option.getOrThrow(History.page(row, { limit, before }))
          assert.isAtMost(page.records.length, limit)
          assert.strictEqual(page.earlierRecordsPruned, row.deliveryHistory?.earlierRecordsPruned === true)
          assert.strictEqual(
            page.earlierRecordsUnavailable,
            row.deliveryHistory === undefined || row.deliveryHistory.earlierRecordsUnavailable
          )
          seen.push(...page.records)
          before = page.nextBefore
        } while (before !== undefined)
        assert.deepStrictEqual(seen.reverse(), [...naiveOf(row).records])
      })
    )
  })
})

describe("History.historyPage", () => {
  it("adds the current retention", () => {
    const page = Either.getOrThrow(History.historyPage(fresh, { limit: 1 }, { days: 7, records: 9 }))
    assert.deepStrictEqual(page, {
      records: [],
      earlierRecordsUnavailable: false,
      earlierRecordsPruned: false,
      retention: { days: 7, records: 9 }
    })
  })

  it("refuses any limit but a whole number from 1 to 100", () => {
    for (const limit of [0, 101, -1, 1.5, "10", Number.NaN, Number.POSITIVE_INFINITY, 1n, null, undefined, [1], {}]) {
      assert.strictEqual(
        outcome(History.historyPage(fresh, { limit }, bounds)),
        "invalid_rule: limit must be a whole number from 1 to 100"
      )
    }
    for (const limit of [1, 100]) assert.isTrue(Either.isRight(History.historyPage(fresh, { limit }, bounds)))
  })

  it("tells an unknown cursor from a malformed one", () => {
    const read = (before: unknown) => outcome(History.historyPage(fresh, { limit: 1, before }, bounds))
    for (const before of ["m9", "", "\uD800", "x".repeat(100_000)]) {
      assert.match(String(read(before)), /^delivery_cursor_not_found: before must be the message id/)
    }
    for (const before of [null, 1, {}, []]) {
      assert.strictEqual(read(before), "invalid_rule: before must be the message id of a saved delivery")
    }
  })

  it("never throws, whatever it is asked", () => {
    for (const value of hostile()) {
      for (const query of [value, { limit: value }, { limit: 1, before: value }])
        History.historyPage(fresh, query, bounds)
    }
  })
})

const unavailable = { earlierRecordsUnavailable: true, earlierRecordsPruned: false }

const numbered = (count: number): Array<[string, number]> =>
  Array.from({ length: count }, (_, i) => [`m${i + 1}`, Date.UTC(2026, 0, i + 1)])

function append(row: ScheduleTask, receipts: ReadonlyArray<readonly [string, number]>) {
  return receipts.reduce((row, [id, time]) => History.appendDelivery(row, receipt(id, time), bounds), row)
}

const ids = (row: ScheduleTask) => row.deliveryHistory?.records.map((record): string => record.messageId)

const page = (row: ScheduleTask, { before, limit }: { limit: number; before?: string }) => {
  const query = before === undefined ? { limit } : { limit, before: MessageId.make(before) }
  const { nextBefore, records } = Option.getOrThrow(History.page(row, query))
  return { ids: records.map((record): string => record.messageId), nextBefore: nextBefore as string | undefined }
}

// --- a naive model: the spec's sentences, one by one

interface Naive {
  readonly records: ReadonlyArray<DeliveryRecord>
  readonly unavailable: boolean
  readonly pruned: boolean
}

const naiveOf = ({ deliveryHistory, lastDelivery }: ScheduleTask): Naive =>
  deliveryHistory === undefined
    ? { records: lastDelivery ? [lastDelivery] : [], unavailable: true, pruned: false }
    : {
        records: deliveryHistory.records,
        unavailable: deliveryHistory.earlierRecordsUnavailable,
        pruned: deliveryHistory.earlierRecordsPruned ?? false
      }

const naiveAppend = (model: Naive, added: DeliveryRecord, bounds: HistoryBounds): Naive => {
  const records = [...model.records, added]
  let removed = false
  for (let i = 0; i < records.length - 1; ) {
    const age = Date.parse(added.deliveredAt) - Date.parse(records[i]!.deliveredAt)
    if (age > bounds.days * 24 * 3600 * 1000) {
      records.splice(i, 1)
      removed = true
    } else i++
  }
  while (records.length > bounds.records) {
    records.shift()
    removed = true
  }
  return { records, unavailable: model.unavailable || removed, pruned: model.pruned || removed }
}

const deliveryTime = FastCheck.integer({ min: 0, max: 20 * day })
const deliveries = FastCheck.array(deliveryTime, { maxLength: 12 })
const someBounds = FastCheck.record({
  days: FastCheck.integer({ min: 1, max: 10 }),
  records: FastCheck.integer({ min: 1, max: 5 })
})

const rows: FastCheck.Arbitrary<ScheduleTask> = FastCheck.oneof(
  FastCheck.constant(task()),
  deliveryTime.map((time) => task({ lastDelivery: receipt("m0", time) })),
  FastCheck.tuple(deliveries, FastCheck.boolean(), FastCheck.constantFrom(undefined, false, true)).map(
    ([times, unavailable, pruned]) => {
      const history = times.map((time, i) => ({ ...receipt(`m${i}`, time), ...(i % 3 > 0 && { prompt: `p${i}` }) }))
      const last = times.at(-1)
      return task({
        record: records.every,
        ...(last !== undefined && { lastDelivery: receipt(`m${times.length - 1}`, last) }),
        deliveryHistory: {
          records: history,
          earlierRecordsUnavailable: unavailable || pruned === true,
          ...(pruned !== undefined && { earlierRecordsPruned: pruned })
        }
      })
    }
  )
)
