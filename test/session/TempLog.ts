import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Context, Effect, Layer } from "effect"
import * as Disk from "../../src/session/Disk.ts"
import * as LogFiles from "../../src/session/LogFiles.ts"
import type { SessionEvent } from "../../src/session/SessionEvent.ts"
import * as SessionFiles from "../../src/session/SessionFiles.ts"
import { type SessionHeader, SessionId } from "../../src/session/SessionHeader.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"

/** A directory that is removed when the scope closes. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(join(tmpdir(), "host-schedule-session-"))),
  (path) => Effect.sync(() => fs.rmSync(path, { recursive: true, force: true }))
)

export const id = SessionId.make("s1")

export const header = (fields: Partial<SessionHeader> = {}): SessionHeader => ({
  type: "session",
  version: 1,
  id,
  createdAt: 1,
  delegationDepth: 0,
  ...fields
})

/** The log file of Session `s1` with this text in it. */
export const logFile = (text: string | Uint8Array) =>
  Effect.map(temporaryDirectory, (root) => {
    const path = SessionFiles.logPath(root, id)
    fs.mkdirSync(dirname(path), { recursive: true })
    fs.writeFileSync(path, text)
    return path
  })

export const lines = (...values: ReadonlyArray<unknown>): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("")

export const event = (seq: number, type = "note", data: unknown = {}): SessionEvent => ({ seq, time: seq, type, data })

/** The operations of the real disk, for a test to make some of them fail. */
export const realDisk: Effect.Effect<Disk.Disk["Type"]> = Effect.scoped(
  Effect.map(Layer.build(Disk.layer), Context.get(Disk.Disk))
)

export const open = (path: string, disk?: Disk.Disk["Type"], capacity = 4) =>
  Effect.flatMap(realDisk, (real) => SessionLog.open(id, path, LogFiles.make(disk ?? real, capacity)))
