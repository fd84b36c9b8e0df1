/**
 * Work that is left behind when its time is up.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * Waits for work no longer than `duration`, even when nothing around it may be interrupted and when it does not end at once on
 * being interrupted; it is then interrupted in the background, and what `onTimeout` makes is the failure.
 *
 * @since 0.1.0
 * @category combinators
 */
export const within =
  <E1>(options: { readonly duration: Duration.DurationInput; readonly onTimeout: () => E1 }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E1, R> =>
    work.pipe(
      // in this order: only what is interruptible can be left behind
      Effect.disconnect,
      Effect.interruptible,
      Effect.timeoutFail(options)
    )
