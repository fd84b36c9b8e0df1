/**
 * The Host's one timer.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import * as Metrics from "./Metrics.ts"

/**
 * What the timer asks for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<E> {
  /** Starts what is due at `now`, without waiting for it to be delivered. */
  readonly drive: (now: number) => Effect.Effect<void, E>
  /** The earliest active target strictly after an instant, `Infinity` when there is none. Epoch milliseconds. */
  readonly nextTarget: (after: number) => Effect.Effect<number, E>
  /** The longest nap. */
  readonly maxSleep: Duration.Duration
}

/**
 * One fiber that naps until the earliest target. Whether a target is due is decided by the wall clock, never by the wake:
 * it is read again after every nap, so that a clock that jumped forward is noticed within `maxSleep`, and one that went
 * back never fires early. Requests during a cycle are coalesced into one more cycle.
 *
 * Everything due at a drive is tried once by it. What fails stays out of the timer, whose targets lie after the last drive,
 * until a later target or a call of `drive` brings it back.
 *
 * @since 0.1.0
 * @category models
 */
export interface HostTimer {
  /** Asks for a drive now. */
  readonly drive: Effect.Effect<void>
  /** Asks for the next target to be read again. */
  readonly rearm: Effect.Effect<void>
}

/**
 * Starts the timer with a drive; it ends with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <E>(options: Options<E>): Effect.Effect<HostTimer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const maxSleep = Duration.toMillis(options.maxSleep)
    let signal = yield* Deferred.make<void>()
    let driveRequested = true
    // Everything up to here was tried. A clock that goes back takes it along, so that what lies ahead again is armed again.
    let drivenTo = Number.NEGATIVE_INFINITY

    const napUntil = (target: number): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now >= target) return Effect.void
        const woken = Deferred.await(signal).pipe(Effect.as(true))
        if (target === Number.POSITIVE_INFINITY) return Effect.asVoid(woken)
        const nap = Effect.as(Effect.sleep(Math.min(target - now, maxSleep)), false)
        return Effect.flatMap(Effect.raceFirst(woken, nap), (woke) => (woke ? Effect.void : napUntil(target)))
      })

    const cycle = Effect.gen(function* () {
      yield* Metric.increment(Metrics.cycles)
      // renewed before anything is read: a request from here on ends the next nap
      signal = yield* Deferred.make<void>()
      const now = yield* Clock.currentTimeMillis
      drivenTo = Math.min(drivenTo, now)
      let target = yield* options.nextTarget(drivenTo)
      if (driveRequested || target <= now) {
        driveRequested = false
        drivenTo = now
        yield* Metric.increment(Metrics.drives)
        yield* options.drive(now)
        target = yield* options.nextTarget(now)
      }
      yield* napUntil(target)
    }).pipe(
      Effect.catchAllCause((cause) => {
        driveRequested = true
        return Effect.logWarning("The timer could not read what is due; it naps and tries again.", cause).pipe(
          Effect.zipRight(Effect.raceFirst(Deferred.await(signal), Effect.sleep(options.maxSleep)))
        )
      })
    )

    const request = Effect.sync(() => Deferred.unsafeDone(signal, Effect.void))

    yield* cycle.pipe(Effect.forever, Effect.annotateLogs({ module: "HostTimer" }), Effect.forkScoped)

    return {
      drive: Effect.suspend(() => {
        driveRequested = true
        return request
      }),
      rearm: request
    }
  })
