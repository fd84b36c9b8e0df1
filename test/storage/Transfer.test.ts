import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as Check from "../../src/storage/Check.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../src/storage/Storage.ts"
import * as Transfer from "../../src/storage/Transfer.ts"
import * as A from "../contract/Arbitraries.ts"
import { postgresServer } from "../Postgres.ts"
import { brokenRows, goodId, goodRow } from "./brokenRows.ts"
import { contents, temporaryDirectory } from "./fixtures.ts"

const kinds = ["sqlite", "json", "postgres"] as const
const server = postgresServer()

describe.each(kinds.flatMap((from) => kinds.map((to) => [from, to] as const)))("moving from %s to %s", (from, to) => {
  it.scoped.prop(
    "carries every row over, to the letter and in creation order",
    [A.array(A.tasks({ ids: A.nat({ max: 1000 }).map(A.id) }), { maxLength: 30 })],
    ([tasks]) =>
      Effect.gen(function* () {
        const source = yield* stored(from, tasks)
        const target = yield* stored(to)
        const text = yield* exported(source)
        yield* Transfer.importDocument(target, document(text, 7))
        assert.deepStrictEqual(yield* contents(target), yield* contents(source))
        assert.deepStrictEqual(JSON.parse(yield* exported(target)), JSON.parse(text))
      }),
    { fastCheck: { numRuns: 8 } }
  )
})

describe.each(kinds)("importing into %s", (kind) => {
  it.scoped("a document of the reference system goes in and comes out equal", () =>
    Effect.gen(function* () {
      const { deliveryHistory, lastDelivery, status, ...bare } = goodRow()
      const at = (n: number) => ({ ...bare, record: { ...bare.record, id: A.id(n) } })
      const original = {
        unit: { name: "schedule", version: 1 },
        global: null,
        tables: {
          tasks: {
            [A.id(3)]: at(3),
            [A.id(1)]: { ...at(1), status: "inactive", lastDelivery },
            [A.id(2)]: { ...at(2), status, lastDelivery, deliveryHistory }
          }
        }
      }
      const target = yield* stored(kind)
      const answer = yield* Transfer.importDocument(target, document(JSON.stringify(original, null, 4)))
      assert.deepStrictEqual(answer, { added: 3, kept: 0 })
      const text = yield* exported(target)
      assert.deepStrictEqual(JSON.parse(text), original)
      assert.deepStrictEqual(Object.keys(JSON.parse(text).tables.tasks), Object.keys(original.tables.tasks))
    })
  )

  it.scoped("a storage with rows is refused, and is not changed", () =>
    Effect.gen(function* () {
      const target = yield* stored(kind, [good(1)])
      const error = yield* Effect.flip(
        Transfer.importDocument(target, document(yield* exported(yield* stored(kind, [good(2)]))))
      )
      assert.strictEqual(error._tag, "DomainNotEmpty")
      assert.deepStrictEqual(yield* contents(target), [good(1)])
    })
  )

  it.scoped("merging keeps the rows that are there, and adds the others", () =>
    Effect.gen(function* () {
      const changed = { ...good(1), status: "inactive" } as const
      const target = yield* stored(kind, [good(1), good(2)])
      const source = yield* stored(kind, [changed, good(3)])
      const answer = yield* Transfer.importDocument(target, document(yield* exported(source)), { merge: true })
      assert.deepStrictEqual(answer, { added: 1, kept: 1 })
      assert.deepStrictEqual(yield* contents(target), [good(1), good(2), good(3)])
    })
  )

  it.scoped("a document that is bad at its very end adds nothing", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 3000 }, (_, n) => good(n))
      const text = yield* exported(yield* stored("json", many))
      const bad = JSON.stringify({ ...good(1), note: 1 })
      const row = text.slice(0, text.lastIndexOf("}\n    }")).concat(`},\n"${A.id(9999)}": ${bad}\n}}}`)
      for (const [broken, tag] of [
        [row, "ScheduleLogError"],
        [text.slice(0, -3), "DomainMalformed"],
        [text.replace('"version": 1', '"version": 2'), "DomainVersionMismatch"]
      ] as const) {
        const target = yield* stored(kind, [])
        const error = yield* Effect.flip(Transfer.importDocument(target, document(broken)))
        assert.strictEqual(error._tag, tag)
        assert.include(error.message, "document.json")
        assert.deepStrictEqual(yield* contents(target), [])
      }
    })
  )

  it.scoped("a reader that breaks off adds nothing", () =>
    Effect.gen(function* () {
      const text = yield* exported(yield* stored("json", [good(1), good(2)]))
      const target = yield* stored(kind, [])
      const { bytes, name } = document(text.slice(0, 500), 100)
      const breaking = { name, bytes: Stream.concat(bytes, Stream.fail("cut off" as const)) }
      assert.strictEqual(yield* Effect.flip(Transfer.importDocument(target, breaking)), "cut off")
      assert.deepStrictEqual(yield* contents(target), [])
    })
  )

  it.scoped("exporting shows one state while the owner writes, and a storage that is absent as empty", () =>
    Effect.gen(function* () {
      const empty = yield* stored(kind)
      assert.deepStrictEqual(JSON.parse(yield* exported(empty)).tables.tasks, {})
      const many = Array.from({ length: 500 }, (_, n) => good(n))
      const storage = yield* stored(kind, many)
      const domain = yield* ScheduleDomain.make(Storage.driver(storage))
      const text = yield* Transfer.exportDocument(storage, {
        progress: () => Effect.orDie(domain.removeActiveOf(many[0]!.sessionId))
      }).pipe(Stream.mkString)
      assert.deepStrictEqual(
        Object.keys(JSON.parse(text).tables.tasks),
        many.map(({ record }) => record.id as string)
      )
      assert.strictEqual((yield* domain.counts).active, 0)
    })
  )

  it.scoped("exporting a storage with a bad row ends in its error and in text that is no document", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, "schedule.json"), JSON.stringify(withRows({ [goodId]: brokenRows[10]![1] })))
      const pieces: Array<string> = []
      const error = yield* Transfer.exportDocument({ kind: "json", directory }).pipe(
        Stream.runForEach((piece) => Effect.sync(() => pieces.push(piece))),
        Effect.flip
      )
      assert.strictEqual(error._tag, "ScheduleLogError")
      assert.throws(() => JSON.parse(pieces.join("")))
    })
  )
})

