/**
 * Calls per second and how long the slowest hundredth takes, over every way to a Host, which has sqlite and 1 000 reminders,
 * beside a bare Effect HTTP handler. `npm run bench remote [calls] [rounds]`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as Contenders from "./Contenders.ts"

const calls = Number(process.argv[2] ?? 2_000)
const rounds = Number(process.argv[3] ?? 3)

interface Result {
  readonly rate: number
  readonly p99: number
}

const measure = Effect.fnUntraced(function* (call: Effect.Effect<unknown, unknown>, atOnce: number) {
  const times: Array<number> = []
  const timed = Effect.suspend(() => {
    const begin = performance.now()
    return Effect.map(call, () => times.push(performance.now() - begin))
  })
  yield* Effect.forEach(Array.from({ length: calls >> 2 }), () => call, { concurrency: atOnce, discard: true })
  const begin = performance.now()
  yield* Effect.forEach(Array.from({ length: calls }), () => timed, { concurrency: atOnce, discard: true })
  const result: Result = {
    rate: (calls / (performance.now() - begin)) * 1000,
    p99: times.sort((a, b) => a - b)[Math.floor(calls * 0.99)] ?? 0
  }
  return result
})

const home = mkdtempSync(join(tmpdir(), "host-schedule-bench-"))

const program = Effect.gen(function* () {
  const inProcess = yield* Contenders.inProcess(join(home, "in-process"))
  const contenders = [
    inProcess,
    yield* Contenders.stdio(join(home, "stdio")),
    ...(yield* Contenders.remote(join(home, "remote"))),
    yield* Contenders.bare(inProcess)
  ]
  const results = new Map<string, Array<Result>>()
  for (let round = 0; round < rounds; round++) {
    for (const method of Contenders.methods) {
      for (const atOnce of [1, 16]) {
        for (const { calls, name } of contenders) {
          const key = `${name}/${method}/${atOnce}`
          results.set(key, [...(results.get(key) ?? []), yield* measure(calls[method], atOnce)])
          console.error(key, results.get(key)?.at(-1))
        }
      }
    }
  }
  const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
  const cell = (key: string) => {
    const measured = results.get(key) ?? []
    return `${Math.round(median(measured.map(({ rate }) => rate)))} / ${median(measured.map(({ p99 }) => p99)).toFixed(1)}`
  }
  const columns = Contenders.methods.flatMap((method) => [1, 16].map((atOnce) => [method, atOnce] as const))
  console.log(
    `| calls/s / p99 in ms | ${columns.map(([method, atOnce]) => `${method}, ${atOnce} at once`).join(" | ")} |`
  )
  console.log(`|---|${columns.map(() => "---|").join("")}`)
  for (const { name } of contenders) {
    console.log(`| ${name} | ${columns.map(([method, atOnce]) => cell(`${name}/${method}/${atOnce}`)).join(" | ")} |`)
  }
}).pipe(Effect.scoped, Effect.ensuring(Effect.sync(() => rmSync(home, { recursive: true, force: true }))))

await Effect.runPromise(program)
