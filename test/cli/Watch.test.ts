import { NodeContext } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, FastCheck, Fiber, Layer, Queue, Stream } from "effect"
import * as DueNext from "../../src/cli/DueNext.ts"
import type * as Output from "../../src/cli/Output.ts"
import * as Program from "../../src/cli/Program.ts"
import * as Render from "../../src/cli/Render.ts"
import * as Text from "../../src/cli/Text.ts"
import { SessionId } from "../../src/domain/Identifiers.ts"
import type { ScheduleTask, TaskSummary } from "../../src/domain/ScheduleTask.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { instant, records } from "../domain/fixtures.ts"
import * as arb from "../remote/arbitraries.ts"
import * as WebHost from "../web/WebHost.ts"

const sessionId = SessionId.make("session-1")
const tea = { title: "Tea", prompt: "Make tea", every_seconds: 3600 }

describe("what is due next", () => {
  it.effect.prop(
    "is the beginning of the catalog of active tasks, however the rows come",
    {
      tasks: FastCheck.array(arb.summary),
      sizes: FastCheck.array(FastCheck.integer({ min: 1, max: 5 })),
      limit: FastCheck.integer({ min: 1, max: 10 })
    },
    ({ limit, sizes, tasks }) =>
      Effect.gen(function* () {
        const pieces: Array<ReadonlyArray<ScheduleTask>> = []
        const rest = [...tasks]
        for (let i = 0; rest.length > 0; i++) pieces.push(rest.splice(0, sizes[i % sizes.length] ?? 3))
        const catalog = tasks
          .filter(({ status }) => status === "active")
          .sort(
            (a, b) =>
              Date.parse(a.record.scheduledAt) - Date.parse(b.record.scheduledAt) ||
              (a.record.id < b.record.id ? -1 : 1)
          )
        const first = yield* DueNext.earliest(Stream.fromIterable(pieces), limit)
        assert.deepStrictEqual(
          first.map(({ record }) => record.id),
          catalog.slice(0, limit).map(({ record }) => record.id)
        )
      })
  )

  it("is a table with as many lines as the terminal has, under who delivers it", () => {
    const task = (i: number): TaskSummary => ({
      sessionId,
      record: { ...records.every, title: `Tea\n${i}`, scheduledAt: instant("2030-01-01T00:00:00.000Z") },
      status: "active"
    })
    const plain = Text.style(false)
    const now = Date.parse("2030-01-01T00:00:05Z")
    const lines = Render.dueNext({ host: "http://h", tasks: [1, 2, 3, 4].map(task) }, plain, now, 5).split("\n")
    assert.lengthOf(lines, 5)
    assert.strictEqual(lines[0], "Due next http://h")
    assert.match(lines[2] ?? "", /^overdue \(5 s ago\) {2}Tea�1 {2}session-1/)
    assert.include(Render.dueNext({ host: undefined, tasks: [] }, plain, now), "no Host serves this home")
    assert.include(Render.dueNext({ host: undefined, tasks: [] }, plain, now), "No active reminders")
  })
})

