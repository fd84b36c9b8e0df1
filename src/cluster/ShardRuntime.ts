/**
 * One shard at work: its store, its Sessions, and a schedule service of its own.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { SessionClient } from "../remote/SessionClient.ts"
import * as Metrics from "../runtime/Metrics.ts"
import { ScheduleService } from "../runtime/ScheduleService.ts"
import { ScheduleDomain } from "../storage/ScheduleDomain.ts"
import type { Open } from "./Shards.ts"

/**
 * Opens a shard as the composition lays it out. It counts as lost once its store is quarantined. What it measures carries its
 * number.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open =
  <E>(layer: (index: number) => Layer.Layer<ScheduleService | SessionClient | ScheduleDomain, E>): Open =>
  (index, lost) =>
    Effect.gen(function* () {
      // Whoever has the shard next counts its tasks.
      yield* Effect.addFinalizer(() =>
        Effect.zipRight(Metric.set(Metrics.tasks("active"), 0), Metric.set(Metrics.tasks("inactive"), 0))
      )
      const context = yield* Layer.build(layer(index))
      yield* Context.get(context, ScheduleDomain).quarantined.pipe(Effect.zipRight(lost), Effect.forkScoped)
      return {
        schedule: Context.get(context, ScheduleService),
        sessions: Context.get(context, SessionClient)
      }
    }).pipe(Effect.tagMetrics("shard", String(index)))
