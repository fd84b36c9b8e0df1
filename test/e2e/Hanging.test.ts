import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"

interface Line {
  readonly event: "resolve" | "followup" | "receipt"
  readonly sessionId: string
  readonly at?: string
  readonly target?: string
}

describe("Sessions that hang", () => {
  it("delay nobody else: one that never resolves not at all, one that never flushes by its time limit", async () => {
    await using home = new TestHome()
    const program = new URL("programs/HangingHost.ts", import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", program, home.dir])
    const lines: ReadonlyArray<Line> = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const receipts = lines.filter(({ event }) => event === "receipt")
    const lateness = receipts
      .filter(({ sessionId }) => sessionId === "well")
      .map(({ at, target }) => Date.parse(at ?? "") - Date.parse(target ?? ""))
    assert.strictEqual(lateness.length, 6)
    // flushTimeout is one second here; the rest is for a busy machine
    for (const late of lateness) assert.isBelow(late, 2_000, lateness.join(" "))
    for (const hung of ["deaf", "stuck"]) {
      assert.deepStrictEqual(
        receipts.filter(({ sessionId }) => sessionId === hung).map(({ at }) => at),
        [undefined]
      )
    }
    assert.isAbove(lines.filter(({ event, sessionId }) => event === "followup" && sessionId === "stuck").length, 1)
  })
})
