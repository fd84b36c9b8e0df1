import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FastCheck as fc } from "effect"
import type { SessionCorrupt } from "../../src/session/SessionError.ts"
import type { SessionEvent } from "../../src/session/SessionEvent.ts"
import * as SessionFiles from "../../src/session/SessionFiles.ts"
import { event, header, id, lines, logFile, open, realDisk, temporaryDirectory } from "./TempLog.ts"

const everything = () => true

describe("a Session's log", () => {
  it.scoped("is created with its header alone, readable by its owner only", () =>
    Effect.gen(function* () {
      const root = `${yield* temporaryDirectory}/a/sessions`
      yield* SessionFiles.create(yield* realDisk, root, header({ title: "Notes" }), [])
      const path = SessionFiles.logPath(root, id)
      assert.strictEqual(fs.readFileSync(path, "utf8"), lines(header({ title: "Notes" })))
      assert.strictEqual(fs.statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(fs.statSync(`${root}/s1`).mode & 0o777, 0o700)
      assert.strictEqual(fs.statSync(root).mode & 0o777, 0o700)
      assert.deepStrictEqual(fs.readdirSync(`${root}/s1`), ["session.jsonl"])
    })
  )

  it.scoped("is not created twice, and the first one stays", () =>
    Effect.gen(function* () {
      const root = yield* temporaryDirectory
      const disk = yield* realDisk
      yield* SessionFiles.create(disk, root, header({ title: "first" }), [])
      const error = yield* Effect.flip(SessionFiles.create(disk, root, header({ title: "second" }), []))
      assert.strictEqual(error._tag, "SessionExists")
      assert.include(fs.readFileSync(SessionFiles.logPath(root, id), "utf8"), "first")
    })
  )

  for (const operation of ["write", "sync", "syncDirectory"] as const) {
    it.scoped(`is not there after all when ${operation} fails during its creation`, () =>
      Effect.gen(function* () {
        const root = yield* temporaryDirectory
        const disk = yield* realDisk
        const broken = { ...disk, [operation]: failing(operation) }
        const error = yield* Effect.flip(SessionFiles.create(broken, root, header(), []))
        assert.strictEqual(error._tag, "SessionIoError")
        assert.isFalse(fs.existsSync(SessionFiles.logPath(root, id)))
        yield* SessionFiles.create(disk, root, header(), [])
      })
    )
  }

  it.scoped("holds appended events in memory until a flush", () =>
    Effect.gen(function* () {
      const path = yield* logFile(lines(header()))
      const log = yield* open(path)
      assert.deepStrictEqual(log.append("note", { a: 1 }, 5), { seq: 0, time: 5, type: "note", data: { a: 1 } })
      assert.isTrue(log.dirty)
      assert.strictEqual(fs.readFileSync(path, "utf8"), lines(header()))
      assert.deepStrictEqual(
        yield* log.read(everything),
        [{ seq: 0, time: 5, type: "note", data: { a: 1 } }],
        "what is in memory can be read"
      )
      assert.isTrue(yield* log.flush)
      assert.isFalse(log.dirty)
      assert.strictEqual(
        fs.readFileSync(path, "utf8"),
        lines(header(), { seq: 0, time: 5, type: "note", data: { a: 1 } })
      )
    })
  )

  it.scoped.prop(
    "reads back exactly the events that were appended and flushed, whatever they are",
    {
      batches: fc.array(fc.array(fc.tuple(fc.string16bits({ minLength: 1 }), fc.jsonValue()), { maxLength: 8 }), {
        maxLength: 8
      })
    },
    ({ batches }) =>
      Effect.gen(function* () {
        const path = yield* logFile(lines(header()))
        const log = yield* open(path)
        const appended: Array<SessionEvent> = []
        for (const batch of batches) {
          for (const [type, data] of batch) appended.push(log.append(`x/${type}`, data, appended.length))
          assert.isTrue(yield* log.flush)
        }
        const expected = JSON.parse(JSON.stringify(appended))
        assert.deepStrictEqual(yield* log.read(everything), expected)
        const again = yield* open(path)
        assert.deepStrictEqual(yield* again.read(everything), expected)
        assert.strictEqual(again.state.events, appended.length)
      }),
    { fastCheck: { numRuns: 50 } }
  )

  it.scoped.prop(
    "cut anywhere in its last line loses that line alone, and goes on in its place",
    { count: fc.integer({ min: 1, max: 5 }), cut: fc.nat(), text: fc.string16bits() },
    ({ count, cut, text }) =>
      Effect.gen(function* () {
        const events = Array.from({ length: count }, (_, seq) => event(seq, "note", { text, seq }))
        const whole = Buffer.from(lines(header(), ...events))
        const last = Buffer.from(lines(events.at(-1))).length
        const lost = (cut % last) + 1
        const path = yield* logFile(whole.subarray(0, whole.length - lost))
        const log = yield* open(path)
        // Without its line feed alone, an event is still whole.
        const kept = lost === 1 ? events : events.slice(0, -1)
        assert.deepStrictEqual(yield* log.read(everything), kept)
        const next = log.append("after", {}, 9)
        assert.isTrue(yield* log.flush)
        assert.strictEqual(fs.readFileSync(path, "utf8"), lines(header(), ...kept, next))
      }),
    { fastCheck: { numRuns: 100 } }
  )

  it.scoped("is not written to by being opened, even when its last line is torn", () =>
    Effect.gen(function* () {
      const text = `${lines(header(), event(0))}{"seq":1,"ti`
      const path = yield* logFile(text)
      yield* open(path)
      assert.strictEqual(fs.readFileSync(path, "utf8"), text)
    })
  )

  it.each<[string, string | Uint8Array, number, string]>([
    ["nothing at all", "", 1, "empty"],
    ["half a header", '{"type":"session"', 1, "not whole"],
    ["no header", lines(event(0)), 1, "type"],
    ["a header of another version", lines({ ...header(), version: 2 }), 1, "version"],
    ["a header without its depth", lines({ ...header(), delegationDepth: undefined }), 1, "delegationDepth"],
    ["a header with a negative depth", lines({ ...header(), delegationDepth: -1 }), 1, "delegationDepth"],
    ["a header with a member that is not known", lines({ ...header(), seedLengt: 3 }), 1, "seedLengt"],
    ["a header of another Session", lines({ ...header(), id: "s2" }), 1, '"s2"'],
    ["a byte order mark", `\ufeff${lines(header())}`, 1, "not JSON"],
    ["an empty line", `${lines(header(), event(0))}\n${lines(event(1))}`, 3, "not JSON"],
    ["an event that is no object", lines(header(), [1]), 2, "object"],
    ["null for an event", lines(header(), null), 2, "object"],
    ["a first seq of 1", lines(header(), event(1)), 2, "seq must be 0"],
    ["a gap", lines(header(), event(0), event(2)), 3, "seq must be 1"],
    ["a repetition", lines(header(), event(0), event(0)), 3, "seq must be 1"],
    ["a seq that is text", lines(header(), { ...event(0), seq: "0" }), 2, "seq"],
    ["a time that is text", lines(header(), { ...event(0), time: "now" }), 2, "time"],
    ["an empty type", lines(header(), event(0, "")), 2, "type"],
    ["an event without data", lines(header(), { seq: 0, time: 0, type: "note" }), 2, "data"],
    ["a message without an id", lines(header(), event(0, "message/user", { text: "", source: "" })), 2, "id"],
    [
      "keys that are no list",
      lines(header(), event(0, "message/user", { id: "m", text: "", source: "", keys: "k" })),
      2,
      "keys"
    ],
    ["a torn line in the middle", `${lines(header())}{"seq":0,"ti\n${lines(event(0))}`, 2, "not JSON"],
    [
      "bytes that are not UTF-8",
      Buffer.concat([Buffer.from(lines(header(), event(0))), Buffer.from([0x22, 0xff, 0x22, 0x0a])]),
      3,
      "UTF-8"
    ]
  ])("with %s refuses, naming the line", (_, text, line, reason) =>
    Effect.gen(function* () {
      const path = yield* logFile(text)
      const error = yield* Effect.flip(open(path))
      assert.strictEqual(error._tag, "SessionCorrupt")
      assert.deepInclude(error, { path, line })
      assert.include((error as SessionCorrupt).reason, reason)
      assert.deepStrictEqual(fs.readFileSync(path), Buffer.from(text), "it stays as it was")
    }).pipe(Effect.scoped, Effect.runPromise)
  )

  it.scoped.prop(
    "with any one byte changed is refused, cut by its last line, or differs within one value of one line",
    { at: fc.nat(), to: fc.integer({ min: 0, max: 255 }) },
    ({ at, to }) =>
      Effect.gen(function* () {
        const events = [
          event(0, "message/user", { id: "m1", text: "first é", source: "user", keys: ["k@1"] }),
          event(1, "message/assistant", { id: "m2", text: "ok", replyTo: "m1" }),
          event(2, "inbox/consumed", { messageIds: ["m1"] })
        ]
        const bytes = Buffer.from(lines(header(), ...events))
        const place = at % bytes.length
        bytes[place] = to
        const path = yield* logFile(bytes)
        const read = yield* Effect.either(Effect.flatMap(open(path), (log) => log.read(everything)))
        if (read._tag === "Left") return assert.strictEqual(read.left._tag, "SessionCorrupt")
        const kept = read.right
        assert.isAtLeast(kept.length, 2, "no more than the last line was cut")
        const changed = kept.filter((one, seq) => JSON.stringify(one) !== JSON.stringify(events[seq]))
        assert.isAtMost(changed.length, 1)
        assert.deepStrictEqual(
          kept.map(({ seq }) => seq),
          kept.map((_, seq) => seq)
        )
      }),
    { fastCheck: { numRuns: 200 } }
  )

  it.scoped("is read in pieces, lines and characters across their borders included", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 3000 }, (_, seq) => event(seq, "note", { text: "é⏰".repeat(seq % 97) }))
      events.push(event(3000, "note", { text: "x".repeat(900_000) }))
      const path = yield* logFile(lines(header(), ...events))
      assert.deepStrictEqual(yield* Effect.flatMap(open(path), (log) => log.read(everything)), events)
    })
  )
})

