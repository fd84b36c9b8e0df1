import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Cron from "../../src/domain/Cron.ts"
import { outcome } from "./fixtures.ts"
import { anyExpression, bounds } from "./rules.ts"

const canonicalize = (expression: string) => outcome(Cron.canonicalize(expression))

describe("Cron.canonicalize", () => {
  it.each([
    ["* * * * *", "* * * * *"],
    [" \t*  *\n* * *  ", "* * * * *"],
    ["*/15 9-17 * * 1-5", "*/15 9-17 * * 1-5"],
    ["00 09 * * *", "0 9 * * *"],
    // Values collapse, neighbours merge, a uniform step becomes one.
    ["5,5,5 * * * *", "5 * * * *"],
    ["1,2,3 * * * *", "1-3 * * * *"],
    ["3,1,2,7 * * * *", "1-3,7 * * * *"],
    ["1,3 * * * *", "1-3/2 * * * *"],
    ["0,15,30,45 * * * *", "0-45/15 * * * *"],
    ["0-59/15 * * * *", "0-45/15 * * * *"],
    ["0-59 * * * *", "0-59 * * * *"],
    ["0-59/1 * * * *", "0-59 * * * *"],
    ["5-7/9 * * * *", "5 * * * *"],
    ["1-2,3-4,10 * * * *", "1-4,10 * * * *"],
    ["1,2,4,6,8 * * * *", "1-2,4,6,8 * * * *"],
    // Sunday.
    ["0 0 * * 7", "0 0 * * 0"],
    ["0 0 * * 0,7", "0 0 * * 0"],
    ["0 0 * * 5-7", "0 0 * * 0,5-6"],
    ["0 0 * * 1-7", "0 0 * * 0-6"],
    ["0 0 * * 5,7", "0 0 * * 0-5/5"],
    // What starts with a star keeps one.
    ["*/1 * * * *", "* * * * *"],
    ["*,5 * * * *", "* * * * *"],
    ["*/2,1-59/2 * * * *", "* * * * *"],
    ["*/15,20,21 * * * *", "*/15,20-21 * * * *"],
    ["*/30,15,45 * * * *", "*/15 * * * *"],
    ["*/20,7,14 * * * *", "*/20,7-14/7 * * * *"],
    ["*/60 * * * *", "*/60 * * * *"],
    ["*/999999999999999999999999 * * * *", "*/60 * * * *"],
    ["*/31,2 * * * *", "*/31,2 * * * *"],
    ["* */24 */31 */12 */7", "* */24 */31 */12 */7"],
    ["* * * * */6", "* * * * */6"],
    // The widest walk wins, of equal ones that with the smaller step.
    ["*/24,30 0 1 1 0", "*/24,30 0 1 1 0"],
    ["*/50,40 0 1 1 0", "*/40,50 0 1 1 0"],
    // What does not start with one never gains it.
    ["5,*/15 * * * *", "0,5,15,30,45 * * * *"],
    ["0 0 1-31 * 1", "0 0 1-31 * 1"],
    ["0 0 1-31/2 * 1", "0 0 1-31/2 * 1"],
    ["0 0 */2 * 1", "0 0 */2 * 1"]
  ])("%j is %j", (expression, expected) => {
    assert.strictEqual(canonicalize(expression), expected)
  })

  it.each([
    ["", /^invalid_rule: .*five fields/],
    ["* * * *", /^invalid_rule: .*five fields/],
    ["* * * * * *", /^invalid_rule: .*five fields/],
    ["@daily", /^invalid_rule: .*five fields/],
    ["60 * * * *", /^invalid_rule: cron minute "60" .*0-59/],
    ["* 24 * * *", /^invalid_rule: cron hour "24" .*0-23/],
    ["* * 0 * *", /^invalid_rule: cron day-of-month "0" .*1-31/],
    ["* * 32 * *", /^invalid_rule: cron day-of-month "32" .*1-31/],
    ["* * * 0 *", /^invalid_rule: cron month "0" .*1-12/],
    ["* * * 13 *", /^invalid_rule: cron month "13" .*1-12/],
    ["* * * * 8", /^invalid_rule: cron day-of-week "8" .*0-7/],
    ["* * * JAN *", /^invalid_rule: cron month "JAN" /],
    ["* * * * MON-FRI", /^invalid_rule: cron day-of-week "MON-FRI" /],
    ["* * L * *", /^invalid_rule: cron day-of-month "L" /],
    ["* * 15W * *", /^invalid_rule: cron day-of-month "15W" /],
    ["* * * * 1#2", /^invalid_rule: cron day-of-week "1#2" /],
    ["* * ? * *", /^invalid_rule: cron day-of-month "\?" /],
    ["5/10 * * * *", /^invalid_rule: cron minute "5\/10" /],
    ["5-1 * * * *", /^invalid_rule: cron minute "5-1" /],
    ["* * * * 7-1", /^invalid_rule: cron day-of-week "7-1" /],
    ["1-60 * * * *", /^invalid_rule: cron minute "1-60" .*0-59/],
    ["*/0 * * * *", /^invalid_rule: cron minute "\*\/0" .*zero/],
    ["1-5/0 * * * *", /^invalid_rule: cron minute "1-5\/0" .*zero/],
    ["1, * * * *", /^invalid_rule: cron minute "" /],
    [",1 * * * *", /^invalid_rule: cron minute "" /],
    ["1,,2 * * * *", /^invalid_rule: cron minute "" /],
    ["0,1,2,x,3 * * * *", /^invalid_rule: cron minute "x" /],
    ["- * * * *", /^invalid_rule: cron minute "-" /],
    ["1- * * * *", /^invalid_rule: cron minute "1-" /],
    ["-1 * * * *", /^invalid_rule: cron minute "-1" /],
    ["+1 * * * *", /^invalid_rule: cron minute "\+1" /],
    ["1.5 * * * *", /^invalid_rule: cron minute "1.5" /],
    ["1e1 * * * *", /^invalid_rule: cron minute "1e1" /],
    ["0x5 * * * *", /^invalid_rule: cron minute "0x5" /],
    ["*/ * * * *", /^invalid_rule: cron minute "\*\/" /],
    ["*/-1 * * * *", /^invalid_rule: cron minute "\*\/-1" /],
    ["*-5 * * * *", /^invalid_rule: cron minute "\*-5" /],
    ["** * * * *", /^invalid_rule: cron minute "\*\*" /],
    ["*5 * * * *", /^invalid_rule: cron minute "\*5" /],
    ["1-2-3 * * * *", /^invalid_rule: cron minute "1-2-3" /],
    ["1-9/2/2 * * * *", /^invalid_rule: cron minute "1-9\/2\/2" /],
    ["٥ * * * *", /^invalid_rule: cron minute "٥" /],
    ["99999999999999999999 * * * *", /^invalid_rule: cron minute "9+" .*0-59/]
  ])("refuses %j", (expression, expected) => {
    assert.match(String(canonicalize(expression)), expected)
    assert.isFalse(Cron.isCanonical(expression))
  })

  it("tells of a huge text only its beginning", () => {
    assert.isBelow(String(canonicalize(`${"x".repeat(1_000_000)} * * * *`)).length, 200)
  })

  it("keeps every value set and star flag, and answers itself for its own answer", () => {
    FastCheck.assert(
      FastCheck.property(anyExpression, (expression) => {
        const canonical = Either.getOrThrow(Cron.canonicalize(expression))
        assert.strictEqual(canonicalize(canonical), canonical)
        assert.deepStrictEqual(naive(canonical), naive(expression))
        assert.isTrue(Cron.isCanonical(canonical))
        assert.strictEqual(Cron.isCanonical(expression), expression === canonical)
      }),
      { numRuns: 3000 }
    )
  })

  it("is one text per value set and star flag", () => {
    const texts = new Map<string, string>()
    FastCheck.assert(
      FastCheck.property(anyExpression, (expression) => {
        for (const [i, field] of expression.split(" ").entries()) {
          const fields = ["*", "*", "*", "*", "*"].with(i, field)
          const canonical = canonicalize(fields.join(" ")).split(" ")[i]!
          const sets = JSON.stringify([i, naive(fields.join(" "))[i]])
          assert.strictEqual(texts.get(sets) ?? canonical, canonical)
          texts.set(sets, canonical)
        }
      }),
      { numRuns: 3000 }
    )
  })
})

/** Per field whether it is a star, and its values, worked out the long way. */
function naive(expression: string) {
  return expression.split(" ").map((field, i) => {
    const [first, last] = bounds[i]!
    const values = new Set<number>()
    for (const element of field.split(",")) {
      const [range = "", step = "1"] = element.split("/")
      const [from = first, to = from] = range === "*" ? [first, i === 4 ? 6 : last] : range.split("-").map(Number)
      for (let value = from; value <= to; value++) {
        if ((value - from) % Number(step) === 0) values.add(i === 4 && value === 7 ? 0 : value)
      }
    }
    return { star: field[0] === "*", values: [...values].sort((a, b) => a - b) }
  })
}
