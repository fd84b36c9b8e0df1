import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Exit, Fiber, FastCheck as fc, Layer, Option, Scope, Stream, TestClock } from "effect"
import * as Disk from "../../src/session/Disk.ts"
import { logPath } from "../../src/session/SessionFiles.ts"
import { SessionId } from "../../src/session/SessionHeader.ts"
import { realDisk, temporaryDirectory } from "./TempLog.ts"
import { sessionId, start } from "./TestSessions.ts"

const one = sessionId("one")
const hello = { text: "hello", source: "user" }

describe("the Session controller", () => {
  it.scoped("creates Sessions that are there after a restart", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      yield* TestClock.setTime(1_000)
      const created = yield* Effect.scoped(
        Effect.gen(function* () {
          const { sessions } = yield* start(home)
          return yield* sessions.create({ id: one, title: "Notes", cwd: "/tmp" })
        })
      )
      assert.deepStrictEqual(created, {
        header: {
          type: "session",
          version: 1,
          id: one,
          createdAt: 1_000,
          title: "Notes",
          cwd: "/tmp",
          delegationDepth: 0
        },
        title: "Notes",
        archived: false,
        events: 0,
        pending: 0,
        updatedAt: 1_000
      })
      const { sessions } = yield* start(home)
      assert.deepStrictEqual(yield* sessions.get(one), created)
      assert.deepStrictEqual(yield* sessions.list, { sessions: [created], unreadable: [] })
    })
  )

  it.scoped("gives a Session without an id a fresh one", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      const ids = yield* Effect.forEach([1, 2], () => Effect.map(sessions.create({}), ({ header }) => header.id))
      assert.match(ids[0]!, /^[0-9a-f-]{36}$/)
      assert.notStrictEqual(ids[0], ids[1])
    })
  )

  it.scoped("creates one of many Sessions with the same id, at once or later, live or not", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      const all = yield* Effect.all(
        Array.from({ length: 10 }, () => Effect.exit(sessions.create({ id: one }))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(all.filter(Exit.isSuccess).length, 1)
      yield* sessions.resolveAgent(one)
      assert.strictEqual((yield* Effect.flip(sessions.create({ id: one })))._tag, "SessionExists")
    })
  )

  it.scoped("keeps Sessions apart whose ids a file system could take for one", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      const ids = [
        "a",
        "A",
        "..",
        "../a",
        "CON",
        "con",
        "é",
        "e\u0301",
        "a/b",
        "x".repeat(500),
        `${"x".repeat(500)}y`,
        "⏰",
        "%2e"
      ]
      for (const id of ids) yield* sessions.create({ id: sessionId(id), title: `title of ${id}` })
      for (const id of ids) {
        assert.strictEqual((yield* sessions.get(sessionId(id))).title, `title of ${id}`)
        assert.strictEqual((yield* sessions.resolveAgent(sessionId(id))).sessionId, id)
      }
      assert.strictEqual((yield* sessions.list).sessions.length, ids.length)
    })
  )

  it.scoped("refuses what makes no Session", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: one })
      for (const wrong of [
        { seedLength: 1 },
        { parentSession: one, seedLength: 1 },
        { parentSession: one, seedLength: -1 },
        { delegationDepth: -1 },
        { delegationDepth: 0.5 }
      ]) {
        assert.strictEqual((yield* Effect.flip(sessions.create(wrong)))._tag, "SessionInvalid")
      }
      assert.strictEqual(
        (yield* Effect.flip(sessions.create({ parentSession: sessionId("none"), seedLength: 1 })))._tag,
        "SessionNotFound"
      )
      assert.strictEqual((yield* Effect.flip(sessions.rename(one, "  ")))._tag, "SessionInvalid")
    })
  )

  it.scoped("lists by latest activity, and names what cannot be read without failing", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const { sessions } = yield* start(home)
      for (const id of ["a", "b", "c", "broken"]) {
        yield* TestClock.adjust("1 second")
        yield* sessions.create({ id: sessionId(id) })
      }
      yield* TestClock.adjust("1 second")
      yield* sessions.rename(sessionId("a"), "latest")
      fs.appendFileSync(logPath(`${home}/sessions`, sessionId("broken")), "{}\n")
      fs.mkdirSync(`${home}/sessions/unfinished`)
      fs.writeFileSync(`${home}/sessions/unfinished/session.jsonl.new`, "half")
      const { sessions: listed, unreadable } = yield* sessions.list
      assert.deepStrictEqual(
        listed.map(({ header }) => header.id as string),
        ["a", "c", "b"]
      )
      assert.deepStrictEqual(
        unreadable.map((error) => error.message),
        [`${logPath(`${home}/sessions`, sessionId("broken"))}:2: seq must be 0`]
      )
      assert.strictEqual((yield* Effect.flip(sessions.resolveAgent(sessionId("broken"))))._tag, "SessionCorrupt")
      assert.strictEqual((yield* Effect.flip(sessions.resolveAgent(sessionId("unfinished"))))._tag, "SessionNotFound")
    })
  )

  it.scoped.prop(
    "knows the same of Sessions with and without what it remembers of them, whatever workspace.json holds",
    {
      steps: fc.array(
        fc.tuple(
          fc.constantFrom("a", "b"),
          fc.constantFrom<"message" | "rename" | "archive" | "unarchive">("message", "rename", "archive", "unarchive")
        ),
        { maxLength: 10 }
      ),
      memory: fc.constantFrom("kept", "lost", "stale", "broken", "empty")
    },
    ({ steps, memory }) =>
      Effect.gen(function* () {
        const home = yield* temporaryDirectory
        const file = `${home}/workspace.json`
        const before = yield* Effect.scoped(
          Effect.gen(function* () {
            const { sessions } = yield* start(home)
            for (const id of ["a", "b"]) yield* sessions.create({ id: sessionId(id) })
            yield* sessions.list
            const stale = fs.readFileSync(file)
            for (const [name, step] of steps) {
              yield* TestClock.adjust("1 second")
              const id = sessionId(name)
              if (step === "rename") yield* sessions.rename(id, `title ${steps.length}`)
              else if (step === "message") {
                yield* Effect.scoped(Effect.flatMap(sessions.resolveAgent(id), (agent) => agent.followup(hello))).pipe(
                  Effect.catchTag("SessionIsArchived", () => Effect.void)
                )
              } else yield* sessions[step](id)
            }
            const list = yield* sessions.list
            return { stale, list }
          })
        )
        if (memory === "lost") fs.rmSync(file)
        if (memory === "stale") fs.writeFileSync(file, before.stale)
        if (memory === "broken") fs.writeFileSync(file, '{"version":1,"sessions":{"a":')
        if (memory === "empty") fs.writeFileSync(file, "")
        const { sessions } = yield* start(home)
        assert.deepStrictEqual(yield* sessions.list, before.list)
      }),
    { fastCheck: { numRuns: 40 } }
  )

  it.scoped("shows a Session's log, live or cold, whole or in part", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const shown = yield* Effect.scoped(
        Effect.gen(function* () {
          const { sessions } = yield* start(home)
          yield* sessions.create({ id: one })
          const agent = yield* sessions.resolveAgent(one)
          for (const text of ["a", "b", "c"]) yield* agent.followup({ text, source: "user" })
          const { log, events } = yield* sessions.show(one, { from: 1, limit: 1 })
          assert.strictEqual(events, 3)
          assert.deepStrictEqual(
            log.map(({ seq, type }) => [seq, type]),
            [[1, "message/user"]]
          )
          return yield* sessions.show(one)
        })
      )
      const { sessions } = yield* start(home)
      assert.deepStrictEqual(yield* sessions.show(one), shown)
      assert.isTrue(Option.isNone(yield* sessions.liveAgent(one)), "showing activates nothing")
    })
  )

  it.scoped("tells which Sessions change", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      const changes = yield* Effect.fork(Stream.runCollect(Stream.take(sessions.changes, 3)))
      yield* Effect.yieldNow()
      yield* sessions.create({ id: one })
      yield* sessions.rename(one, "first")
      yield* Effect.flatMap(sessions.resolveAgent(one), (agent) => agent.followup(hello))
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Fiber.join(changes)), [one, one, one])
    })
  )

  it.scoped("a fork starts with its parent's first events and owns only what follows", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: one, title: "parent" })
      const parent = yield* sessions.resolveAgent(one)
      yield* parent.followup({ ...hello, keys: ["k@1"] })
      yield* sessions.rename(one, "renamed")
      yield* parent.followup(hello)
      const fork = yield* sessions.create({ id: sessionId("fork"), parentSession: one, seedLength: 2 })
      assert.deepInclude(fork, { events: 2, pending: 0 })
      assert.isUndefined(fork.title)
      const agent = yield* sessions.resolveAgent(sessionId("fork"))
      assert.strictEqual(agent.heldKeys(["k@1"]).size, 0)
      assert.deepStrictEqual(yield* agent.inbox, [])
      const appended = yield* agent.append("note", {})
      assert.strictEqual(appended.seq, 2)
      assert.deepStrictEqual(yield* agent.events(), [appended])
      assert.deepStrictEqual(
        (yield* sessions.show(sessionId("fork"))).log.slice(0, 2),
        (yield* sessions.show(one)).log.slice(0, 2)
      )
    })
  )
})

