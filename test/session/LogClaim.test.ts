import * as fs from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, FastCheck, Fiber } from "effect"
import type { Disk } from "../../src/session/Disk.ts"
import * as LogClaim from "../../src/session/LogClaim.ts"
import * as LogFiles from "../../src/session/LogFiles.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import { header, id, lines, logFile, realDisk } from "./TempLog.ts"

/** A process that takes the log over and opens it. */
const owner = (path: string, token: number, disk: Disk["Type"], capacity = 4) =>
  Effect.gen(function* () {
    const claim = LogClaim.make(disk, token)
    yield* claim.take(path)
    return yield* SessionLog.open(id, path, LogFiles.make(claim.disk, capacity))
  })

const appendOf = (log: SessionLog.SessionLog, note: string) => {
  log.append("note", note, 1)
  return log.flush
}

const notesOf = (log: SessionLog.SessionLog) =>
  Effect.map(
    log.read(() => true),
    (events) => events.map(({ data }) => String(data))
  )

describe("a log that is taken over", () => {
  it.scoped("holds what the former owner was told is on disk, and nothing that he writes later", () =>
    Effect.gen(function* () {
      const path = yield* logFile(lines(header()))
      const disk = yield* realDisk
      const former = yield* owner(path, 1, disk)
      assert.isTrue(yield* appendOf(former, "acknowledged"))
      former.append("note", "in memory", 1)

      const next = yield* owner(path, 2, disk)
      assert.deepStrictEqual(yield* notesOf(next), ["acknowledged"])
      assert.isFalse(yield* former.flush)
      assert.instanceOf(former.lastFailure, LogClaim.TakenOver)
      assert.isTrue(yield* appendOf(next, "next"))
      // whatever he tries
      assert.isFalse(yield* appendOf(former, "later"))
      assert.isFalse(yield* former.flush)
      former.close()
      assert.deepStrictEqual(yield* notesOf(next), ["acknowledged", "next"])
      assert.isTrue(yield* appendOf(next, "more"))
      assert.deepStrictEqual(yield* notesOf(yield* owner(path, 3, disk)), ["acknowledged", "next", "more"])
    })
  )

  it.scoped("is not written by a former owner who has to open its file again", () =>
    Effect.gen(function* () {
      const path = yield* logFile(lines(header()))
      const disk = yield* realDisk
      const former = yield* owner(path, 1, disk, 0)
      assert.isTrue(yield* appendOf(former, "acknowledged"))
      const next = yield* owner(path, 2, disk)
      assert.isTrue(yield* appendOf(next, "next"))
      const bytes = fs.readFileSync(path)
      assert.isFalse(yield* appendOf(former, "a text that is longer than the other one"))
      assert.deepStrictEqual(fs.readFileSync(path), bytes)
    })
  )

  it.scoped("keeps what is written while a former owner is paused in the middle of taking it over", () =>
    Effect.gen(function* () {
      const path = yield* logFile(lines(header()))
      const disk = yield* realDisk
      // pauses between the copy and the renaming of it
      const reached = yield* Deferred.make<void>()
      const resume: { now: () => void } = { now: () => {} }
      const pausing: Disk["Type"] = {
        ...disk,
        sync: (_, done) => {
          resume.now = () => done(null)
          Deferred.unsafeDone(reached, Exit.void)
        }
      }
      const paused = yield* Effect.fork(Effect.flip(owner(path, 1, pausing)))
      yield* Deferred.await(reached)
      const next = yield* owner(path, 2, disk)
      assert.isTrue(yield* appendOf(next, "next"))
      resume.now()
      const error = yield* Fiber.join(paused)
      assert.include(error.message, "another Host has taken the Session over")
      assert.deepStrictEqual(yield* notesOf(yield* owner(path, 3, disk)), ["next"])
    })
  )

  it.scoped("is not taken by whoever comes too late", () =>
    Effect.gen(function* () {
      const path = yield* logFile(lines(header()))
      const disk = yield* realDisk
      yield* owner(path, 2, disk)
      const error = yield* Effect.flip(owner(path, 1, disk))
      assert.strictEqual(error._tag, "SessionIoError")
      assert.deepStrictEqual(fs.readdirSync(dirname(path)).sort(), ["claim.2", "session.jsonl"])
    })
  )

  it.effect("loses nothing acknowledged and repeats nothing, however owners overlap", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(FastCheck.record({ start: FastCheck.nat(40), notes: FastCheck.nat(12) }), {
            minLength: 2,
            maxLength: 5
          }),
          FastCheck.infiniteStream(FastCheck.nat(6)),
          (owners, delays) => Effect.runPromise(Effect.scoped(overlap(owners, delays)))
        ),
        { numRuns: 60 }
      )
    )
  )
})

/** Owners who begin at some time and write some notes, each waiting for its flush; later ones do not wait for earlier ones. */
const overlap = (
  owners: ReadonlyArray<{ readonly start: number; readonly notes: number }>,
  delays: IterableIterator<number>
) =>
  Effect.gen(function* () {
    const path = yield* logFile(lines(header()))
    const disk = slow(yield* realDisk, () => delays.next().value)
    const acknowledged: Array<string> = []
    const work = (token: number, { notes, start }: { readonly start: number; readonly notes: number }) =>
      Effect.gen(function* () {
        yield* ticks(start)
        const log = yield* owner(path, token, disk)
        for (let i = 0; i < notes; i++) {
          if (yield* appendOf(log, `${token}.${i}`)) acknowledged.push(`${token}.${i}`)
        }
      }).pipe(Effect.catchTag("SessionIoError", () => Effect.void))
    yield* Effect.forEach(owners, (one, index) => work(index + 1, one), { concurrency: "unbounded", discard: true })

    const notes = yield* notesOf(yield* owner(path, owners.length + 1, disk))
    assert.strictEqual(new Set(notes).size, notes.length)
    for (const note of acknowledged) assert.include(notes, note)
  })

const ticks = (count: number) =>
  Effect.async<void>((resume) => {
    const next = (left: number) => (left === 0 ? resume(Effect.void) : setImmediate(() => next(left - 1)))
    next(count)
  })

/** A disk whose syncs take some turns of the event loop. */
const slow = (disk: Disk["Type"], delay: () => number): Disk["Type"] => {
  const later = (done: (error: Error | null) => void) => {
    const next = (left: number) => (left === 0 ? done(null) : setImmediate(() => next(left - 1)))
    next(delay())
  }
  return { ...disk, sync: (_, done) => later(done), syncDirectory: (_, done) => later(done) }
}
