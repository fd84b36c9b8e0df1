import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { segment } from "../../src/session/SessionPath.ts"

const anyId = fc.oneof(
  fc.string16bits({ minLength: 1 }),
  fc.stringMatching(/^[A-Za-z0-9._%~ -]{1,12}$/),
  fc.string({ minLength: 150, maxLength: 400 }),
  fc.constantFrom(
    "..",
    ".",
    "/",
    "a/b",
    "a\\b",
    "con",
    "CON",
    "Con",
    "nul",
    "lpt1",
    "com9",
    "%",
    "%-",
    "%2e",
    "\u0000",
    "é",
    "e\u0301"
  )
)

describe("the directory name of a Session", () => {
  it.each([
    ["morning-notes", "morning-notes"],
    ["0b7e6a0c-8a3e-4c5f-9a52-5c8f5b1f0f4e", "0b7e6a0c-8a3e-4c5f-9a52-5c8f5b1f0f4e"],
    ["..", "%2e%2e"],
    ["a/b", "a%2fb"],
    ["CON", "%43%4f%4e"],
    ["con", "%63on"],
    ["console", "console"],
    ["lpt1", "%6cpt1"],
    ["%2e", "%252e"],
    ["a b.", "a%20b%2e"],
    ["⏰", "%e2%8f%b0"],
    ["\ud800", "%ud800"],
    ["", "%"]
  ])("of %j is %j", (id, expected) => assert.strictEqual(segment(id), expected))

  it("stays short, and differs, for ids that differ only at their end", () => {
    const long = "x".repeat(5000)
    assert.strictEqual(segment(`${long}1`).length, 200)
    assert.notStrictEqual(segment(`${long}1`), segment(`${long}2`))
  })

  it.prop("is safe for every id", [anyId], ([id]) => {
    assert.match(segment(id), /^[a-z0-9_%-]{1,200}$/)
    assert.notMatch(segment(id), /^(con|prn|aux|nul|com\d|lpt\d)$/)
  })

  it.prop("is never shared by two ids", [anyId, anyId], ([one, other]) => {
    assert.strictEqual(segment(one) === segment(other), one === other)
  })

  it.prop("is not shared by an id that spells another's segment", [anyId], ([id]) => {
    if (segment(id) !== id) assert.notStrictEqual(segment(segment(id)), segment(id))
  })
})
