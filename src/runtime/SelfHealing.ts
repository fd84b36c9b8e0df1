/**
 * Reopening a store that went away, without anybody asking for it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { ScheduleDomain } from "../storage/ScheduleDomain.ts"
import { ScheduleService } from "./ScheduleService.ts"

/**
 * Opens a quarantined domain again, at once and then with growing pauses, a quarter of a second to 5 seconds, until it opens. It is
 * for a database, which comes back by itself; a disk that failed in the middle of a write wants somebody to look at it first.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never, never, ScheduleDomain | ScheduleService> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { quarantined } = yield* ScheduleDomain
    const { reopen } = yield* ScheduleService
    yield* quarantined.pipe(
      Effect.zipRight(Effect.logWarning("The schedule store is not usable; opening it again.")),
      Effect.zipRight(
        reopen().pipe(
          Effect.tapError((error) => Effect.logInfo("The schedule store did not open.", error.message)),
          Effect.retry(pauses)
        )
      ),
      Effect.zipRight(Effect.logInfo("The schedule store is open again.")),
      // one that goes away again at once is no reason to hurry
      Effect.zipRight(Effect.sleep("1 second")),
      Effect.forever,
      Effect.annotateLogs({ module: "SelfHealing" }),
      Effect.forkScoped
    )
  })
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const pauses = Schedule.exponential("250 millis").pipe(Schedule.union(Schedule.spaced("5 seconds")), Schedule.jittered)