layer(Layer.merge(WebHost.layer, NodeContext.layer), { excludeTestServices: true })("watch", (it) => {
  it.scoped("prints a line of JSON for each change, and ends with 0 when it is told to", () =>
    Effect.gen(function* () {
      const session = yield* newSession
      const watch = yield* run(["--json"])
      const titles = Effect.map(watch.next, (line) => {
        const { host, tasks } = JSON.parse(line)
        return [host, tasks.map(({ record }: TaskSummary) => record.title)]
      })
      const { origin } = yield* WebHost.Host
      assert.deepStrictEqual(yield* titles, [origin, []])
      const service = yield* ScheduleService
      yield* service.create(session, tea)
      assert.deepStrictEqual(yield* titles, [origin, ["Tea"]])
      const [task] = yield* service.catalog()
      if (task !== undefined) yield* service.delete({ sessionId: session, id: task.record.id })
      assert.deepStrictEqual(yield* titles, [origin, []])
      assert.strictEqual(yield* watch.stop, 0)
      assert.deepStrictEqual(yield* watch.rest, [])
    })
  )

  it.scoped("prints a table for each change when nobody draws", () =>
    Effect.gen(function* () {
      const session = yield* newSession
      const watch = yield* run([])
      assert.include(yield* watch.next, "No active reminders.")
      const service = yield* ScheduleService
      const { id } = yield* service.create(session, tea)
      assert.match(yield* watch.next, /^Due next .*\nNEXT .*\nin 59 min|^Due next .*\nNEXT .*\nin 1 h/)
      yield* service.delete({ sessionId: session, id })
      assert.include(yield* watch.next, "No active reminders.")
      assert.strictEqual(yield* watch.stop, 0)
    })
  )

  it.scoped("draws one table in place on a terminal, as the times in it pass, and leaves the terminal as it was", () =>
    Effect.gen(function* () {
      const session = yield* newSession
      const drawn = yield* Queue.unbounded<string>()
      const watch = yield* run([], { write: (text) => Queue.unsafeOffer(drawn, text), rows: () => 10 })
      const escape = "\u001b["
      assert.strictEqual(yield* Queue.take(drawn), `${escape}?1049h${escape}?25l${escape}?7l`)
      const frame = Effect.gen(function* () {
        const text = yield* Queue.take(drawn)
        assert.isTrue(text.startsWith(`${escape}H`) && text.endsWith(`${escape}J`), text)
        return text
      })
      const until = (fits: (text: string) => boolean): Effect.Effect<string> =>
        Effect.flatMap(frame, (text) => (fits(text) ? Effect.succeed(text) : until(fits)))
      yield* until((text) => text.includes("No active reminders."))
      const service = yield* ScheduleService
      const { id } = yield* service.create(session, { ...tea, every_seconds: 60 })
      const seconds = (text: string) => Number(/in (\d+) s/.exec(text)?.[1])
      const first = seconds(yield* until((text) => text.includes("Tea") && seconds(text) > 0))
      yield* until((text) => text.includes("Tea") && seconds(text) < first)
      yield* service.delete({ sessionId: session, id })
      yield* until((text) => text.includes("No active reminders."))
      assert.strictEqual(yield* watch.stop, 0)
      assert.strictEqual(Array.from(yield* Queue.takeAll(drawn)).at(-1), `${escape}?7h${escape}?25h${escape}?1049l`)
      assert.deepStrictEqual(yield* watch.rest, [])
    })
  )

  it.scoped("refuses a count that no page has", () =>
    Effect.gen(function* () {
      for (const count of ["0", "1001", "-1", "x"]) {
        const watch = yield* run(["--count", count])
        assert.strictEqual(yield* watch.ended, 1, count)
      }
    })
  )
})

// internal

const newSession = Effect.flatMap(WebHost.Host, ({ origin, token }) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${origin}/api/sessions.new`, { method: "POST", body: "{}", headers })
    return SessionId.make(JSON.parse(await response.text()).header.id)
  })
)

/** The command on the home of the test's Host. */
const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>, screen?: Output.Terminal) {
  const { home } = yield* WebHost.Host
  const printed = yield* Queue.unbounded<string>()
  const stop = yield* Deferred.make<void>()
  const fiber = yield* Program.run(["node", "host-schedule", "watch", "--home", home.dir, ...args], "1.2.3", {
    stdout: (line) => Queue.unsafeOffer(printed, line),
    stderr: () => {},
    colours: false,
    ...(screen && { screen }),
    signal: Deferred.await(stop)
  }).pipe(Effect.forkScoped)
  return {
    next: Queue.take(printed),
    rest: Effect.map(Queue.takeAll(printed), (lines) => Array.from(lines)),
    ended: Fiber.join(fiber),
    stop: Effect.zipRight(Deferred.succeed(stop, undefined), Fiber.join(fiber))
  }
})
