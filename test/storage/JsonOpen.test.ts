import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Check from "../../src/storage/Check.ts"
import * as JsonDriver from "../../src/storage/JsonDriver.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import { brokenRows, goodId, goodRow } from "./brokenRows.ts"
import { temporaryDirectory } from "./fixtures.ts"

describe("opening a json document", () => {
  it.scoped.each(brokenRows)("refuses a row with %s, names it, and changes nothing", ([, row, tells]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const bytes = Buffer.from(document({ [goodId]: row }))
      const error = yield* refused(directory, bytes)
      assert.strictEqual(error._tag, "ScheduleLogError")
      assert.include(error.message, `${join(directory, "schedule.json")}, tasks ${goodId}: ${tells}`)
      // repaired, the same identity opens
      writeFileSync(join(directory, "schedule.json"), document({ [goodId]: goodRow() }))
      const catalog = yield* Effect.flatMap(open(directory), (domain) => domain.catalog)
      assert.deepStrictEqual(
        catalog.map(({ record }) => record.id as string),
        [goodId]
      )
    })
  )

  it.scoped.each(brokenDocuments)("refuses %s, and changes nothing", ([, bytes, tag, tells]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const error = yield* refused(directory, Buffer.from(bytes))
      assert.strictEqual(error._tag, tag)
      assert.include(error.message, tells)
      assert.include(error.message, directory)
    })
  )

  it.scoped("refuses a path that is not a file", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      mkdirSync(join(directory, "schedule.json"))
      const error = yield* Effect.flip(open(directory))
      assert.strictEqual(error._tag, "DomainMalformed")
      assert.include(error.message, "cannot be read")
    })
  )

  it.scoped("lists every bad row at once", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const rows = Object.fromEntries(brokenRows.map(([, row], i) => [`key-${i}`, row]))
      writeFileSync(join(directory, "schedule.json"), document({ ...rows, [goodId]: goodRow() }))
      const report = yield* Check.check({ kind: "json", directory })
      assert.strictEqual(report.rows, brokenRows.length + 1)
      assert.deepStrictEqual(
        report.problems.map((problem) => (problem._tag === "ScheduleLogError" ? problem.key : problem._tag)),
        brokenRows.map((_, i) => `key-${i}`)
      )
    })
  )

  it.scoped("opens the layout of the reference system, in any spacing and order of keys", () =>
    Effect.gen(function* () {
      const { deliveryHistory: _, lastDelivery: __, status: ___, ...old } = goodRow()
      for (const text of [
        document({ [goodId]: old }),
        JSON.stringify(JSON.parse(document({ [goodId]: old }))),
        `\r\n\t{"tables":{"tasks":{"${goodId}":${JSON.stringify(old)}}},"global":null,"unit":{"version":1,"name":"schedule"}} \n`
      ]) {
        const directory = yield* temporaryDirectory
        writeFileSync(join(directory, "schedule.json"), text)
        const [task] = yield* Effect.flatMap(open(directory), (domain) => domain.catalog)
        assert.deepStrictEqual(task as unknown, { ...old, status: "active" })
      }
    })
  )

  it.scoped("opens empty where there is no file, and writes none before the first write", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "new")
      const domain = yield* open(directory)
      assert.deepStrictEqual(yield* domain.catalog, [])
      assert.deepStrictEqual(readdirSync(directory), ["host.lock"])
    })
  )
})

const open = (directory: string) => ScheduleDomain.make(JsonDriver.make({ directory }))

const refused = (directory: string, bytes: Buffer) =>
  Effect.gen(function* () {
    const file = join(directory, "schedule.json")
    writeFileSync(file, bytes)
    const exit = yield* Effect.exit(Effect.flip(Effect.scoped(open(directory))))
    assert.isTrue(Exit.isSuccess(exit), "it opened")
    assert.deepStrictEqual(readFileSync(file), bytes)
    assert.deepStrictEqual(readdirSync(directory).sort(), ["host.lock", "schedule.json"])
    return yield* exit
  })

const document = (rows: object, unit: unknown = { name: "schedule", version: 1 }, others: object = { global: null }) =>
  JSON.stringify({ unit, ...others, tables: { tasks: rows } }, null, 2)

const row = JSON.stringify(goodRow())
const whole = document({ [goodId]: goodRow() })

