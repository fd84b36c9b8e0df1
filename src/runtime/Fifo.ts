/**
 * One at a time, in the order of acceptance.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import type * as Scope from "effect/Scope"
import { ServiceStopping } from "./ServiceStopping.ts"

/**
 * The Host's queue of work. Each caller waits for its turn and runs its own work in its own fiber, so spans, logs and
 * failures stay the caller's, and no failure stops the queue.
 *
 * Invariants:
 * 1. at most one work item runs;
 * 2. items run in the order in which `run` was called;
 * 3. a caller that is interrupted while it waits is withdrawn, and its work never starts;
 * 4. work that has started completes, whatever happens to its caller;
 * 5. what was accepted before the scope began to close is finished before it is closed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fifo {
  /** Waits for a turn and runs the work uninterruptibly. Not to be called from inside a turn: it would wait for itself. */
  readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceStopping, R>

  /** How many items wait or run. */
  readonly depth: Effect.Effect<number>
}

/**
 * A queue that stops accepting work when the scope begins to close, and lets the scope close once it is drained.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Fifo, never, Scope.Scope> = Effect.gen(function* () {
  const waiting = new Set<Turn>()
  const drained = yield* Deferred.make<void>()
  let busy = false
  let stopping = false

  const enter = (): Turn => {
    const turn: Turn = { granted: !busy, grant: Deferred.unsafeMake(FiberId.none) }
    if (busy) waiting.add(turn)
    busy = true
    return turn
  }

  const leave = Effect.sync(() => {
    for (const next of waiting) {
      waiting.delete(next)
      next.granted = true
      return Deferred.unsafeDone(next.grant, Effect.void)
    }
    busy = false
    if (stopping) Deferred.unsafeDone(drained, Effect.void)
  })

  // An interrupted caller may have been granted its turn already without having noticed.
  const withdraw = (turn: Turn) => (turn.granted ? leave : Effect.sync(() => waiting.delete(turn)))

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      stopping = true
      return busy ? Deferred.await(drained) : Effect.void
    })
  )

  return {
    run: <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend((): Effect.Effect<A, E | ServiceStopping, R> => {
          if (stopping) return Effect.fail(new ServiceStopping())
          const turn = enter()
          return restore(Deferred.await(turn.grant)).pipe(
            Effect.onInterrupt(() => withdraw(turn)),
            Effect.unless(() => turn.granted),
            Effect.zipRight(Effect.ensuring(work, leave))
          )
        })
      ),
    depth: Effect.sync(() => waiting.size + (busy ? 1 : 0))
  }
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Turn {
  granted: boolean
  readonly grant: Deferred.Deferred<void>
}
