/**
 * Where calls of this process become answers of the wire.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as ScheduleUnavailable from "./ScheduleUnavailable.ts"

/**
 * Turns storage and lifecycle failures, and defects, into {@link ScheduleUnavailable.ScheduleUnavailable}: what happened
 * goes to the log with its cause, what the caller sees has a stable code and a fixed text.
 *
 * @since 0.1.0
 * @category combinators
 */
export const guard = <A, E>(method: string, call: Effect.Effect<A, E>) =>
  call.pipe(
    Effect.catchIf(ScheduleUnavailable.isServiceFailure<E>, (error) =>
      Effect.zipRight(
        Effect.logWarning("remote operation failed", Cause.fail(error)),
        Effect.fail(ScheduleUnavailable.fromService(error))
      )
    ),
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(
        Effect.logError("remote operation died", Cause.die(defect)),
        Effect.fail(ScheduleUnavailable.make("internal_error"))
      )
    ),
    Effect.annotateLogs({ module: "Boundary", method })
  )
