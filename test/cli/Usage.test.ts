import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as LogFlag from "../../src/cli/LogFlag.ts"
import * as Overview from "../../src/cli/Overview.ts"
import * as Root from "../../src/cli/Root.ts"
import * as Text from "../../src/cli/Text.ts"
import * as Usage from "../../src/cli/Usage.ts"
import * as Words from "../../src/cli/Words.ts"

describe("Usage", () => {
  it.each([
    [["list"], undefined],
    [["sessions"], undefined],
    [["sessions", "--json"], undefined],
    [["sessions", "show", "x"], undefined],
    [["--version"], undefined],
    [["--completions=bash"], undefined],
    [["lost"], 'there is no command "lost": did you mean list?'],
    [["CREATE"], 'there is no command "CREATE": did you mean create?'],
    [["__proto__"], /^there is no command "__proto__": use one of catalog, check, create/],
    [["sessions", "arhcive"], 'there is no command "sessions arhcive": did you mean archive?'],
    [["--json", "list"], /flags come after the command/]
  ] as const)("%j", (args, message) => {
    const refusal = Usage.check(args, Root.tree)?.message
    if (message instanceof RegExp) assert.match(refusal ?? "", message)
    else assert.strictEqual(refusal, message)
  })

  it("the overview has every command in it", () => {
    const overview = Overview.render("1", Text.style(false))
    for (const name of Object.keys(Root.tree)) assert.match(overview, new RegExp(`^  ${name}\\b`, "m"))
  })
})

describe("--log-level", () => {
  it.each([
    [["list", "--session", "a"], ["list", "--session", "a"], "None"],
    [["list", "--log-level", "debug", "--session", "a"], ["list", "--session", "a"], "Debug"],
    [["serve", "--log-level=ALL"], ["serve"], "All"]
  ])("%j", (args, rest, level) => {
    const taken = Either.getOrThrow(LogFlag.take(args))
    assert.deepStrictEqual([taken.args, taken.level._tag], [rest, level])
  })

  it.each([[["list", "--log-level"]], [["list", "--log-level", "loud"]], [["list", "--log-level=__proto__"]]])(
    "%j is refused",
    (args) => {
      assert.isTrue(Either.isLeft(LogFlag.take(args)))
    }
  )
})

describe("Words", () => {
  it.each([
    ["node agent.mjs", ["node", "agent.mjs"]],
    ["  a   b  ", ["a", "b"]],
    [`sh -c 'echo "$SESSION_ID"'`, ["sh", "-c", 'echo "$SESSION_ID"']],
    [`a "b c"d ''`, ["a", "b cd", ""]],
    [`a "say \\"hi\\" \\n"`, ["a", 'say "hi" \\n']],
    ["a\\ b \\", ["a b", "\\"]]
  ])("%j is %j", (line, words) => {
    assert.deepStrictEqual<ReadonlyArray<string>>(Either.getOrThrow(Words.split(line)), words)
  })

  it.each(["", "  ", "a 'b", 'a "b'])("%j is refused", (line) => {
    assert.strictEqual(Words.split(line)._tag, "Left")
  })
})
