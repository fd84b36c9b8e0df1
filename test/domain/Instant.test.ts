import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Instant from "../../src/domain/Instant.ts"

describe("Instant", () => {
  it("formats as the platform does, and parses what it formats", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: Instant.min, max: Instant.max }), (millis) => {
        assert.strictEqual(Instant.format(millis), new Date(millis).toISOString())
        assert.strictEqual(Instant.parse(Instant.format(millis)), millis)
      }),
      { numRuns: 5000, examples: [[Instant.min], [Instant.max], [-1], [0]] }
    )
  })

  it("parses a text exactly when the platform spells its instant that way", () => {
    const digits = (n: number) =>
      FastCheck.array(FastCheck.constantFrom(..."01239 -"), { minLength: n, maxLength: n }).map((a) => a.join(""))
    const text = FastCheck.tuple(digits(4), ...Array.from({ length: 5 }, () => digits(2)), digits(3)).map(
      ([year, month, day, hour, minute, second, millis]) =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`
    )
    const oracle = (text: string) => {
      const millis = Date.parse(text)
      return Instant.isInRange(millis) && new Date(millis).toISOString() === text ? millis : Number.NaN
    }
    FastCheck.assert(
      FastCheck.property(text, (text) => assert.deepStrictEqual(Instant.parse(text), oracle(text))),
      { numRuns: 20_000 }
    )
  })

  it.each([
    "2030-02-29T00:00:00.000Z",
    "2030-04-31T00:00:00.000Z",
    "2030-01-01T24:00:00.000Z",
    "2030-01-01T00:60:00.000Z",
    "2030-01-01T00:00:60.000Z",
    "0000-12-31T23:59:59.999Z",
    "+10000-01-01T00:00:00.000Z",
    "2030-01-01t00:00:00.000z",
    "2030-01-01T00:00:00Z",
    "2030-01-01T00:00:00.0000Z",
    "2030-01-01T00:00:00.000+00:00",
    " 2030-01-01T00:00:00.000Z",
    "２030-01-01T00:00:00.000Z",
    ""
  ])("refuses %j", (text) => {
    assert.isNaN(Instant.parse(text))
  })
})
