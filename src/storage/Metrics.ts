/**
 * What the storage domain measures. Times are in seconds.
 *
 * @since 0.1.0
 */
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"

/**
 * How long a durable write took.
 *
 * @since 0.1.0
 * @category metrics
 */
export const writeTime = Metric.histogram(
  "host_schedule_storage_write_seconds",
  MetricBoundaries.fromIterable([0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5]),
  "Time of a durable write to the store"
)

/**
 * 1 while the store is quarantined after a write whose outcome is unknown, else 0.
 *
 * @since 0.1.0
 * @category metrics
 */
export const quarantined = Metric.gauge("host_schedule_storage_quarantined", {
  description: "1 while the store refuses work until it is reopened"
})
