import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, MetricBoundaries } from "effect"
import * as Prometheus from "../../src/web/Prometheus.ts"

const rendered = (prefix: string) =>
  Effect.map(Metric.snapshot, (pairs) =>
    Prometheus.render(pairs.filter(({ metricKey }) => metricKey.name.startsWith(prefix)))
  )

describe("Prometheus", () => {
  it.effect("counters, gauges and their labels", () =>
    Effect.gen(function* () {
      const outcomes = Metric.counter("test_a.deliveries", { description: "By\noutcome" })
      yield* Metric.incrementBy(Metric.tagged(outcomes, "outcome", 'say "no"\\\n'), 2)
      yield* Metric.incrementBy(Metric.tagged(outcomes, "outcome", "ok"), 3)
      yield* Metric.set(Metric.gauge("test_a_depth"), 1.5)
      assert.sameMembers((yield* rendered("test_a")).split("\n"), [
        "# HELP test_a_deliveries By\\noutcome",
        "# TYPE test_a_deliveries counter",
        'test_a_deliveries{outcome="say \\"no\\"\\\\\\n"} 2',
        'test_a_deliveries{outcome="ok"} 3',
        "# TYPE test_a_depth gauge",
        "test_a_depth 1.5",
        ""
      ])
    })
  )

  it.effect("histograms are cumulative and end with +Inf", () =>
    Effect.gen(function* () {
      const lag = Metric.histogram("test_b_lag", MetricBoundaries.fromIterable([1, 10]))
      yield* Effect.forEach([0.5, 5, 5, 100], (value) => Metric.update(lag, value))
      assert.strictEqual(
        yield* rendered("test_b"),
        [
          "# TYPE test_b_lag histogram",
          'test_b_lag_bucket{le="1"} 1',
          'test_b_lag_bucket{le="10"} 3',
          'test_b_lag_bucket{le="+Inf"} 4',
          "test_b_lag_sum 110.5",
          "test_b_lag_count 4",
          ""
        ].join("\n")
      )
    })
  )

  it.effect("frequencies and summaries", () =>
    Effect.gen(function* () {
      yield* Metric.update(Metric.frequency("test_c_codes"), "a")
      const wait = Metric.summary({
        name: "test_c_wait",
        maxAge: "1 minute",
        maxSize: 10,
        error: 0,
        quantiles: [0.5, 0.99]
      })
      yield* Metric.update(wait, 7)
      assert.sameMembers((yield* rendered("test_c")).split("\n"), [
        "# TYPE test_c_codes counter",
        'test_c_codes{value="a"} 1',
        "# TYPE test_c_wait summary",
        'test_c_wait{quantile="0.5"} 7',
        'test_c_wait{quantile="0.99"} 7',
        "test_c_wait_sum 7",
        "test_c_wait_count 1",
        ""
      ])
    })
  )
})
