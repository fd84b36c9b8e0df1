/**
 * The Host as a process: what it does after a SIGKILL in the middle of deliveries, and what it costs while nothing is due.
 * `npm run bench process [rounds] [idle seconds]`.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Context, Effect } from "effect"
import { ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import * as Host from "./HostInProcess.ts"
import * as Workload from "./Workload.ts"

const rounds = Number(process.argv[2] ?? 10)
const idleSeconds = Number(process.argv[3] ?? 60)
const [jobs, sessions] = [2_000, 100]

interface Counts {
  readonly pluck: () => { readonly get: () => number }
}
const Sqlite = createRequire(import.meta.url)("better-sqlite3") as new (
  file: string,
  options: { readonly readonly: boolean }
) => { readonly prepare: (sql: string) => Counts; readonly close: () => void }

const serve = async (home: string) => {
  const begin = performance.now()
  const child = spawn(process.execPath, ["dist/bin/host-schedule.js", "serve", "--port", "0", "--home", home])
  child.stderr.resume()
  await new Promise((resolve) => child.stdout.once("data", resolve))
  return { child, begin, readyAfter: performance.now() - begin }
}

const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  new Promise((resolve) => {
    child.once("close", resolve)
    child.kill(signal)
  })

const prepared = (stored: number, due: number) => {
  const home = Workload.temporaryHome()
  const filled = Effect.gen(function* () {
    const context = yield* Host.prepare(home, sessions, stored)
    const domain = Context.get(context, ScheduleDomain)
    yield* Host.putAll(domain, due, (n) => Host.oneShot(`session-${n % sessions}`, Date.now()))
  })
  return Effect.runPromise(Effect.as(Effect.scoped(filled), home))
}

/** Waits until no more than so many of the due tasks have no receipt. */
const undelivered = (home: string) => {
  const database = new Sqlite(join(home, "schedule.db"), { readonly: true })
  const count = database
    .prepare("SELECT count(*) FROM tasks WHERE status = 'active' AND scheduled_at < 1893456000000")
    .pluck()
  return {
    atMost: async (left: number) => {
      while (count.get() > left) await sleep(2)
    },
    close: () => database.close()
  }
}

/** How often each reminder's occurrence stands in the logs. */
const occurrences = (home: string) => {
  const keys = new Map<string, number>()
  for (const name of readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue
    for (const [key] of readFileSync(join(home, "sessions", name), "utf8").matchAll(/schedule-[0-9a-f-]{36}@[^"]+/g)) {
      keys.set(key, (keys.get(key) ?? 0) + 1)
    }
  }
  return keys
}

const restart = async (stored: number) => {
  const [ready, complete]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const home = await prepared(stored, jobs)
    const first = await serve(home)
    const due = undelivered(home)
    // somewhere in the middle
    await due.atMost(jobs - 1 - Math.floor((jobs * round) / (rounds + 1)))
    await ended(first.child, "SIGKILL")
    const second = await serve(home)
    await due.atMost(0)
    complete.push(performance.now() - second.begin - second.readyAfter)
    ready.push(second.readyAfter)
    due.close()
    await ended(second.child, "SIGTERM")
    const keys = occurrences(home)
    if (keys.size !== jobs || [...keys.values()].some((times) => times !== 1)) {
      throw new Error(
        `${keys.size} of ${jobs} occurrences, ${[...keys.values()].filter((times) => times > 1).length} doubled`
      )
    }
    Workload.remove(home)
  }
  return { ready, complete }
}

const idle = async (stored: number) => {
  const home = await prepared(stored, 0)
  const { child } = await serve(home)
  await sleep(5_000)
  const ticks = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ")
    return Number(fields[11]) + Number(fields[12])
  }
  const before = ticks()
  await sleep(idleSeconds * 1000)
  // a tick of the kernel is a hundredth of a second
  const share = (ticks() - before) / idleSeconds
  await ended(child, "SIGTERM")
  Workload.remove(home)
  return share
}

const millis = (values: ReadonlyArray<number>) => {
  const sorted = [...values].sort((a, b) => a - b)
  return `${Math.round(sorted[sorted.length >> 1] ?? 0)} | ${Math.round(sorted.at(-1) ?? 0)}`
}
console.log(
  `| killed in the middle of ${jobs} deliveries, ${rounds} rounds; ms | ready, median | worst | all delivered after ready, median | worst |`
)
console.log("|---|--:|--:|--:|--:|")
for (const stored of [0, 100_000]) {
  const { complete, ready } = await restart(stored)
  console.log(`| ${stored} other tasks | ${millis(ready)} | ${millis(complete)} |`)
}
console.log(`\n| idle for ${idleSeconds} s | of one core |\n|---|--:|`)
for (const stored of [0, 100_000]) console.log(`| ${stored} tasks | ${(await idle(stored)).toFixed(2)} % |`)
process.exit(0)
