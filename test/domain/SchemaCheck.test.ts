import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import { decodeRecord } from "../../src/domain/ScheduleRecord.ts"
import { decodeTask, ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as SchemaCheck from "../../src/domain/SchemaCheck.ts"
import * as A from "../contract/Arbitraries.ts"
import { brokenRows, goodId, goodRow } from "../storage/brokenRows.ts"

describe("decoding a row", () => {
  it.each(brokenRows)("refuses one with %s, and says where and which rule", (_, row, tells) => {
    const error = Either.getOrThrow(Either.flip(decodeTask(JSON.parse(JSON.stringify(row)), goodId)))
    assert.strictEqual(error.code, "corrupt_schedule_log")
    assert.strictEqual(error.table, "tasks")
    assert.strictEqual(error.key, goodId)
    assert.include(error.message, tells)
  })

  it("names the row by the id inside when no key is given, and by nothing without one", () => {
    const keyOf = (row: unknown) => Either.getOrThrow(Either.flip(decodeTask(row))).key
    assert.strictEqual(keyOf({ ...goodRow(), note: 1 }), goodId)
    assert.strictEqual(keyOf({ ...goodRow(), record: null }), undefined)
    assert.strictEqual(keyOf(undefined), undefined)
  })

  it("answers the very row that keeps every rule", () => {
    const row = goodRow()
    assert.strictEqual(Either.getOrThrow(decodeTask(row, goodId)) as unknown, row)
    assert.strictEqual(Either.getOrThrow(decodeRecord(row.record)) as unknown, row.record)
  })

  it("says which field of a record is wrong", () => {
    const error = Either.getOrThrow(Either.flip(decodeRecord({ ...goodRow().record, scheduledAt: "soon" })))
    assert.strictEqual(
      error.message,
      "record.scheduledAt must be a canonical instant YYYY-MM-DDTHH:mm:ss.SSSZ that exists"
    )
  })
})

describe("SchemaCheck", () => {
  it("accepts exactly what the schema accepts", () => {
    const decode = Schema.decodeUnknownEither(ScheduleTask, { onExcessProperty: "error" })
    const check = SchemaCheck.make(ScheduleTask)
    FastCheck.assert(
      FastCheck.property(damaged(A.tasks()), (row) =>
        assert.strictEqual(check(row) === undefined, Either.isRight(decode(row)), check(row))
      ),
      { numRuns: 3000 }
    )
  })

  it("refuses to compile what it cannot check", () => {
    assert.throws(() => SchemaCheck.make(Schema.NumberFromString))
    assert.throws(() => SchemaCheck.make(Schema.Record({ key: Schema.String, value: Schema.String })))
    assert.throws(() => SchemaCheck.make(Schema.Union(Schema.Struct({ a: Schema.String }), Schema.Struct({}))))
  })
})

/** Rows, and rows in which some value, anywhere, was replaced, removed or added. */
const damaged = (tasks: FastCheck.Arbitrary<ScheduleTask>) =>
  FastCheck.tuple(
    tasks,
    FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.nat(), anything), { maxLength: 2 })
  ).map(([task, damages]) => {
    const row: unknown = structuredClone(task)
    for (const [place, key, value] of damages) {
      const objects = containers(row)
      const object = objects[place % objects.length]!
      const keys = [...Object.keys(object), "extra"]
      const name = keys[key % keys.length]!
      if (value === undefined) delete object[name]
      else object[name] = structuredClone(value)
    }
    return row
  })

const anything = FastCheck.constantFrom<unknown>(
  ...[
    undefined,
    null,
    0,
    60,
    1.5,
    "",
    " ",
    "x",
    true,
    [],
    {},
    "active",
    "at",
    "cron",
    "UTC",
    "2030-01-01T00:00:00.000Z"
  ],
  [1, 2],
  ["x"]
)

const containers = (value: unknown): Array<Record<string, unknown>> =>
  typeof value === "object" && value !== null
    ? [value as Record<string, unknown>, ...Object.values(value).flatMap(containers)]
    : []
