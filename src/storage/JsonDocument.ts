/**
 * The document of the json backend and of exports, in the layout of the reference system.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import * as JsonMembers from "./JsonMembers.ts"
import type { StoredRow } from "./ScheduleDriver.ts"
import { DomainMalformed, DomainVersionMismatch, type OpenError } from "./StorageError.ts"

/**
 * The text of a document of rows, a row a line, in the order in which they come.
 *
 * @since 0.1.0
 * @category encoding
 */
export const render = (rows: Iterable<readonly [key: string, value: unknown]>): string => {
  const lines: Array<string> = []
  for (const [key, value] of rows) lines.push(line(key, value))
  return `${head}${lines.length > 0 ? "\n" : ""}${lines.join(",\n")}${tail}`
}

/**
 * The same text in pieces.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encode = <E>(tasks: Stream.Stream<ReadonlyArray<ScheduleTask>, E>): Stream.Stream<string, E> => {
  const lines = Stream.filter(tasks, (tasks) => tasks.length > 0).pipe(
    Stream.map((tasks) => tasks.map((task) => line(task.record.id, task)).join(",\n")),
    Stream.mapAccum("\n", (separator, text) => [",\n", separator + text])
  )
  return Stream.concat(Stream.make(head), Stream.concat(lines, Stream.make(tail)))
}

/**
 * The rows of a document that comes in pieces, not validated. Fails like {@link decode}, at the latest at its end.
 *
 * @since 0.1.0
 * @category decoding
 */
export const rows = <E>(
  name: string,
  bytes: Stream.Stream<Uint8Array, E>
): Stream.Stream<ReadonlyArray<StoredRow>, E | OpenError> =>
  Stream.suspend(() => {
    const document = reader(name)
    return Stream.concat(
      Stream.mapEffect(bytes, (bytes) => refusing(name, () => document.push(bytes))),
      Stream.drain(Stream.fromEffect(refusing(name, document.end)))
    )
  })

/**
 * The rows of a whole document, not validated. Fails with {@link DomainMalformed} or {@link DomainVersionMismatch}.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = (name: string, bytes: Uint8Array): Effect.Effect<ReadonlyArray<StoredRow>, OpenError> =>
  refusing(name, () => {
    const document = reader(name)
    const rows: Array<StoredRow> = []
    for (let i = 0; i < bytes.length; i += pieceBytes) {
      for (const row of document.push(bytes.subarray(i, i + pieceBytes))) rows.push(row)
    }
    document.end()
    return rows
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
        message: `${name} has version ${JSON.stringify(version)} of the schedule domain, and this program knows version 1; open it with the program that wrote it`
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

const line = (key: string, value: unknown) => `      ${JSON.stringify(key)}: ${JSON.stringify(value)}`

const refusing = <A>(name: string, read: () => A): Effect.Effect<A, OpenError> =>
  Effect.try({
    try: read,
    catch: (error) =>
      error instanceof DomainMalformed || error instanceof DomainVersionMismatch
        ? error
        : new DomainMalformed({ message: `${name} cannot be read: ${String(error)}`, cause: error })
  })

const head = `{
  "unit": { "name": "schedule", "version": 1 },
  "global": null,
  "tables": {
    "tasks": {`

const tail = "\n    }\n  }\n}\n"