const brokenDocuments: ReadonlyArray<readonly [string, string | Uint8Array, string, string]> = [
  ["an empty file", "", "DomainMalformed", "the document ends early"],
  ["blanks only", " \n", "DomainMalformed", "the document ends early"],
  ["an array", "[]", "DomainMalformed", "line 1: the document must be an object"],
  ["a text that is not JSON", "schedule", "DomainMalformed", "the document must be an object"],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "DomainMalformed", "it is not UTF-8 text"],
  ["a byte order mark", `\ufeff${whole}`, "DomainMalformed", "the document must be an object"],
  ["half a document", whole.slice(0, whole.length / 2), "DomainMalformed", "the document ends early"],
  ["a document without its last brace", whole.trimEnd().slice(0, -1), "DomainMalformed", "the document ends early"],
  ["a document with something behind it", `${whole}\n{}`, "DomainMalformed", "expected nothing behind the document"],
  [
    "a document cut inside a character",
    Buffer.from(`${whole.slice(0, -9)}é`).subarray(0, -1),
    "DomainMalformed",
    "it is not UTF-8 text"
  ],
  ["an empty object", "{}", "DomainMalformed", "unit is missing"],
  ["no unit", document({}).replace('"unit"', '"units"'), "DomainMalformed", 'the unknown or repeated key "units"'],
  [
    "another unit",
    document({}, { name: "sessions", version: 1 }),
    "DomainMalformed",
    'unit must be {"name": "schedule", "version": 1}'
  ],
  ["a unit with more", document({}, { name: "schedule", version: 1, by: "x" }), "DomainMalformed", "unit must be"],
  ["a unit that is null", document({}, null), "DomainMalformed", "unit must be"],
  [
    "version 2",
    document({}, { name: "schedule", version: 2 }),
    "DomainVersionMismatch",
    "has version 2 of the schedule domain"
  ],
  ["no version", document({}, { name: "schedule" }), "DomainVersionMismatch", "has version undefined"],
  ["global state", document({}, undefined, { global: {} }), "DomainMalformed", "global must be null"],
  ["no global", document({}, undefined, {}), "DomainMalformed", "global is missing"],
  [
    "an unknown key",
    document({}, undefined, { global: null, note: 1 }),
    "DomainMalformed",
    'the unknown or repeated key "note"'
  ],
  ["no tables", '{"unit":{"name":"schedule","version":1},"global":null}', "DomainMalformed", "tables is missing"],
  [
    "tables that are an array",
    '{"unit":{"name":"schedule","version":1},"global":null,"tables":[]}',
    "DomainMalformed",
    "tables must be an object"
  ],
  [
    "no table",
    '{"unit":{"name":"schedule","version":1},"global":null,"tables":{}}',
    "DomainMalformed",
    "tables/tasks is missing"
  ],
  [
    "an unknown table",
    whole.replace('"tables": {', '"tables": { "notes": {},'),
    "DomainMalformed",
    'the unknown or repeated key "tables/notes"'
  ],
  [
    "tasks that are an array",
    whole.replace(/"tasks": \{[\s\S]*/, '"tasks": []}}'),
    "DomainMalformed",
    "tables/tasks must be an object"
  ],
  ["the tables twice", whole.replace(/\}\s*$/, ', "tables": {}}'), "DomainMalformed", "tables appears more than once"],
  [
    "the unit twice",
    whole.replace("{", '{"unit":{"name":"schedule","version":1},'),
    "DomainMalformed",
    'the unknown or repeated key "unit"'
  ],
  [
    "a key without quotes",
    whole.replace('"global"', "global"),
    "DomainMalformed",
    "line 6: expected a key in double quotes"
  ],
  [
    "a comma too many",
    whole.replace('"global": null,', '"global": null,,'),
    "DomainMalformed",
    "expected a key in double quotes"
  ],
  [
    "a comma too few",
    whole.replace('"global": null,', '"global": null'),
    "DomainMalformed",
    "expected a comma or a closing brace"
  ],
  ["no colon", whole.replace('"global":', '"global"'), "DomainMalformed", "line 6: expected a colon"],
  ["a row that is not JSON", whole.replace('"active"', "active"), "DomainMalformed", `"${goodId}": `],
  ["a row with brackets that do not match", whole.replace("]", "}"), "DomainMalformed", `"${goodId}": `],
  ["a key that is not JSON", whole.replace(`"${goodId}": {`, '"\\x": {'), "DomainMalformed", "is malformed: line "],
  [
    "the same task twice",
    whole.replace('"tasks": {', `"tasks": {"${goodId}": ${row},`),
    "ScheduleLogError",
    `tasks ${goodId}: its key appears more than once`
  ]
]
