/**
 * Deliveries side by side, one at a time for each Session, and their retries.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { SessionId } from "../domain/Identifiers.ts"
import type { Deliver } from "./Delivery.ts"
import * as Metrics from "./Metrics.ts"
import type { RetryPolicy } from "./ScheduleConfig.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface DeliveryPool {
  /**
   * Starts a delivery to a Session. While one to the same Session is under way, it is followed by one more; while one waits
   * to be retried, it keeps waiting.
   */
  readonly request: (sessionId: SessionId) => Effect.Effect<void>

  /** Retries a Session now if it waits to be retried. */
  readonly retry: (sessionId: SessionId) => Effect.Effect<void>

  /** Retries now whatever waits to be retried. */
  readonly retryNow: Effect.Effect<void>
}

/**
 * A pool whose deliveries are interrupted when the scope closes. A failed delivery is logged, and retried if there is a
 * policy for it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly deliver: Deliver
  readonly retry: RetryPolicy | undefined
  /** Run after every delivery, whatever its outcome. */
  readonly onEnd: Effect.Effect<void>
}): Effect.Effect<DeliveryPool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<void>()
    const sessions = new Map<SessionId, Work>()

    const attempt = (sessionId: SessionId): Effect.Effect<Outcome> =>
      options.deliver(sessionId).pipe(
        Effect.map((any): Outcome => (any ? "delivered" : "idle")),
        Effect.catchTags({
          ServiceStopping: () => Effect.succeed<Outcome>("idle"),
          DeliveryFailed: ({ cause, message, taskIds }) =>
            Effect.logWarning(
              `Delivery failed, and its tasks stay: ${message}`,
              ...(cause === undefined ? [] : [cause])
            ).pipe(Effect.annotateLogs({ taskIds: named(taskIds) }), Effect.as<Outcome>("failed"))
        }),
        Effect.catchAllCause((cause) =>
          Effect.as(Effect.logWarning("Delivery failed, and its tasks stay.", cause), "failed" as const)
        ),
        Effect.tap((outcome) => (outcome === "idle" ? Effect.void : Metric.increment(Metrics.deliveries[outcome]))),
        Effect.zipLeft(options.onEnd),
        Effect.annotateLogs({ module: "Delivery", sessionId })
      )

    const waitToRetry = (work: Work, policy: RetryPolicy) =>
      Effect.flatMap(Random.nextRange(0.8, 1.2), (jitter) => {
        const wake = Deferred.unsafeMake<void>(FiberId.none)
        work.wake = wake
        const wait = Math.min(Duration.toMillis(policy.min) * 2 ** (work.failures - 1), Duration.toMillis(policy.max))
        return Effect.raceFirst(Deferred.await(wake), Effect.sleep(Math.round(wait * jitter))).pipe(
          Effect.ensuring(Effect.sync(() => (work.wake = undefined)))
        )
      })

    // The last look at `again` and the leaving are one step, so that no request falls between them.
    const run = (sessionId: SessionId, work: Work): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!work.again) {
          sessions.delete(sessionId)
          return Effect.void
        }
        work.again = false
        return Effect.flatMap(attempt(sessionId), (outcome) => {
          if (outcome !== "failed" || options.retry === undefined) {
            work.failures = 0
            return run(sessionId, work)
          }
          work.failures++
          work.again = true
          return Effect.zipRight(waitToRetry(work, options.retry), run(sessionId, work))
        })
      })

    return {
      request: (sessionId) =>
        Effect.suspend(() => {
          const known = sessions.get(sessionId)
          if (known !== undefined) {
            known.again = true
            return Effect.void
          }
          const work: Work = { again: true, failures: 0, wake: undefined }
          sessions.set(sessionId, work)
          return Effect.asVoid(FiberSet.run(fibers, run(sessionId, work)))
        }),
      retry: (sessionId) => Effect.sync(() => wake(sessions.get(sessionId))),
      retryNow: Effect.sync(() => {
        for (const work of sessions.values()) wake(work)
      })
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const wake = (work: Work | undefined) => {
  if (work?.wake !== undefined) Deferred.unsafeDone(work.wake, Effect.void)
}

/** Enough ids to find the others by. */
const named = (ids: ReadonlyArray<string>) =>
  ids.length <= 10 ? ids.join(" ") : `${ids.slice(0, 10).join(" ")} and ${ids.length - 10} more`

/** `idle` is an attempt that nothing was due for, or that the end of the Host forestalled. */
type Outcome = "delivered" | "failed" | "idle"

interface Work {
  /** Whether another delivery follows the one under way. */
  again: boolean
  /** How many attempts failed in a row. */
  failures: number
  /** Ends the wait for a retry, while there is one. */
  wake: Deferred.Deferred<void> | undefined
}