describe("flush", () => {
  it.scoped("answers true at once when there is nothing to do, after the first sync of what was there", () =>
    Effect.gen(function* () {
      const { disk, calls } = yield* counting
      const log = yield* open(yield* logFile(lines(header(), event(0))), disk)
      assert.isTrue(yield* log.flush)
      assert.strictEqual(calls.sync, 1, "another process may have left it in the system's cache")
      assert.isTrue(yield* log.flush)
      assert.deepInclude(calls, { sync: 1, write: 0 })
    })
  )

  it.scoped("shares one write and one sync among callers that wait at the same time", () =>
    Effect.gen(function* () {
      const { disk, calls, hold, release } = yield* counting
      const log = yield* open(yield* logFile(lines(header())), disk)
      hold()
      const flushes: Array<Fiber.Fiber<boolean>> = []
      for (let seq = 0; seq < 10; seq++) {
        log.append("note", {}, seq)
        flushes.push(yield* Effect.fork(log.flush))
        yield* Effect.yieldNow()
      }
      release()
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(flushes)), Array(10).fill(true))
      assert.deepInclude(calls, { write: 2, sync: 2 })
    })
  )

  it.scoped("an interrupted caller takes nothing away from the others", () =>
    Effect.gen(function* () {
      const { disk, hold, release } = yield* counting
      const log = yield* open(yield* logFile(lines(header())), disk)
      hold()
      log.append("note", {}, 0)
      const gone = yield* Effect.fork(log.flush)
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(log.flush)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(gone)
      release()
      assert.isTrue(yield* Fiber.join(waiting))
      assert.isFalse(log.dirty)
    })
  )

  for (const operation of ["open", "write", "sync"] as const) {
    it.scoped(`answers false when ${operation} fails, and writes everything again the next time`, () =>
      Effect.gen(function* () {
        const real = yield* realDisk
        let broken = true
        const disk = {
          ...real,
          [operation]: (...args: ReadonlyArray<unknown>) =>
            broken ? failing(operation)() : Reflect.apply(real[operation], real, args)
        }
        const path = yield* logFile(lines(header(), event(0)))
        const log = yield* open(path, disk)
        log.append("note", {}, 1)
        assert.isFalse(yield* log.flush)
        assert.isTrue(log.dirty)
        log.append("note", {}, 2)
        assert.isFalse(yield* log.flush)
        assert.instanceOf(log.lastFailure, Error)
        broken = false
        assert.isTrue(yield* log.flush)
        assert.strictEqual(fs.readFileSync(path, "utf8"), lines(header(), event(0), event(1), event(2)))
      })
    )
  }

  it.scoped("does not believe a sync that follows a failed one: the bytes are written again", () =>
    Effect.gen(function* () {
      // A disk whose failed sync drops what it could not store, as Linux does, and marks it clean.
      const path = yield* logFile(lines(header()))
      const real = yield* realDisk
      let stored = fs.readFileSync(path)
      let fail = true
      const log = yield* open(path, {
        ...real,
        sync: (_, done) => {
          if (fail) {
            fs.writeFileSync(path, stored)
            done(new Error("EIO"))
          } else {
            stored = fs.readFileSync(path)
            done(null)
          }
        }
      })
      log.append("note", {}, 0)
      assert.isFalse(yield* log.flush)
      fail = false
      assert.isTrue(yield* log.flush)
      assert.strictEqual(stored.toString(), lines(header(), event(0)))
    })
  )

  it.scoped.prop(
    "acknowledges exactly what is stored, whatever fails and however short the writes are",
    {
      script: fc.array(
        fc.tuple(fc.constantFrom("append", "flush", "fail-write", "fail-sync"), fc.integer({ min: 1, max: 40 })),
        { maxLength: 40 }
      )
    },
    ({ script }) =>
      Effect.gen(function* () {
        const path = yield* logFile(lines(header()))
        const real = yield* realDisk
        let fault: string | undefined
        let most = 40
        let stored = fs.readFileSync(path)
        const log = yield* open(path, {
          ...real,
          write: (file, bytes, position) => {
            const taken = real.write(file, bytes.subarray(0, most), position)
            if (fault !== "fail-write") return taken
            fault = undefined
            throw new Error("ENOSPC")
          },
          sync: (_, done) => {
            if (fault === "fail-sync") {
              fault = undefined
              // Any prefix of what was written may have reached the disk.
              fs.writeFileSync(path, fs.readFileSync(path).subarray(0, stored.length + most))
              return done(new Error("EIO"))
            }
            stored = fs.readFileSync(path)
            done(null)
          }
        })
        const appended: Array<SessionEvent> = []
        for (const [step, size] of script) {
          most = size
          if (step === "append") appended.push(log.append("note", "x".repeat(size), appended.length))
          else if (step === "flush") {
            if (yield* log.flush) assert.strictEqual(stored.toString(), lines(header(), ...appended))
          } else fault = step
        }
        fault = undefined
        assert.isTrue(yield* log.flush)
        assert.strictEqual(fs.readFileSync(path, "utf8"), lines(header(), ...appended))
      }),
    { fastCheck: { numRuns: 200 } }
  )

  it.scoped("keeps no more files open than it may", () =>
    Effect.gen(function* () {
      const real = yield* realDisk
      const files = new Set<number>()
      let most = 0
      const disk = {
        ...real,
        open: (path: string) => {
          const file = real.open(path)
          files.add(file)
          most = Math.max(most, files.size)
          return file
        },
        close: (file: number) => {
          files.delete(file)
          real.close(file)
        }
      }
      const { make } = yield* Effect.promise(() => import("../../src/session/LogFiles.ts"))
      const pool = make(disk, 3)
      const root = yield* temporaryDirectory
      for (let file = 0; file < 7; file++) fs.writeFileSync(`${root}/${file}`, "")
      for (let round = 0; round < 20; round++) {
        pool.acquire(`${root}/${round % 7}`)
        pool.release(`${root}/${round % 7}`)
      }
      assert.strictEqual(most, 4, "one more while it is in use")
      assert.strictEqual(files.size, 3)
    })
  )
})

