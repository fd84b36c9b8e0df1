import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Stream } from "effect"
import * as JsonLines from "../../src/tools/JsonLines.ts"

const maxLine = 40

describe("JsonLines.decode", () => {
  it.effect.prop("reads the same values however the bytes are cut", [anyText(), cuts()], ([text, cuts]) =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode(text)
      const values = yield* Stream.fromIterable(cutAt(bytes, cuts)).pipe(
        (chunks) => JsonLines.decode(chunks, { maxLine }),
        Stream.runCollect
      )
      assert.deepStrictEqual([...values], expected(text))
    })
  )

  it("what is encoded is one line, which decodes to itself", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (value) => {
        const line = JsonLines.encode(value)
        assert.strictEqual(line.indexOf("\n"), line.length - 1)
        assert.deepStrictEqual(JSON.parse(line), JSON.parse(JSON.stringify(value)))
      })
    )
  })
})

/** Lines of JSON, of nearly JSON, of nothing and of too much, with characters of one to four bytes. */
function anyText() {
  const line = FastCheck.oneof(
    FastCheck.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
    FastCheck.fullUnicodeString({ maxLength: 8 }).map((text) => JSON.stringify(text)),
    FastCheck.constantFrom("", " ", "\r", "{", "nul", "\u2028", "🎉", "x".repeat(maxLine), "1".repeat(maxLine + 1))
  )
  return FastCheck.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"))
}

function cuts() {
  return FastCheck.array(FastCheck.nat(300), { maxLength: 20 })
}

const cutAt = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const edges = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b)
  return edges.slice(1).map((edge, i) => bytes.slice(edges[i], edge))
}

const expected = (text: string): ReadonlyArray<Either.Either<unknown, JsonLines.Unreadable>> =>
  text.split("\n").flatMap((line): ReadonlyArray<Either.Either<unknown, JsonLines.Unreadable>> => {
    if (line.length > maxLine) return [Either.left("too long")]
    if (line.trim() === "") return []
    try {
      return [Either.right(JSON.parse(line))]
    } catch {
      return [Either.left("malformed")]
    }
  })
