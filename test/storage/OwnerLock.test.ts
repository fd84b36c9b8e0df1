import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as OwnerLock from "../../src/storage/OwnerLock.ts"
import * as SqliteFile from "../../src/storage/SqliteFile.ts"
import { temporaryDirectory } from "./fixtures.ts"
import { bundled } from "./programs/build.ts"

describe("OwnerLock", () => {
  const contender = bundled("contender")

  it.scoped("makes the directory, private, and is free again when its scope closes", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "a", "b")
      yield* Effect.scoped(OwnerLock.acquire(directory))
      yield* Effect.scoped(OwnerLock.acquire(directory))
      assert.strictEqual(statSync(directory).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(directory, "host.lock")).mode & 0o777, 0o600)
    })
  )

  it.scoped("refuses another scope of this process, names this process, and stays held", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* OwnerLock.acquire(directory)
      for (let i = 0; i < 3; i++) {
        const error = yield* Effect.flip(Effect.scoped(OwnerLock.acquire(directory)))
        assert.strictEqual(error._tag, "DomainAlreadyOpen")
        assert.match(
          error.message,
          new RegExp(`^${directory} is in use by process ${process.pid} on .+, started 2\\d{3}-`)
        )
      }
    })
  )

  it.scopedLive("refuses another process and names the owner, until that is killed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const owner = yield* start(contender.path, directory)
      assert.strictEqual(yield* owner.attempt(0), "owner")
      const error = yield* Effect.flip(Effect.scoped(OwnerLock.acquire(directory)))
      assert.strictEqual(error._tag, "DomainAlreadyOpen")
      assert.include(error.message, `process ${owner.pid} on `)
      const other = yield* start(contender.path, directory)
      assert.include(yield* other.attempt(0), `${directory} is in use by process ${owner.pid} on `)
      yield* owner.kill
      assert.strictEqual(yield* other.attempt(0), "owner")
    })
  )

  it.scoped("takes over what a dead owner left, even when its process id belongs to another program now", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(OwnerLock.acquire(directory))
      const file = yield* SqliteFile.open({ filename: join(directory, "host.lock") })
      yield* file.run("UPDATE owner SET pid = ?", [process.ppid])
      yield* OwnerLock.acquire(directory)
    })
  )

  it.scoped("refuses a lock file that is something else, and leaves it alone", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, "host.lock"), "held by the lock of another program, as it seems\n".repeat(20))
      const error = yield* Effect.flip(OwnerLock.acquire(directory))
      assert.strictEqual(error._tag, "StorageFailure")
      assert.include(error.message, `cannot lock ${directory}: file is not a database`)
    })
  )

  it.scopedLive(
    "has exactly one owner when three processes start at the same instant",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const contenders = yield* Effect.replicateEffect(start(contender.path, directory), 3)
        const wins = new Set<number | undefined>()
        for (let round = 0; round < 50; round++) {
          const at = (yield* Clock.currentTimeMillis) + 4
          const answers = yield* Effect.forEach(contenders, ({ attempt }) => attempt(at), {
            concurrency: "unbounded"
          })
          const owners = contenders.filter((_, i) => answers[i] === "owner")
          assert.lengthOf(owners, 1, `round ${round}: ${answers.join("; ")}`)
          for (const answer of answers) assert.match(answer, /^owner$|is in use by /)
          wins.add(owners[0]?.pid)
          yield* owners[0]!.release
          // the race to make the file is another one than the race for a file that is there
          if (round % 5 === 0) rmSync(join(directory, "host.lock"))
        }
        assert.isAbove(wins.size, 1, "one process won every race, so there was none")
      }),
    60_000
  )
})

/** A process that contends for the lock of a directory. */
const start = (path: string, directory: string) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync((): ChildProcessWithoutNullStreams => spawn(process.execPath, [path, directory])),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const ask = (line: string) =>
      Effect.promise(async () => {
        child.stdin.write(`${line}\n`)
        return String((await lines.next()).value)
      })
    return {
      pid: child.pid,
      attempt: (at: number) => ask(String(at)),
      release: ask("release"),
      kill: Effect.promise(() => {
        const closed = once(child, "close")
        child.kill("SIGKILL")
        return closed
      })
    }
  })
