import { copyFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as SqliteFile from "../../src/storage/SqliteFile.ts"
import * as Storage from "../../src/storage/Storage.ts"
import * as A from "../contract/Names.ts"
import { temporaryDirectory } from "./fixtures.ts"

describe("a backup of a sqlite store that a Host is writing", () => {
  it.scopedLive.each([
    ["SQLite's online backup", (from: string, to: string) => withFile(from, ({ client }) => client.backup(to))],
    ["VACUUM INTO", (from: string, to: string) => withFile(from, (file) => file.run("VACUUM INTO ?", [to]))]
  ] as const)("made by %s opens with everything that was acknowledged before it began", ([, backup]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const copy = yield* temporaryDirectory
      const domain = yield* ScheduleDomain.make(Storage.driver({ kind: "sqlite", directory }))
      for (let n = 0; n < 30; n++) yield* domain.put([task(n)])
      const writer = yield* Effect.forkScoped(
        Effect.forEach(
          Array.from({ length: 50 }, (_, n) => task(30 + n)),
          (task) => Effect.zipRight(domain.put([task]), Effect.yieldNow())
        )
      )
      yield* backup(join(directory, "schedule.db"), join(copy, "schedule.db"))
      yield* writer.await
      const restored = yield* rows(copy)
      assert.isAtLeast(restored.length, 30)
      assert.deepStrictEqual(
        restored,
        Array.from({ length: restored.length }, (_, n) => task(n))
      )
    })
  )

  it.scoped("made by copying the file of a stopped Host opens with everything", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const copy = yield* temporaryDirectory
      yield* Effect.scoped(
        Effect.flatMap(ScheduleDomain.make(Storage.driver({ kind: "sqlite", directory })), (domain) =>
          domain.put([task(1), task(2)])
        )
      )
      assert.deepStrictEqual(readdirSync(directory).sort(), ["host.lock", "schedule.db"])
      copyFileSync(join(directory, "schedule.db"), join(copy, "schedule.db"))
      assert.deepStrictEqual(yield* rows(copy), [task(1), task(2)])
    })
  )
})

const withFile = <A, E>(filename: string, use: (file: SqliteFile.SqliteFile) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(SqliteFile.open({ filename }), use))

const task = (n: number): ScheduleTask => ({
  sessionId: A.session(n),
  record: { id: A.id(n), kind: "at", title: "T", prompt: "P", scheduledAt: A.instant(n) },
  status: "active",
  deliveryHistory: { records: [], earlierRecordsUnavailable: false }
})

const rows = (directory: string) =>
  Effect.scoped(
    Effect.flatMap(ScheduleDomain.make(Storage.driver({ kind: "sqlite", directory })), (domain) =>
      Effect.map(Stream.runCollect(domain.rows), Chunk.toReadonlyArray)
    )
  )