describe("the keys of a Session's messages", () => {
  it.scoped("are known at once, are durable after a flush, and are known again when the log is opened", () =>
    Effect.gen(function* () {
      const path = yield* logFile(lines(header()))
      const log = yield* open(path)
      log.append("message/user", { id: "m1", text: "", source: "schedule", keys: ["a@1", "b@1"] }, 0)
      log.append("message/user", { id: "m2", text: "", source: "schedule", keys: ["b@1"] }, 1)
      const held = (durable: boolean) => [
        ["a@1", { messageId: "m1", durable }],
        ["b@1", { messageId: "m2", durable }]
      ]
      assert.deepEqual<unknown>([...log.heldKeys(["a@1", "b@1", "c@1"])], held(false))
      yield* log.flush
      assert.deepEqual<unknown>([...log.heldKeys(["a@1", "b@1", "c@1"])], held(true))
      const again = yield* open(path)
      assert.deepEqual<unknown>(
        [...again.heldKeys(["a@1", "b@1"])],
        held(false),
        "they may be in the system's cache only"
      )
      yield* again.flush
      assert.deepEqual<unknown>([...again.heldKeys(["a@1", "b@1"])], held(true))
    })
  )

  it.scoped("of a fork are those after its seed", () =>
    Effect.gen(function* () {
      const message = (id: string, key: string) => ({ id, text: "", source: "schedule", keys: [key] })
      const path = yield* logFile(
        lines(
          header({ parentSession: id, seedLength: 1 }),
          event(0, "message/user", message("m1", "a@1")),
          event(1, "message/user", message("m2", "a@2"))
        )
      )
      const log = yield* open(path)
      assert.deepEqual<unknown>([...log.heldKeys(["a@1", "a@2"])], [["a@2", { messageId: "m2", durable: false }]])
      assert.deepStrictEqual([...log.state.inbox.keys()], ["m2"])
    })
  )
})

const failing = (operation: string) => (): never => {
  throw new Error(`${operation} failed`)
}

const counting = Effect.map(realDisk, (real) => {
  const calls = { write: 0, sync: 0 }
  let held: Array<() => void> | undefined
  return {
    calls,
    /** Lets no sync end until `release`. */
    hold: () => {
      held = []
    },
    release: () => {
      const waiting = held ?? []
      held = undefined
      for (const go of waiting) go()
    },
    disk: {
      ...real,
      write: (file: number, bytes: Uint8Array, position: number) => {
        calls.write++
        return real.write(file, bytes, position)
      },
      sync: (file: number, done: (error: Error | null) => void) => {
        calls.sync++
        const go = () => real.sync(file, done)
        if (held === undefined) go()
        else held.push(go)
      }
    }
  }
})
