/**
 * The document of the json backend and of exports, in the layout of the reference system.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as JsonMembers from "./JsonMembers.ts"
import type { StoredRow } from "./ScheduleDriver.ts"
import { DomainMalformed, DomainVersionMismatch, type OpenError } from "./StorageError.ts"

/**
 * The text of a document in pieces, a row a line, in the order in which the rows come.
 *
 * @since 0.1.0
 * @category encoding
 */
export function* render(rows: Iterable<readonly [key: string, value: unknown]>): IterableIterator<string> {
  yield head
  let separator = "\n"
  for (const [key, value] of rows) {
    yield `${separator}      ${JSON.stringify(key)}: ${JSON.stringify(value)}`
    separator = ",\n"
  }
  yield tail
}

/**
 * The rows of a whole document, not validated. Fails with {@link DomainMalformed} or {@link DomainVersionMismatch}.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = (name: string, bytes: Uint8Array): Effect.Effect<ReadonlyArray<StoredRow>, OpenError> =>
  Effect.try({
    try: () => {
      const document = reader(name)
      const rows: Array<StoredRow> = []
      for (let i = 0; i < bytes.length; i += pieceBytes) {
        for (const row of document.push(bytes.subarray(i, i + pieceBytes))) rows.push(row)
      }
      document.end()
      return rows
    },
    catch: (error) =>
      error instanceof DomainMalformed || error instanceof DomainVersionMismatch
        ? error
        : new DomainMalformed({ message: `${name} cannot be read: ${String(error)}`, cause: error })
  })

/**
 * A reader of one document, which is fed its bytes in pieces of any size and answers the rows that each completes, not
 * validated. It throws {@link DomainMalformed} or {@link DomainVersionMismatch}; only after `end` are its rows the document's.
 *
 * @since 0.1.0
 * @category decoding
 */
export interface Reader {
  readonly push: (bytes: Uint8Array) => ReadonlyArray<StoredRow>
  readonly end: () => void
}

/**
 * A reader whose failures name the document so.
 *
 * @since 0.1.0
 * @category decoding
 */
export const reader = (name: string): Reader => {
  const malformed = (problem: string) => new DomainMalformed({ message: `${name} is malformed: ${problem}` })
  const keys = new Set<string>()
  const missing = new Set(["unit", "global", "tables", "tables/tasks"])
  let rows: Array<StoredRow> = []

  const members = JsonMembers.make({
    isOpened: (path) => path === "" || path === "tables" || path === "tables/tasks",
    onOpen: (path) => {
      if (path !== "" && !missing.delete(path)) throw malformed(`${path} appears more than once`)
    },
    onMember: (path, key, value) => {
      if (path === "tables/tasks") {
        rows.push({ table: "tasks", key, value, ...(keys.has(key) && { flaw: "its key appears more than once" }) })
        keys.add(key)
      } else if (path === "" && key === "unit" && missing.delete(key)) checkUnit(value)
      else if (path === "" && key === "global" && missing.delete(key)) {
        if (value !== null) throw malformed("global must be null")
      } else
        throw malformed(`it has the unknown or repeated key ${JSON.stringify(path === "" ? key : `${path}/${key}`)}`)
    },
    fail: malformed
  })

  const checkUnit = (unit: unknown) => {
    const { name: found, version, ...others } = Object(unit)
    if (found !== "schedule" || Object.keys(others).length > 0)
      throw malformed('unit must be {"name": "schedule", "version": 1}')
    if (version !== 1) {
      throw new DomainVersionMismatch({
        message: `${name} has version ${JSON.stringify(version)} of the schedule domain, and this program knows version 1`
      })
    }
  }

  // A byte order mark is refused like any other text before the document, and so are bytes that are not UTF-8.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const text = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw malformed("it is not UTF-8 text")
    }
  }

  return {
    push: (bytes) => {
      members.push(text(bytes))
      const complete = rows
      rows = []
      return complete
    },
    end: () => {
      members.push(text())
      members.end()
      for (const key of missing) throw malformed(`${key} is missing`)
    }
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const pieceBytes = 1 << 20

const head = `{
  "unit": { "name": "schedule", "version": 1 },
  "global": null,
  "tables": {
    "tasks": {`

const tail = "\n    }\n  }\n}\n"
