/**
 * What a Host of a cluster measures.
 *
 * @since 0.1.0
 */
import * as Metric from "effect/Metric"

/**
 * @since 0.1.0
 * @category metrics
 */
export const shards = Metric.gauge("host_schedule_shards_owned", {
  description: "Shards that are open on this Host"
})

/**
 * Calls that another Host answered, or should have, by outcome: `answered`, `unavailable` or `unknown`.
 *
 * @since 0.1.0
 * @category metrics
 */
export const calls = (outcome: "answered" | "unavailable" | "unknown"): Metric.Metric.Counter<number> =>
  Metric.counter("host_schedule_owner_calls_total", {
    description: "Calls that went to the owner of a shard on another Host",
    incremental: true
  }).pipe(Metric.tagged("outcome", outcome))
