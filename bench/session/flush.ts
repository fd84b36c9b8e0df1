/**
 * Messages through Sessions beside a bare loop that writes and syncs as many bytes to as many files, in turns, so that both
 * see the same disk: `npx tsx bench/session/flush.ts [messages]`.
 */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import * as InboxDriver from "../../src/session/InboxDriver.ts"
import { SessionController } from "../../src/session/SessionController.ts"
import { SessionId } from "../../src/session/SessionHeader.ts"
import * as SessionsOnDisk from "../../src/session/SessionsOnDisk.ts"
import * as WorkspaceRegistry from "../../src/session/WorkspaceRegistry.ts"

interface Scenario {
  readonly sessions: number
  /** Messages that share a flush. */
  readonly batch: number
  readonly atOnce: number
}

const messages = Number(process.argv[2] ?? 20_000)

const repetitions = 5

const scenarios: ReadonlyArray<Scenario> = [
  { sessions: 1, batch: 1, atOnce: 1 },
  { sessions: 16, batch: 1, atOnce: 16 },
  { sessions: 16, batch: 100, atOnce: 16 },
  { sessions: 1000, batch: Math.max(1, messages / 1000), atOnce: 16 }
]

const message = (index: number) => ({
  text: "x".repeat(200),
  source: "schedule",
  keys: [`schedule-00000000-0000-4000-8000-000000000000@${index}`]
})

const line = Buffer.from(
  `${JSON.stringify({ seq: 0, time: Date.now(), type: "message/user", data: { id: crypto.randomUUID(), ...message(0) } })}\n`
)

const home = fs.mkdtempSync(join(tmpdir(), "host-schedule-bench-"))

const rounds = ({ sessions, batch }: Scenario) => Math.max(1, Math.floor(messages / repetitions / sessions / batch))

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const sync = (file: number) =>
  new Promise<void>((resolve, reject) => fs.fdatasync(file, (error) => (error ? reject(error) : resolve())))

const bare = async (scenario: Scenario) => {
  const bytes = Buffer.concat(Array.from({ length: scenario.batch }, () => line))
  const waiting = Array.from({ length: scenario.sessions }, (_, index) => index)
  const directory = fs.mkdtempSync(join(home, "bare-"))
  const worker = async () => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const file = fs.openSync(join(directory, `${index}`), "a")
      for (let round = 0; round < rounds(scenario); round++) {
        fs.writeSync(file, bytes)
        await sync(file)
      }
      fs.closeSync(file)
    }
  }
  return timed(() => Promise.all(Array.from({ length: scenario.atOnce }, worker)))
}

const ours = (controller: SessionController["Type"], scenario: Scenario) =>
  Effect.gen(function* () {
    const ids = Array.from({ length: scenario.sessions }, () => SessionId.make(crypto.randomUUID()))
    yield* Effect.forEach(ids, (id) => controller.create({ id }), { concurrency: 16, discard: true })
    const deliver = Effect.fnUntraced(function* (id: SessionId) {
      const agent = yield* controller.resolveAgent(id)
      for (let round = 0; round < rounds(scenario); round++) {
        for (let index = 0; index < scenario.batch; index++)
          yield* agent.followup(message(round * scenario.batch + index))
        if (!(yield* agent.flush)) return yield* Effect.dieMessage("not flushed")
      }
    }, Effect.scoped)
    const begin = performance.now()
    yield* Effect.forEach(ids, deliver, { concurrency: scenario.atOnce, discard: true })
    return performance.now() - begin
  })

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const compare = (controller: SessionController["Type"], scenario: Scenario) =>
  Effect.gen(function* () {
    const times: Array<readonly [bare: number, ours: number]> = []
    for (let repetition = 0; repetition < repetitions; repetition++) {
      times.push([yield* Effect.promise(() => bare(scenario)), yield* ours(controller, scenario)])
    }
    const flushes = scenario.sessions * rounds(scenario)
    const rate = (of: 0 | 1, each: number) =>
      Math.round(((flushes * each) / median(times.map((pair) => pair[of]))) * 1000)
    console.log(
      [
        `${scenario.sessions} Sessions`,
        `${scenario.batch} messages a flush`,
        `${scenario.atOnce} at once:`,
        `bare ${rate(0, 1)} flushes/s,`,
        `ours ${rate(1, 1)} flushes/s, ${rate(1, scenario.batch)} messages/s,`,
        `ratio ${median(times.map(([bare, ours]) => bare / ours)).toFixed(2)}`
      ].join(" ")
    )
  })

const restore = (controller: SessionController["Type"]) =>
  Effect.gen(function* () {
    const { header } = yield* controller.create({})
    const path = join(home, "sessions", header.id, "session.jsonl")
    const lines = Array.from({ length: 250_000 }, (_, seq) =>
      JSON.stringify({ seq, time: 0, type: "message/user", data: { id: `m${seq}`, ...message(seq) } })
    )
    fs.appendFileSync(path, `${lines.join("\n")}\n`)
    const parsing = yield* Effect.promise(() =>
      timed(async () => {
        for (const line of lines) JSON.parse(line)
      })
    )
    const begin = performance.now()
    yield* Effect.scoped(controller.resolveAgent(header.id))
    const elapsed = performance.now() - begin
    const size = Math.round(fs.statSync(path).size / 1e6)
    console.log(
      `a cold Session of ${size} MB, ${lines.length} messages: open in ${Math.round(elapsed)} ms, JSON.parse alone ${Math.round(parsing)} ms`
    )
  })

const main = Effect.gen(function* () {
  const context = yield* Layer.build(
    SessionsOnDisk.layer({ home }).pipe(Layer.provide(Layer.merge(InboxDriver.layer, WorkspaceRegistry.layer)))
  )
  const controller = Context.get(context, SessionController)
  for (const scenario of scenarios) yield* compare(controller, scenario)
  yield* restore(controller)
})

console.log(`node ${process.version}, ${messages} messages of ${line.length} bytes, medians of ${repetitions}`)
Effect.runPromise(Effect.scoped(main)).finally(() => fs.rmSync(home, { recursive: true, force: true }))
