import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Shard from "../../src/storage/Shard.ts"

describe("Shard.of", () => {
  it("answers what rows are stored under, for ever", () => {
    assert.deepStrictEqual(
      ["session-1", "session-2", "a", "日本語", "\ud800"].map((id) => Shard.of(id, 4096)),
      [2926, 347, 2599, 1022, 3889]
    )
  })

  it("is one of the shards, whatever the id", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.string({ unit: "binary" }),
        FastCheck.integer({ min: 1, max: 4096 }),
        (id, count) => {
          const shard = Shard.of(id, count)
          return Number.isInteger(shard) && shard >= 0 && shard < count && Shard.of(id, 1) === 0
        }
      )
    )
  })

  it("spreads ids that differ in their last digits evenly", () => {
    for (const count of [2, 3, 32, 100]) {
      const sizes = Array<number>(count).fill(0)
      for (let n = 0; n < 1000 * count; n++) sizes[Shard.of(`session-${n}`, count)]!++
      assert.isAbove(Math.min(...sizes), 850)
      assert.isBelow(Math.max(...sizes), 1150)
    }
  })
})
