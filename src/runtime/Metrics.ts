/**
 * What the runtime measures. Times are in seconds.
 *
 * @since 0.1.0
 */
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import type { TaskStatus } from "../domain/ScheduleTask.ts"

/**
 * Stored tasks of a status; read again at most every 15 s while tasks change.
 *
 * @since 0.1.0
 * @category metrics
 */
export const tasks = (status: TaskStatus): Metric.Metric.Gauge<number> =>
  Metric.gauge("host_schedule_tasks", { description: "Stored tasks by status" }).pipe(Metric.tagged("status", status))

/**
 * How long after its target a delivery was committed: of on-time deliveries the lateness, after downtime the age.
 *
 * @since 0.1.0
 * @category metrics
 */
export const deliveryLag = Metric.histogram(
  "host_schedule_delivery_lag_seconds",
  MetricBoundaries.fromIterable([
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30, 60, 300, 3600, 86_400
  ]),
  "Time from an occurrence's target to its committed receipt"
)

/**
 * Deliveries, one for each Session and attempt, by outcome: `delivered` or `failed`.
 *
 * @since 0.1.0
 * @category metrics
 */
export const deliveries: { readonly [outcome in "delivered" | "failed"]: Metric.Metric.Counter<number> } = {
  delivered: deliveriesOf("delivered"),
  failed: deliveriesOf("failed")
}

/**
 * Receipts that were committed.
 *
 * @since 0.1.0
 * @category metrics
 */
export const receipts = Metric.counter("host_schedule_receipts_total", {
  description: "Committed receipts",
  incremental: true
})

/**
 * Work items that wait for their turn or run.
 *
 * @since 0.1.0
 * @category metrics
 */
export const queueDepth = Metric.gauge("host_schedule_queue_depth", { description: "Work items that wait or run" })

/**
 * How long a work item waited for its turn.
 *
 * @since 0.1.0
 * @category metrics
 */
export const queueWait = Metric.histogram(
  "host_schedule_queue_wait_seconds",
  MetricBoundaries.fromIterable([0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 10]),
  "Time that a work item waited for its turn"
)

/**
 * How long a work item held its turn, write included.
 *
 * @since 0.1.0
 * @category metrics
 */
export const queueRun = Metric.histogram(
  "host_schedule_queue_run_seconds",
  MetricBoundaries.fromIterable([0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 10]),
  "Time that a work item held its turn"
)

/**
 * Drives of the Host timer: looks for what is due.
 *
 * @since 0.1.0
 * @category metrics
 */
export const drives = Metric.counter("host_schedule_timer_drives_total", {
  description: "Looks for what is due",
  incremental: true
})

/**
 * Cycles of the Host timer: it looked for the next target and napped until then, or until a change asked it to look again.
 *
 * @since 0.1.0
 * @category metrics
 */
export const cycles = Metric.counter("host_schedule_timer_cycles_total", {
  description: "Looks for the next target",
  incremental: true
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

function deliveriesOf(outcome: "delivered" | "failed") {
  return Metric.counter("host_schedule_deliveries_total", {
    description: "Attempts to deliver to a Session",
    incremental: true
  }).pipe(Metric.tagged("outcome", outcome))
}
