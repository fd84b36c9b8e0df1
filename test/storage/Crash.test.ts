import { execFileSync, spawn } from "node:child_process"
import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import type * as Storage from "../../src/storage/Storage.ts"
import type * as Model from "../contract/Model.ts"
import { postgresServer } from "../Postgres.ts"
import { contents, temporaryDirectory } from "./fixtures.ts"
import { bundled } from "./programs/build.ts"
import { toArgument } from "./programs/storage.ts"
import { generator, write } from "./programs/writes.ts"

// `npm run test:chaos` sets it.
const kills = Number(process.env.CHAOS_KILLS ?? 20)

describe("a writer that is killed at random moments", () => {
  const writer = bundled("writer")
  const server = postgresServer()

  it.scopedLive.each(["sqlite", "json", "postgres"] as const)(
    "leaves every acknowledged write whole in %s, and of the one that ran all or nothing",
    (kind) =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const storage =
          kind === "postgres" ? { kind, directory, url: Redacted.make(server.url()) } : { kind, directory }
        const seed = (yield* Clock.currentTimeMillis) % 100_000
        const draw = generator(seed)
        let rows: Model.Rows = []
        let next = 0
        for (let kill = 0; kill < kills; kill++) {
          // some die while they open, most in the middle of a write
          const after = kill % 5 === 0 ? { millis: draw() % 150 } : { writes: draw() % 40, millis: draw() % 4 }
          const acknowledged = yield* runAndKill(writer.path, storage, seed, next, after)
          for (; next < acknowledged; next++) rows = write(seed, next).model(rows)

          const found = yield* contents(storage)
          const withNext = write(seed, next).model(rows)
          const where = `seed ${seed}, kill ${kill}, write ${next}`
          if (isDeepStrictEqual(found, rows)) continue
          assert.deepStrictEqual(found, withNext, where)
          rows = withNext
          next++
        }
        assert.isAbove(next, kills)
      }),
    600_000
  )
})

describe("a writer whose files may not grow beyond a limit", () => {
  const limited = bundled("limited")

  it.scopedLive.each([
    ["sqlite", "StorageUnknownState", /disk I\/O error/],
    ["json", "StorageFailure", /EFBIG/]
  ] as const)("loses nothing in %s, and goes on", ([kind, tag, message]) =>
    Effect.gen(function* () {
      const storage = { kind, directory: yield* temporaryDirectory }
      const command = `ulimit -f 300; exec "${process.execPath}" "${limited.path}" "$0" 1`
      const output = execFileSync("bash", ["-c", command, JSON.stringify(storage)], { encoding: "utf8" })
      const { failures, written }: { failures: Array<string>; written: Array<number> } = JSON.parse(output)
      assert.isAbove(written.length, 10)
      assert.lengthOf(failures, 5)
      for (const failure of failures) {
        assert.isTrue(failure.startsWith(tag), failure)
        assert.match(failure, message)
      }
      const rows = written.reduce<Model.Rows>((rows, n) => write(1, n).model(rows), [])
      assert.deepStrictEqual(yield* contents(storage), rows)
    })
  )
})

/** Runs the writer from its n-th write on, kills it, and answers the number of the first write that was not acknowledged. */
const runAndKill = (
  path: string,
  storage: Storage.Storage,
  seed: number,
  first: number,
  after: { readonly writes?: number; readonly millis: number }
) =>
  Effect.async<number>((resume) => {
    const child = spawn(process.execPath, [path, toArgument(storage), String(seed), String(first)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let output = ""
    let killing = false
    const killLater = () => {
      if (killing) return
      killing = true
      setTimeout(() => child.kill("SIGKILL"), after.millis)
    }
    if (after.writes === undefined) killLater()
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text
      if (output.split("\n").length - 2 > (after.writes ?? 0)) killLater()
    })
    child.on("close", (code) => {
      if (code !== null) throw new Error(`the writer ended by itself with ${code}`)
      const acknowledged = output
        .split("\n")
        .slice(0, -1)
        .filter((line) => line !== "open")
      resume(Effect.succeed(first + acknowledged.length))
    })
  })
