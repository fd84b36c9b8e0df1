import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"
import * as Json from "../../src/remote/Json.ts"

describe("Json", () => {
  it("reads what JSON.parse reads, up to its depth, and no deeper", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.jsonValue({ maxDepth: 5 }),
        FastCheck.array(FastCheck.constantFrom("[", '{"a":'), { maxLength: 100 }),
        (core, levels) => {
          const text = levels.reduceRight(
            (inner, level) => `${level}${inner}${level === "[" ? "]" : "}"}`,
            JSON.stringify(core)
          )
          if (levels.length + depth(core) > Json.maxDepth) assert.throws(() => Json.parse(text), SyntaxError, "nested")
          else assert.deepStrictEqual(Json.parse(text), JSON.parse(text))
        }
      )
    )
  })

  it("is bounded by its depth, whatever the depth of the text", () => {
    for (const levels of [Json.maxDepth, Json.maxDepth + 1, 500_000]) {
      const read = () => Json.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`)
      if (levels > Json.maxDepth) assert.throws(read, SyntaxError, "nested")
      else assert.isArray(read())
    }
  })

  it("takes brackets in texts for text", () => {
    assert.strictEqual(Json.parse(JSON.stringify("[".repeat(1000))), "[".repeat(1000))
  })

  it("throws what is no JSON", () => {
    for (const text of ["", "{", "nul", "[1,]"]) assert.throws(() => Json.parse(text), SyntaxError)
  })
})

// internal

const depth = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