describe("merging into a storage with a bad row", () => {
  it.scoped("is refused like opening it, and changes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const text = JSON.stringify(withRows({ [A.id(1)]: good(1), [A.id(2)]: { ...good(2), status: "paused" } }))
      writeFileSync(join(directory, "schedule.json"), text)
      const source = document(JSON.stringify(withRows({ [A.id(3)]: good(3) })))
      const error = yield* Effect.flip(Transfer.importDocument({ kind: "json", directory }, source, { merge: true }))
      assert.strictEqual(error._tag, "ScheduleLogError")
      assert.include(error.message, `schedule.json, tasks ${A.id(2)}: status must be`)
      assert.strictEqual(readFileSync(join(directory, "schedule.json"), "utf8"), text)
    })
  )
})

describe("repairing", () => {
  const bad = brokenRows.slice(20, 24).map(([, row], i) => [`row-${i}`, row] as const)

  it.scoped("moves bad rows into a file that is named, leaves the others, and what it moved can be put back", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const storage = { kind: "json", directory } as const
      const broken = { ...good(2), status: "paused" }
      writeFileSync(
        join(directory, "schedule.json"),
        JSON.stringify(
          withRows({ [A.id(1)]: good(1), [A.id(2)]: broken, [A.id(3)]: good(3), ...Object.fromEntries(bad) })
        )
      )
      const { file, moved } = yield* Check.repair(storage)
      assert.deepStrictEqual(
        moved.map(({ key }) => key),
        [A.id(2), ...bad.map(([key]) => key)]
      )
      assert.strictEqual(file, join(directory, "schedule.rejected-1970-01-01T00-00-00.000Z.json"))
      assert.deepStrictEqual((yield* Check.check(storage)).problems, [])
      assert.deepStrictEqual(yield* contents(storage), [good(1), good(3)])

      const rejected = JSON.parse(readFileSync(file!, "utf8"))
      assert.deepStrictEqual(rejected, withRows({ [A.id(2)]: broken, ...Object.fromEntries(bad) }))
      const mended = withRows({ [A.id(2)]: good(2) })
      yield* Transfer.importDocument(storage, document(JSON.stringify(mended)), { merge: true })
      assert.deepStrictEqual(yield* contents(storage), [good(1), good(3), good(2)])
      assert.deepStrictEqual(yield* Check.repair(storage), { moved: [], file: undefined })
    })
  )

  it.scoped("changes nothing when the file for the bad rows is there already", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const text = JSON.stringify(withRows(Object.fromEntries(bad)))
      writeFileSync(join(directory, "schedule.json"), text)
      writeFileSync(join(directory, "schedule.rejected-1970-01-01T00-00-00.000Z.json"), "mine")
      const error = yield* Effect.flip(Check.repair({ kind: "json", directory }))
      assert.strictEqual(error._tag, "StorageFailure")
      assert.strictEqual(readFileSync(join(directory, "schedule.json"), "utf8"), text)
      assert.strictEqual(
        readFileSync(join(directory, "schedule.rejected-1970-01-01T00-00-00.000Z.json"), "utf8"),
        "mine"
      )
    })
  )

  it.scoped("is refused while the storage has an owner, and for a document that is no document", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const storage = { kind: "json", directory } as const
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* ScheduleDomain.make(Storage.driver(storage))
          assert.strictEqual((yield* Effect.flip(Check.repair(storage)))._tag, "DomainAlreadyOpen")
        })
      )
      writeFileSync(join(directory, "schedule.json"), "{")
      assert.strictEqual((yield* Effect.flip(Check.repair(storage)))._tag, "DomainMalformed")
      assert.deepStrictEqual(readdirSync(directory).sort(), ["host.lock", "schedule.json"])
    })
  )
})

const good = (n: number): ScheduleTask => {
  const row = goodRow() as unknown as ScheduleTask
  return { ...row, record: { ...row.record, id: A.id(n) } }
}

const withRows = (rows: object) => ({
  unit: { name: "schedule", version: 1 },
  global: null,
  tables: { tasks: rows }
})

/** A storage of its own that holds these rows, or nothing at all. */
const stored = (kind: (typeof kinds)[number], tasks?: ReadonlyArray<ScheduleTask>) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const storage: Storage.Storage =
      kind === "postgres" ? { kind, directory, url: Redacted.make(server.url()) } : { kind, directory }
    if (tasks !== undefined) {
      yield* Effect.scoped(Effect.flatMap(ScheduleDomain.make(Storage.driver(storage)), (domain) => domain.put(tasks)))
    }
    return storage
  })

const exported = (storage: Storage.Storage) => Stream.mkString(Transfer.exportDocument(storage))

/** A document that comes in pieces of `size` bytes. */
const document = (text: string, size = 1 << 16) => {
  const bytes = new TextEncoder().encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size)
  )
  return { name: "document.json", bytes: Stream.fromIterable(pieces) }
}
