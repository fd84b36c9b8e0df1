import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { assert, describe, it } from "vitest"
import { environment, program, TestHome } from "./Command.ts"

describe("watch", () => {
  it.each(["sqlite", "json"])(
    "follows a %s store, then a Host, then the store again; Ctrl-C ends it with 0",
    async (storage) => {
      await using home = new TestHome()
      const watch = new Watch(home)
      assert.deepStrictEqual(await watch.next(), { host: null, titles: [] })
      const session = await home.ok("sessions", "new", "--storage", storage)
      const create = (title: string) =>
        home.ok(
          "create",
          "--storage",
          storage,
          "--session",
          session,
          "--title",
          title,
          "--prompt",
          "P",
          "--after",
          "3600"
        )
      await create("one")
      assert.deepStrictEqual(await watch.next(), { host: null, titles: ["one"] })

      // a Host that is killed leaves its address behind, and the next one has another
      for (const [signal, title] of [
        ["SIGKILL", "two"],
        ["SIGTERM", "three"]
      ] as const) {
        const host = await home.serve("--storage", storage)
        const { url } = await host.ready
        const { titles: before } = await watch.until((line) => line.host === url)
        await create(title)
        assert.deepStrictEqual(await watch.next(), { host: url, titles: [...before, title] })
        await host.stop(signal)
        assert.deepStrictEqual(await watch.next(), { host: null, titles: [...before, title] })
      }
      assert.deepStrictEqual(await watch.interrupt(), { code: 0, stderr: "" })
    }
  )

  it("ends without a word when its reader has seen enough", async () => {
    await using home = new TestHome()
    const watch = new Watch(home)
    await watch.next()
    watch.child.stdout?.destroy()
    await home.ok("sessions", "new")
    const session = await home.ok("sessions", "new")
    await home.ok("create", "--session", session, "--title", "T", "--prompt", "P", "--after", "3600")
    assert.deepStrictEqual(await watch.ended, { code: 0, stderr: "" })
  })

  it("says what is wrong with a store that cannot be read", async () => {
    await using home = new TestHome()
    await home.ok("sessions", "new", "--storage", "json")
    const { writeFileSync } = await import("node:fs")
    writeFileSync(home.path("schedule.json"), "{")
    const { code, stderr } = await home.run(["watch"])
    assert.strictEqual(code, 2)
    assert.match(stderr, /^host-schedule: .*schedule\.json.*\(store_malformed\)\n$/)
  })
})

// internal

interface Line {
  readonly host: string | null
  readonly titles: ReadonlyArray<string>
}

class Watch {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>
  private readonly lines: AsyncIterator<string>

  constructor(home: TestHome) {
    this.child = spawn(process.execPath, [program, "watch", "--json"], { env: environment(home.dir), cwd: home.dir })
    this.lines = createInterface(this.child.stdout!)[Symbol.asyncIterator]()
    let stderr = ""
    this.child.stderr?.on("data", (data) => (stderr += String(data)))
    this.ended = new Promise((resolve) => this.child.once("close", (code) => resolve({ code, stderr })))
  }

  async next(): Promise<Line> {
    const { value } = await this.lines.next()
    const { host, tasks } = JSON.parse(value)
    return { host, titles: tasks.map(({ record }: { record: { title: string } }) => record.title) }
  }

  /** Passes over what comes before. */
  async until(fits: (line: Line) => boolean): Promise<Line> {
    const line = await this.next()
    return fits(line) ? line : this.until(fits)
  }

  interrupt() {
    this.child.kill("SIGINT")
    return this.ended
  }
}
