import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as World from "./World.ts"

describe("a crowd", () => {
  it.scoped(
    "of 100 000 tasks in the same millisecond is delivered, each once, activating each Session once",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make
        const sessions = Array.from({ length: 100 }, (_, i) => SessionId.make(`session-${i}`))
        const due = Duration.toMillis("1 day")
        const tasks = Array.from({ length: 100_000 }, (_, i) => oneShot(sessions[i % 100]!, due))
        yield* world.domain.put(tasks)
        // room for the machine, not for the clock: nothing in this test is late by its clock
        yield* world.start({ maxSleep: Duration.days(1) })
        yield* TestClock.adjust(due)
        for (let left = 100_000; left > 0; left = (yield* world.domain.counts).active) yield* World.settle
        assert.strictEqual((yield* world.domain.counts).inactive, 100_000)
        const messages = sessions.flatMap(world.inbox)
        assert.strictEqual(messages.length, 100_000)
        assert.strictEqual(new Set(messages.flatMap(({ keys }) => keys)).size, 100_000)
        assert.strictEqual(world.activations.length, 100)
      }),
    240_000
  )
})

const oneShot = (sessionId: SessionId, due: number): ScheduleTask => ({
  sessionId,
  record: {
    id: ScheduleId.make(`schedule-${randomUUID()}`),
    kind: "at",
    title: "t",
    prompt: "p",
    scheduledAt: Instant.format(due)
  },
  status: "active",
  deliveryHistory: { records: [], earlierRecordsUnavailable: false }
})
