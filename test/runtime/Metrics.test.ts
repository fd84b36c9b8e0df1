import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, MetricState, TestClock } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import { AgentUnavailable } from "../../src/runtime/AgentResolver.ts"
import * as World from "./World.ts"

const s1 = SessionId.make("s1")
const s2 = SessionId.make("s2")

describe("metrics", () => {
  it.scoped(
    "tell deliveries by outcome, receipts, their lag, the tasks by status and the work of queue and timer",
    () =>
      Effect.gen(function* () {
        const before = yield* read
        const world = yield* World.make
        const { service } = yield* world.start()
        yield* service.create(s1, { title: "t", prompt: "p", after_seconds: 10 })
        yield* service.create(s1, { title: "t", prompt: "p", every_seconds: 60 })
        world.onResolve = () => new AgentUnavailable({ message: "broken" })
        yield* TestClock.adjust("10 seconds")
        world.onResolve = () => Effect.void
        yield* TestClock.adjust("50 seconds")
        yield* TestClock.adjust("15 seconds")
        const after = yield* read
        const grown = (name: keyof typeof after) => after[name] - before[name]
        assert.deepInclude(after, { tasks_active: 1, tasks_inactive: 1, queue_depth: 0 })
        assert.strictEqual(grown("deliveries_failed"), 1)
        assert.strictEqual(grown("deliveries_delivered"), 1)
        assert.strictEqual(grown("receipts"), 2)
        assert.strictEqual(grown("lag_count"), 2)
        assert.strictEqual(grown("lag_sum"), 50)
        assert.strictEqual(grown("queue_count"), 3)
        assert.isAtLeast(grown("drives"), 3)
      })
  )

  it.scoped("count no delivery for a request that came while what was due was being delivered", () =>
    Effect.gen(function* () {
      const world = yield* World.make
      const { service } = yield* world.start()
      yield* service.create(s1, { title: "slow", prompt: "p", after_seconds: 10 })
      yield* service.create(s2, { title: "makes the timer look", prompt: "p", after_seconds: 11 })
      world.onFlush = () => Effect.as(Effect.sleep("2 seconds"), true)
      const before = yield* read
      yield* TestClock.adjust("15 seconds")
      const after = yield* read
      assert.strictEqual(after.receipts - before.receipts, 2)
      assert.strictEqual(after.deliveries_delivered - before.deliveries_delivered, 2)
    })
  )
})

const read = Effect.map(Metric.snapshot, (pairs) => {
  const value = (name: string, part: "value" | "sum" = "value", label?: string) => {
    const pair = pairs.find(
      ({ metricKey }) =>
        metricKey.name === `host_schedule_${name}` &&
        (label === undefined || metricKey.tags.some((tag) => tag.value === label))
    )
    const state = pair?.metricState
    if (state === undefined) return 0
    if (MetricState.isHistogramState(state)) return part === "sum" ? state.sum : state.count
    if (MetricState.isGaugeState(state)) return Number(state.value)
    return MetricState.isCounterState(state) ? Number(state.count) : Number.NaN
  }
  return {
    tasks_active: value("tasks", "value", "active"),
    tasks_inactive: value("tasks", "value", "inactive"),
    queue_depth: value("queue_depth"),
    queue_count: value("queue_run_seconds"),
    deliveries_failed: value("deliveries_total", "value", "failed"),
    deliveries_delivered: value("deliveries_total", "value", "delivered"),
    receipts: value("receipts_total"),
    lag_count: value("delivery_lag_seconds"),
    lag_sum: value("delivery_lag_seconds", "sum"),
    drives: value("timer_drives_total")
  }
})