describe("resolving an Agent", () => {
  it.scoped("answers the same Agent to everyone, however many ask at once", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      yield* Effect.scoped(Effect.flatMap(start(home), ({ sessions }) => sessions.create({ id: one })))
      const { sessions } = yield* start(home)
      const agents = yield* Effect.all(
        Array.from({ length: 50 }, () => sessions.resolveAgent(one)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(agents).size, 1)
      assert.deepStrictEqual(yield* sessions.liveAgent(one), Option.some(agents[0]!))
    })
  )

  it.scoped("goes on for the others when the one who asked first is interrupted", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: one })
      const first = yield* Effect.fork(Effect.scoped(sessions.resolveAgent(one)))
      const second = yield* Effect.fork(sessions.resolveAgent(one))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(second)).sessionId, one)
    })
  )

  it.scoped("refuses unknown Sessions, archived ones, and those of subagents", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const child = sessionId("child")
      const check = ({ sessions }: Effect.Effect.Success<ReturnType<typeof start>>) =>
        Effect.gen(function* () {
          const unknown = yield* Effect.flip(sessions.resolveAgent(sessionId("nobody")))
          assert.strictEqual(unknown._tag, "SessionNotFound")
          const archived = yield* Effect.flip(sessions.resolveAgent(one))
          assert.strictEqual(archived._tag, "SessionIsArchived")
          const delegated = yield* Effect.flip(sessions.resolveAgent(child))
          assert.deepInclude(delegated, { _tag: "DelegatedChild", delegationDepth: 2 })
          assert.strictEqual(yield* sessions.delegationDepth(child), 2)
          assert.strictEqual(yield* sessions.delegationDepth(one), 0)
          assert.strictEqual(
            (yield* Effect.flip(sessions.delegationDepth(sessionId("nobody"))))._tag,
            "SessionNotFound"
          )
        })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const host = yield* start(home)
          yield* host.sessions.create({ id: one })
          yield* host.sessions.create({ id: child, delegationDepth: 2, parentSession: one })
          yield* host.sessions.archive(one)
          yield* check(host)
        })
      )
      yield* check(yield* start(home))
    })
  )

  it.scoped("releases an Agent that nobody used for a while, and restores it as it was", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: one })
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const agent = yield* sessions.resolveAgent(one)
          yield* agent.followup({ ...hello, keys: ["k@1"] })
          yield* TestClock.adjust("1 hour")
          assert.isTrue(Option.isSome(yield* sessions.liveAgent(one)), "it is held")
          return agent
        })
      )
      yield* TestClock.adjust("4 minutes")
      assert.isTrue(Option.isSome(yield* sessions.liveAgent(one)))
      yield* TestClock.adjust("6 minutes")
      yield* untilCold(sessions)
      const second = yield* sessions.resolveAgent(one)
      assert.strictEqual((yield* Effect.flip(first.followup(hello)))._tag, "AgentReleased")
      assert.strictEqual((yield* Effect.flip(first.append("note", {})))._tag, "AgentReleased")
      assert.strictEqual((yield* Effect.flip(first.runMaintenance(Effect.void)))._tag, "AgentReleased")
      assert.notStrictEqual(second, first)
      assert.deepEqual([...second.heldKeys(["k@1"]).keys()], ["k@1"])
      assert.deepStrictEqual(
        (yield* second.inbox).map(({ text }) => text),
        ["hello"]
      )
    })
  )

  it.scoped("does not release an Agent during maintenance, nor one whose events cannot be written", () =>
    Effect.gen(function* () {
      const real = yield* realDisk
      let broken = false
      const disk = Layer.succeed(Disk.Disk, {
        ...real,
        sync: (file, done) => (broken ? done(new Error("EIO")) : real.sync(file, done))
      })
      const { sessions } = yield* start(yield* temporaryDirectory, { disk })
      yield* sessions.create({ id: one })
      const agent = yield* Effect.scoped(sessions.resolveAgent(one))
      const maintenance = yield* Effect.fork(agent.runMaintenance(Effect.sleep("1 hour")))
      yield* TestClock.adjust("59 minutes")
      assert.isTrue(Option.isSome(yield* sessions.liveAgent(one)))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(maintenance)
      broken = true
      yield* agent.append("note", {})
      yield* TestClock.adjust("1 hour")
      assert.isTrue(Option.isSome(yield* sessions.liveAgent(one)))
      broken = false
      yield* TestClock.adjust("10 minutes")
      yield* untilCold(sessions)
      assert.strictEqual((yield* sessions.show(one)).log.length, 1)
    })
  )

  it.scoped("what is mounted on Agents lives as long as they do, and still works when they are released", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const scope = yield* Scope.make()
      const { sessions } = yield* Scope.extend(start(home), scope)
      yield* sessions.create({ id: one })
      yield* sessions.rename(one, "opened, not live")
      const before = yield* sessions.create({ id: sessionId("before") })
      yield* Scope.extend(sessions.resolveAgent(before.header.id), scope)
      const mounted: Array<string> = []
      yield* Scope.extend(
        sessions.onAgent((agent) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              mounted.push(agent.sessionId)
            }),
            () => Effect.ignore(agent.append("unmounted", {}))
          )
        ),
        scope
      )
      yield* Effect.scoped(sessions.resolveAgent(before.header.id))
      yield* Effect.scoped(sessions.resolveAgent(one))
      yield* Effect.scoped(sessions.resolveAgent(one))
      assert.deepStrictEqual(mounted, [one])
      yield* Scope.close(scope, Exit.void)
      const again = yield* start(home)
      assert.deepStrictEqual(
        (yield* again.sessions.show(one)).log.map(({ type }) => type),
        ["session/renamed", "unmounted"]
      )
    })
  )

  it.scoped("tells observers of the own events of a Session that is opened, and is not stopped by them", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { sessions } = yield* start(home)
          yield* sessions.create({ id: one })
          const agent = yield* sessions.resolveAgent(one)
          yield* agent.append("schedule/change", { version: 0 })
          yield* agent.append("note", {})
          yield* sessions.create({ id: sessionId("fork"), parentSession: one, seedLength: 2 })
          const fork = yield* sessions.resolveAgent(sessionId("fork"))
          yield* fork.append("schedule/change", { version: 1 })
        })
      )
      const { sessions } = yield* start(home)
      const seen: Array<unknown> = []
      yield* sessions.onOpen({ types: ["schedule/change"], opened: () => Effect.die("broken observer") })
      yield* sessions.onOpen({
        types: ["schedule/change"],
        opened: (header, events) => Effect.sync(() => void seen.push([header.id, events.map(({ data }) => data)]))
      })
      yield* sessions.resolveAgent(one)
      yield* sessions.resolveAgent(one)
      yield* sessions.resolveAgent(sessionId("fork"))
      assert.deepStrictEqual(seen, [
        ["one", [{ version: 0 }]],
        ["fork", [{ version: 1 }]]
      ])
    })
  )

  it.scoped("fails once the Host closes, after everything was written", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const scope = yield* Scope.make()
      const { sessions } = yield* Scope.extend(start(home), scope)
      yield* sessions.create({ id: one })
      const agent = yield* Scope.extend(sessions.resolveAgent(one), scope)
      yield* agent.followup(hello)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Effect.flip(sessions.resolveAgent(one)))._tag, "SessionIoError")
      assert.include(fs.readFileSync(logPath(`${home}/sessions`, one), "utf8"), '"hello"')
    })
  )
})

