import * as fs from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FiberRef, HashSet, Logger, Option } from "effect"
import * as LoadWarning from "../../src/legacy/LoadWarning.ts"
import { logPath } from "../../src/session/SessionFiles.ts"
import { header, lines, temporaryDirectory } from "../session/TempLog.ts"
import { sessionId, start } from "../session/TestSessions.ts"

const one = sessionId("one")

const create = (id: string) => ({
  version: 1,
  operation: "create",
  schedule: { id, kind: "at", prompt: "p", scheduledAt: "2030-01-01T00:00:00.000Z" }
})

describe("opening a Session with historical reminders", () => {
  it.scoped("logs one warning that tells to create them anew", () =>
    Effect.gen(function* () {
      const warnings = yield* warningsOf([create("schedule-1"), create("schedule-2"), create("schedule-3")])
      assert.deepStrictEqual(warnings, [
        "this Session has 3 historical reminders that will not come; recreate with schedule_create"
      ])
    })
  )

  it.scoped("logs one warning when they cannot be read, and opens all the same", () =>
    Effect.gen(function* () {
      const warnings = yield* warningsOf([{ version: 2, operation: "create" }])
      assert.strictEqual(warnings.length, 1)
      assert.match(warnings[0]!, /cannot be read and will not come: change\.version must be 1/)
    })
  )

  it.scoped("logs nothing when none is active", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* warningsOf([]), [])
      assert.deepStrictEqual(
        yield* warningsOf([create("schedule-1"), { version: 1, operation: "dispatch", id: "schedule-1" }]),
        []
      )
    })
  )

  it.scoped("logs nothing about those of a fork's parent", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* warningsOf([create("schedule-1")], 1), [])
      assert.strictEqual((yield* warningsOf([create("schedule-1"), create("schedule-1")], 1)).length, 1)
    })
  )
})

/** What opening a Session with these changes in its log warns about. */
const warningsOf = (changes: ReadonlyArray<unknown>, seedLength?: number) =>
  Effect.gen(function* () {
    const home = yield* temporaryDirectory
    const path = logPath(`${home}/sessions`, one)
    fs.mkdirSync(dirname(path), { recursive: true })
    const fields = { id: one, ...(seedLength === undefined ? {} : { parentSession: sessionId("parent"), seedLength }) }
    const events = changes.map((data, seq) => ({ seq, time: 0, type: "schedule/change", data }))
    fs.writeFileSync(path, lines(header(fields), ...events))
    const { sessions } = yield* start(home)
    yield* sessions.onOpen(LoadWarning.observer)
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
    yield* Effect.scoped(sessions.resolveAgent(one)).pipe(Effect.locally(FiberRef.currentLoggers, HashSet.make(logger)))
    assert.isTrue(Option.isSome(yield* sessions.liveAgent(one)))
    return warnings
  })
