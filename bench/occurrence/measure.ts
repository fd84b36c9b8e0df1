import { ZoneTable } from "../../src/domain/ZoneTable.ts"
import { ours, type Peer, peers } from "./peers.ts"
import { expressions, instants, type Question } from "./workload.ts"

/** What one process measures; each runs alone, with the zone it is about as its own. */
export type Task =
  | { readonly kind: "speed"; readonly peer: string; readonly timeZone: string }
  | { readonly kind: "parse"; readonly peer: string }
  | {
      readonly kind: "agreement"
      readonly peer: string
      readonly timeZone: string
      readonly questions: ReadonlyArray<Question>
    }
  | { readonly kind: "zones" }

/** Rates per second, undefined for what a library does not offer. */
export interface Speed {
  readonly next: number
  readonly latest: number | undefined
  /** Expressions that it throws for. */
  readonly failures: ReadonlyArray<string>
}

export interface Agreement {
  readonly agreed: number
  readonly agreedPolicy: number
}

export interface Zones {
  /** Milliseconds until a zone is ready for this year and the next: the very first, which loads `Intl`, and the others. */
  readonly firstInProcess: number
  readonly median: number
  readonly worst: number
  /** Memory of a table with two years, and with all of them. */
  readonly kibibytes: number
  readonly kibibytesFull: number
  /** What a question leaves to the garbage collector. */
  readonly bytesPerQuestion: number
}

export const measure = (task: Task): Speed | Agreement | Zones | number => {
  switch (task.kind) {
    case "speed":
      return speed(peerOf(task.peer), task.timeZone)
    case "parse":
      return parseSpeed(peerOf(task.peer))
    case "agreement":
      return agreement(peerOf(task.peer), task.timeZone, task.questions)
    case "zones":
      return zones()
  }
}

/** The rate of asking equally often what has these rates. */
export const harmonicMean = (rates: ReadonlyArray<number>): number =>
  rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0)

const peerOf = (name: string): Peer => peers.find((peer) => peer.name === name)!

const speed = (peer: Peer, timeZone: string): Speed => {
  const at = instants(1000)
  const rates = (question: "next" | "latest") =>
    expressions.flatMap((expression) => {
      try {
        const ask = peer.compile(expression, timeZone)[question]
        return ask === undefined ? [] : [rate(at, ask)]
      } catch {
        failures.add(expression)
        return []
      }
    })
  const failures = new Set<string>()
  const [next, latest] = [rates("next"), rates("latest")]
  return {
    next: harmonicMean(next),
    latest: latest.length === 0 ? undefined : harmonicMean(latest),
    failures: [...failures]
  }
}

// Of some rounds the best, which nothing else on the machine disturbed.
const rounds = 5
const roundMillis = 50

const rate = (at: Float64Array, ask: (instant: number) => number): number => {
  let asked = 0
  const run = (count: number): number => {
    const begin = performance.now()
    for (let i = 0; i < count; i++) sink[0]! += ask(at[asked++ % at.length]!)
    return performance.now() - begin
  }
  let count = 1
  while (run(count) < roundMillis) count *= 2
  return (count / Math.min(...Array.from({ length: rounds }, () => run(count)))) * 1000
}

// Where answers go, so that no compiler leaves the questions out.
const sink = new Float64Array(1)

const parseSpeed = (peer: Peer): number =>
  harmonicMean(expressions.map((expression) => rate(new Float64Array(1), () => (peer.parse(expression) ? 1 : 0))))

const agreement = (peer: Peer, timeZone: string, questions: ReadonlyArray<Question>): Agreement => {
  const agreed = questions.filter(({ after, expected, expression }) => {
    try {
      return peer.compile(expression, timeZone).next(after) === expected
    } catch {
      return false
    }
  })
  return { agreed: agreed.length, agreedPolicy: agreed.filter((question) => question.isPolicy).length }
}

const zones = (): Zones => {
  const names = Intl.supportedValuesOf("timeZone")
  const now = Date.UTC(2026, 6, 1)
  const firstUse = (name: string): number => {
    const begin = performance.now()
    const table = new ZoneTable(name)
    table.at(now)
    table.around(now + yearMillis)
    return performance.now() - begin
  }
  const firstInProcess = firstUse("America/Sao_Paulo")
  // Of three the best, which nothing else on the machine disturbed.
  const others = names.map((name) => Math.min(firstUse(name), firstUse(name), firstUse(name))).sort((a, b) => a - b)
  return {
    firstInProcess,
    median: others[Math.floor(others.length / 2)]!,
    worst: others[others.length - 1]!,
    kibibytes: memoryOf(names, [now, now + yearMillis]),
    // All years of the few zones with the most transitions: finding them takes a while.
    kibibytesFull: memoryOf(
      Array.from({ length: 40 }, (_, i) => ["Africa/Casablanca", "Asia/Gaza", "Asia/Hebron", "Europe/London"][i % 4]!),
      Array.from({ length: 330 }, (_, i) => now + (i - 227) * yearMillis)
    ),
    bytesPerQuestion: Math.max(...expressions.map(garbageOf))
  }
}

const yearMillis = 365.2425 * 86_400_000

const garbageOf = (expression: string): number => {
  const at = instants(1000)
  const { next } = ours.compile(expression, "America/New_York")
  const ask = (count: number) => {
    for (let i = 0; i < count; i++) sink[0]! += next(at[i % at.length]!)
  }
  ask(300_000)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  ask(20_000)
  return (process.memoryUsage().heapUsed - before) / 20_000
}

const memoryOf = (names: ReadonlyArray<string>, instants: ReadonlyArray<number>): number => {
  const used = () => {
    for (let i = 0; i < 3; i++) globalThis.gc?.()
    const { external, heapUsed } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  const tables = names.map((name) => {
    const table = new ZoneTable(name)
    for (const instant of instants) table.at(instant)
    return table
  })
  return (used() - before) / tables.length / 1024
}
