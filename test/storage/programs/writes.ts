/** An endless sequence of writes that is the same for the same seed, for a writer that is killed and for who checks after it. */
import { type Effect, Option } from "effect"
import type { ScheduleTask } from "../../../src/domain/ScheduleTask.ts"
import type { ScheduleDomain } from "../../../src/storage/ScheduleDomain.ts"
import * as Model from "../../contract/Model.ts"
import * as A from "../../contract/Names.ts"

/** One write: what it does to the rows, and to the domain that holds them. */
export interface Write {
  readonly model: (rows: Model.Rows) => Model.Rows
  readonly domain: (domain: ScheduleDomain["Type"], rows: Model.Rows) => Effect.Effect<unknown, unknown>
}

const bounds = { days: 2, records: 5 }

const task = (n: number, draw: () => number): ScheduleTask => ({
  sessionId: A.session(draw()),
  record: {
    id: A.id(n),
    kind: "every",
    title: `Task ${n}`,
    prompt: "Look at it. ".repeat(1 + (draw() % 200)).trim(),
    everySeconds: 60,
    scheduledAt: A.instant(draw() % 1000)
  },
  status: "active",
  deliveryHistory: { records: [], earlierRecordsUnavailable: false }
})

/** The n-th write. */
export const write = (seed: number, n: number): Write => {
  const draw = generator(seed * 1_000_003 + n)
  const kind = draw() % 10
  if (kind < 4) {
    const tasks = Array.from({ length: 1 + (draw() % 5) }, (_, i) => task(n * 10 + i, draw))
    return { model: (rows) => Model.put(rows, tasks), domain: (domain) => domain.put(tasks) }
  }
  if (kind < 8) {
    const seed = draw()
    const deliveries = (rows: Model.Rows) => {
      const draw = generator(seed)
      return rows.length === 0
        ? []
        : Array.from({ length: 1 + (draw() % 4) }, (_, i) => ({
            id: rows[draw() % rows.length]!.record.id,
            receipt: { scheduledAt: A.instant(n), deliveredAt: A.instant(n), messageId: A.message(n * 10 + i) },
            prompt: `prompt ${n}`,
            next: draw() % 5 === 0 ? Option.none() : Option.some(A.instant(n + 60))
          }))
    }
    return {
      model: (rows) => Model.commit(rows, deliveries(rows), bounds),
      domain: (domain, rows) => domain.commit(deliveries(rows), bounds)
    }
  }
  if (kind === 8) {
    const pick = draw()
    const id = (rows: Model.Rows) => rows[pick % Math.max(1, rows.length)]?.record.id ?? A.id(0)
    return { model: (rows) => Model.remove(rows, id(rows)), domain: (domain, rows) => domain.remove(id(rows)) }
  }
  return { model: Model.removeInactive, domain: (domain) => domain.removeInactive }
}

/** Pseudo-random integers (mulberry32). */
export const generator = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return (t ^ (t >>> 14)) >>> 0
}
