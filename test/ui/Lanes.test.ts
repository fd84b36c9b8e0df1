import { Either } from "effect"
import * as FC from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { createRecord, preview, type ScheduleId, type SessionId, type TaskSummary } from "../../src/domain/index.ts"
import * as Lanes from "../../ui/src/timeline/Lanes.ts"

const id = "schedule-00000000-0000-0000-0000-000000000001" as ScheduleId
const now = Date.UTC(2026, 10, 30, 12)
const window = { from: now, to: now + 86_400_000 }

describe("a lane of the timeline", () => {
  it("marks every run, in bands no coarser than it says", () => {
    FC.assert(
      FC.property(FC.integer({ min: 900, max: 100_000 }), FC.integer({ min: 0, max: 86_400 }), (every, late) => {
        const task = made({ every_seconds: every }, now - late * 1000)
        const runs = Either.getOrThrow(preview(task.record, now, 100))
          .map((at) => Date.parse(at))
          .filter((at) => at < window.to)
        const marks = Lanes.marks(task, window)
        // each run is in a mark, or nearer to one than can be told apart
        for (const run of runs) {
          expect(marks.some(({ from, to }) => from - step <= run && run <= to + step)).toBe(true)
        }
        // each mark begins and ends with a run, or is the overdue one
        for (const { from, to } of marks) {
          expect(from <= now ? task.record.scheduledAt : new Date(from).toISOString()).toBe(
            from <= now
              ? new Date(from).toISOString()
              : runs.map((run) => new Date(run).toISOString()).find((run) => Date.parse(run) === from)
          )
          expect(from === to || runs.includes(to)).toBe(true)
        }
      })
    )
  })

  it("leaves nights out of a band", () => {
    const week = { from: now, to: now + 7 * 86_400_000 }
    const marks = Lanes.marks(made({ cron: { expression: "*/5 9-17 * * *", time_zone: "UTC" } }, now), week)
    expect(marks.length).toBeGreaterThanOrEqual(7)
    expect(Math.max(...marks.map(({ from, to }) => to - from))).toBeLessThan(9.5 * 3_600_000)
  })

  it("costs no more for a task that runs every minute", () => {
    const week = { from: now, to: now + 7 * 86_400_000 }
    expect(Lanes.marks(made({ every_seconds: 60 }, now), week)).toHaveLength(1)
    expect(Lanes.count(made({ every_seconds: 60 }, now), week)).toEqual({ runs: 100, more: true })
  })

  it("counts what is overdue, and leaves out what comes later or has ended", () => {
    const soon = made({ after_seconds: 60 }, now)
    const late = made({ after_seconds: 60 }, now - 3_600_000)
    const far = made({ after_seconds: 90_000 }, now)
    expect(Lanes.due([late, soon, far, { ...soon, status: "inactive" }], window)).toEqual([late, soon])
    expect(Lanes.count(late, window)).toEqual({ runs: 1, more: false })
    expect(Lanes.marks(late, window)).toHaveLength(1)
    expect(Lanes.marks(far, window)).toEqual([])
  })
})

const step = 86_400_000 / 240

const made = (selector: object, at: number): TaskSummary => ({
  sessionId: "s" as SessionId,
  status: "active",
  record: Either.getOrThrow(createRecord({ title: "A task", prompt: "Say hello", ...selector }, { id, now: at }))
})