describe("archiving", () => {
  it.scoped("is durable, refuses messages, and is taken back by unarchiving", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const { sessions } = yield* start(home)
      yield* sessions.create({ id: one })
      const agent = yield* sessions.resolveAgent(one)
      assert.isTrue((yield* sessions.archive(one)).archived)
      assert.isTrue((yield* sessions.archive(one)).archived)
      assert.include(fs.readFileSync(logPath(`${home}/sessions`, one), "utf8"), "session/archived")
      assert.strictEqual((yield* Effect.flip(agent.followup(hello)))._tag, "SessionIsArchived")
      assert.isFalse((yield* sessions.unarchive(one)).archived)
      yield* agent.followup(hello)
      assert.deepStrictEqual(
        (yield* sessions.show(one)).log.map(({ type }) => type),
        ["session/archived", "session/unarchived", "message/user"]
      )
    })
  )

  it.scoped("is refused with what still runs, the latest provider first", () =>
    Effect.gen(function* () {
      const { sessions, workspace } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: one })
      const items = [{ id: "1", label: "first" }]
      const nothing = { stop: () => Effect.void }
      yield* workspace.register({ family: "build", activity: () => Effect.succeed(items), ...nothing })
      yield* workspace.register({ family: "quiet", activity: () => Effect.succeed([]), ...nothing })
      yield* workspace.register({ family: "schedule", activity: () => Effect.succeed(items), ...nothing })
      const error = yield* Effect.flip(sessions.archive(one))
      assert.deepInclude(error, {
        _tag: "SessionActive",
        activity: [
          { family: "schedule", items },
          { family: "build", items }
        ]
      })
      assert.isFalse((yield* sessions.get(one)).archived)
    })
  )

  it.scoped("with stopActivity archives first, then asks everyone to stop, and stays when one cannot", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory
      const { sessions, workspace } = yield* start(home)
      yield* sessions.create({ id: one })
      const stopped: Array<string> = []
      const provider = (family: string, stop: Effect.Effect<void, string>) =>
        workspace.register({
          family,
          activity: () => Effect.succeed([{ id: "1", label: family }]),
          stop: () =>
            Effect.sync(() => {
              assert.include(fs.readFileSync(logPath(`${home}/sessions`, one), "utf8"), "session/archived")
              stopped.push(family)
            }).pipe(Effect.zipRight(stop))
        })
      yield* provider("first", Effect.void)
      yield* provider("failing", Effect.fail("no"))
      yield* provider("dying", Effect.die("no"))
      assert.isTrue((yield* sessions.archive(one, { stopActivity: true })).archived)
      assert.deepStrictEqual(stopped, ["dying", "failing", "first"])
    })
  )

  it.scoped("with stopActivity asks everyone to stop even if the caller goes away meanwhile", () =>
    Effect.gen(function* () {
      const { sessions, workspace } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: one })
      const asked = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const stopped: Array<string> = []
      const provider = (family: string, stop: Effect.Effect<void>) =>
        workspace.register({
          family,
          activity: () => Effect.succeed([]),
          stop: () => Effect.map(stop, () => stopped.push(family))
        })
      yield* provider("last", Effect.void)
      yield* provider("slow", Effect.zipRight(Deferred.succeed(asked, undefined), Deferred.await(gate)))
      const archiving = yield* Effect.fork(sessions.archive(one, { stopActivity: true }))
      yield* Deferred.await(asked)
      const leaving = yield* Effect.fork(Fiber.interrupt(archiving))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(leaving)
      assert.deepStrictEqual(stopped, ["slow", "last"])
    })
  )

  it.scoped("is refused when a provider cannot tell, and by providers only while they are registered", () =>
    Effect.gen(function* () {
      const { sessions, workspace } = yield* start(yield* temporaryDirectory)
      yield* sessions.create({ id: one })
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* workspace.register({ family: "lost", activity: () => Effect.fail("no"), stop: () => Effect.void })
          const error = yield* Effect.flip(sessions.archive(one))
          assert.deepInclude(error, { _tag: "ActivityUnknown", family: "lost" })
        })
      )
      assert.isTrue((yield* sessions.archive(one)).archived)
    })
  )

  it.scoped("fails while the disk does, and can be done again", () =>
    Effect.gen(function* () {
      const real = yield* realDisk
      let broken = false
      const disk = Layer.succeed(Disk.Disk, {
        ...real,
        sync: (file, done) => (broken ? done(new Error("EIO")) : real.sync(file, done))
      })
      const home = yield* temporaryDirectory
      const { sessions } = yield* start(home, { disk })
      yield* sessions.create({ id: one })
      broken = true
      const error = yield* Effect.flip(sessions.archive(one))
      assert.deepInclude(error, { _tag: "SessionIoError" })
      broken = false
      yield* sessions.archive(one)
      assert.strictEqual((yield* sessions.show(one)).log.length, 1)
    })
  )

  it.scoped("of an unknown Session fails, asked nicely or not", () =>
    Effect.gen(function* () {
      const { sessions } = yield* start(yield* temporaryDirectory)
      for (const stopActivity of [false, true]) {
        const error = yield* Effect.flip(sessions.archive(SessionId.make("nobody"), { stopActivity }))
        assert.strictEqual(error._tag, "SessionNotFound")
      }
    })
  )
})

/** Closing a log takes real time on the disk. */
const untilCold = (sessions: Effect.Effect.Success<ReturnType<typeof start>>["sessions"]) =>
  sessions.liveAgent(one).pipe(
    Effect.tap(() => Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
    Effect.repeat({ until: Option.isNone })
  )
