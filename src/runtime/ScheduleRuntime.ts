/**
 * The implementation of the schedule service: its FIFO, timer and deliveries, over an open domain.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import * as Instant from "../domain/Instant.ts"
import { ScheduleDomain } from "../storage/ScheduleDomain.ts"
import { AgentResolver } from "./AgentResolver.ts"
import * as Delivery from "./Delivery.ts"
import * as DeliveryPool from "./DeliveryPool.ts"
import * as Fifo from "./Fifo.ts"
import * as HostTimer from "./HostTimer.ts"
import * as Management from "./Management.ts"
import * as Metrics from "./Metrics.ts"
import { ScheduleConfig } from "./ScheduleConfig.ts"
import { ScheduleService } from "./ScheduleService.ts"
import { SessionHeaders } from "./SessionHeaders.ts"

/**
 * The service over an open storage domain. It starts with a drive, so that what became due while no Host ran is delivered,
 * and stops by refusing new work, finishing what was accepted, and only then letting the domain close.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  ScheduleService,
  never,
  ScheduleDomain | AgentResolver | SessionHeaders | ScheduleConfig
> = Layer.scoped(
  ScheduleService,
  Effect.gen(function* () {
    const domain = yield* ScheduleDomain
    const resolver = yield* AgentResolver
    const settings = yield* ScheduleConfig
    const headers = yield* SessionHeaders
    const changed = yield* PubSub.sliding<void>(1)
    const publish = Effect.asVoid(PubSub.publish(changed, undefined))

    // Scopes close in reverse: first the timer, then the FIFO is drained, then deliveries that still resolve are given up.
    const pool: DeliveryPool.DeliveryPool = yield* DeliveryPool.make({
      deliver: (sessionId) => deliver(sessionId),
      retry: settings.deliveryRetry,
      onEnd: Effect.suspend(() => timer.rearm)
    })
    const fifo = yield* Fifo.make
    const deliver: Delivery.Deliver = yield* Delivery.make({ domain, resolver, fifo, settings, onCommit: publish })
    const timer: HostTimer.HostTimer = yield* HostTimer.make({
      drive: (now) =>
        Effect.flatMap(domain.dueSessions(Instant.format(now)), Effect.forEach(pool.request, { discard: true })),
      nextTarget: (after) =>
        Effect.map(
          domain.earliestTarget(Number.isFinite(after) ? Option.some(Instant.format(after)) : Option.none()),
          Option.match({ onNone: () => Number.POSITIVE_INFINITY, onSome: Instant.toMillis })
        ),
      maxSleep: settings.maxSleep
    })
    // an overdue Session may have been waiting for just this handler
    const retryAll = Effect.zipRight(pool.retryNow, timer.drive)
    yield* Stream.runForEach(resolver.registrations, () => retryAll).pipe(Effect.forkScoped)

    const measuring = Stream.concat(Stream.succeed(undefined), Stream.fromPubSub(changed))

    yield* Stream.runForEach(measuring, () =>
      Effect.zipRight(measureTasks(domain), Effect.sleep(measureInterval))
    ).pipe(Effect.forkScoped)

    return ScheduleService.of({
      ...Management.make({ domain, fifo, headers, settings, publish, drive: timer.drive, retry: pool.retry, retryAll }),
      changes: Stream.fromPubSub(changed)
    })
  })
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Counting costs in proportion to the tasks, so it follows changes at a distance. */
const measureInterval = "15 seconds"

const measureTasks = (domain: ScheduleDomain["Type"]) =>
  domain.counts.pipe(
    Effect.flatMap(({ active, inactive }) =>
      Effect.zipRight(Metric.set(Metrics.tasks("active"), active), Metric.set(Metrics.tasks("inactive"), inactive))
    ),
    Effect.catchAll((error) => Effect.logDebug("The tasks could not be counted.", error))
  )
