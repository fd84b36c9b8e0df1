import { copyFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Check from "../../src/storage/Check.ts"
import * as JsonDocument from "../../src/storage/JsonDocument.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as SqliteFile from "../../src/storage/SqliteFile.ts"
import * as Storage from "../../src/storage/Storage.ts"
import * as Transfer from "../../src/storage/Transfer.ts"
import * as A from "../contract/Names.ts"
import { contents, temporaryDirectory } from "./fixtures.ts"

describe("a backup of a sqlite store that a Host is writing", () => {
  it.scopedLive.each([
    ["SQLite's online backup", onlineBackup],
    ["VACUUM INTO", (from: string, to: string) => withFile(from, (file) => file.run("VACUUM INTO ?", [to]))]
  ] as const)("made by %s opens with everything that was acknowledged before it began", ([, backup]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const copy = yield* temporaryDirectory
      const domain = yield* ScheduleDomain.make(Storage.driver({ kind: "sqlite", directory }))
      for (let n = 0; n < 30; n++) yield* domain.put([A.oneShot(n)])
      const writer = yield* Effect.forkScoped(
        Effect.forEach(
          Array.from({ length: 50 }, (_, n) => A.oneShot(30 + n)),
          (task) => Effect.zipRight(domain.put([task]), Effect.yieldNow())
        )
      )
      yield* backup(join(directory, "schedule.db"), join(copy, "schedule.db"))
      yield* writer.await
      const restored = yield* contents({ kind: "sqlite", directory: copy })
      assert.isAtLeast(restored.length, 30)
      assert.deepStrictEqual(
        restored,
        Array.from({ length: restored.length }, (_, n) => A.oneShot(n))
      )
    })
  )

  it.scoped("made by copying the file of a stopped Host opens with everything", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const copy = yield* temporaryDirectory
      yield* Effect.scoped(
        Effect.flatMap(ScheduleDomain.make(Storage.driver({ kind: "sqlite", directory })), (domain) =>
          domain.put([A.oneShot(1), A.oneShot(2)])
        )
      )
      assert.deepStrictEqual(readdirSync(directory).sort(), ["host.lock", "schedule.db"])
      copyFileSync(join(directory, "schedule.db"), join(copy, "schedule.db"))
      assert.deepStrictEqual(yield* contents({ kind: "sqlite", directory: copy }), [A.oneShot(1), A.oneShot(2)])
    })
  )

  it.scoped("made by copying the file may follow an import or a repair: nothing of them is beside it", () =>
    Effect.gen(function* () {
      const storage = { kind: "sqlite", directory: yield* temporaryDirectory } as const
      const files = () => readdirSync(storage.directory).filter((name) => name.startsWith("schedule.db"))
      yield* contents(storage)
      const row = [A.oneShot(1).record.id, A.oneShot(1)] as const
      const bytes = Stream.make(new TextEncoder().encode(JsonDocument.render([row])))
      yield* Transfer.importDocument(storage, { name: "document", bytes })
      assert.deepStrictEqual(files(), ["schedule.db"])
      yield* withFile(join(storage.directory, "schedule.db"), (file) => file.run("UPDATE tasks SET title = ''"))
      assert.lengthOf((yield* Check.repair(storage)).moved, 1)
      assert.deepStrictEqual(files(), ["schedule.db"])
    })
  )
})

function onlineBackup(from: string, to: string) {
  return SqliteClient.make({ filename: from }).pipe(
    Effect.flatMap((client) => client.backup(to)),
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.scoped
  )
}

const withFile = <A, E>(filename: string, use: (file: SqliteFile.SqliteFile) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(SqliteFile.open({ filename }), use))
