import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Text from "../../src/cli/Text.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe("Text", () => {
  it("counts", () => {
    assert.deepStrictEqual(
      [0, 1, 2].map((count) => Text.counted(count, "bad row")),
      ["0 bad rows", "1 bad row", "2 bad rows"]
    )
  })

  it.each([
    [0, "now"],
    [499, "now"],
    [500, "in 1 s"],
    [59 * second, "in 59 s"],
    [minute, "in 1 min"],
    [minute + second, "in 1 min 1 s"],
    [10 * minute + 30 * second, "in 10 min"],
    [hour, "in 1 h"],
    [25 * hour, "in 1 d 1 h"],
    [12 * day + 3 * hour, "in 12 d"],
    [800 * day, "in 2 y"],
    [-5 * minute, "5 min ago"],
    [-3 * day, "3 d ago"]
  ])("%i ms away is %j", (distance, text) => {
    assert.strictEqual(Text.relative(1e12 + distance, 1e12), text)
  })

  it("columns line up under wide, combining and invisible characters", () => {
    const lines = Text.table(
      ["A", "B"],
      [
        ["提醒", "x"],
        ["e\u0301", "x"],
        ["🎉", "x"],
        ["abcd", "x"]
      ],
      Text.style(false)
    )
    assert.strictEqual(lines, "A     B\n提醒  x\ne\u0301     x\n🎉    x\nabcd  x")
  })

  it("paints without changing what is there", () => {
    const rows = [[{ text: "due", paint: Text.style(true).yellow }, "x"]]
    const painted = Text.table(["A", "B"], rows, Text.style(true))
    assert.notStrictEqual(painted, Text.withoutColours(painted))
    assert.strictEqual(Text.withoutColours(painted), "A    B\ndue  x")
  })

  it.prop(
    "no text of others reaches the terminal with a control character",
    [FastCheck.string({ unit: "binary" })],
    ([text]) => {
      assert.notMatch(Text.table(["A", "B"], [[text, text]], Text.style(false)), /[^\n\P{Cc}]|\u202e/u)
    }
  )
})
