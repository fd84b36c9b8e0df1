/**
 * A bounded number of places for work that goes on side by side.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/**
 * Hands out its places in the order in which they were asked for. Unlike `Effect.Semaphore`, which wakes everyone who waits
 * whenever a place becomes free, it wakes one, so that thousands may wait.
 *
 * @since 0.1.0
 * @category models
 */
export interface Places {
  /** Runs work in a place of its own. A caller that is interrupted while it waits for one is withdrawn. */
  readonly within: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (count: number): Places => {
  const waiting = new Set<Waiter>()
  let free = count

  const leave = Effect.sync(() => {
    for (const next of waiting) {
      waiting.delete(next)
      next.granted = true
      return Deferred.unsafeDone(next.grant, Effect.void)
    }
    free++
  })

  const enter = (): Waiter | undefined => {
    if (free > 0) {
      free--
      return undefined
    }
    const waiter = { granted: false, grant: Deferred.unsafeMake<void>(FiberId.none) }
    waiting.add(waiter)
    return waiter
  }

  // An interrupted caller may have been granted its place already without having noticed.
  const withdraw = (waiter: Waiter) =>
    Effect.suspend(() => (waiter.granted ? leave : Effect.sync(() => waiting.delete(waiter))))

  return {
    within: (work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const waiter = enter()
          const inPlace = Effect.ensuring(restore(work), leave)
          if (waiter === undefined) return inPlace
          const granted = Effect.onInterrupt(restore(Deferred.await(waiter.grant)), () => withdraw(waiter))
          return Effect.zipRight(granted, inPlace)
        })
      )
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Waiter {
  granted: boolean
  readonly grant: Deferred.Deferred<void>
}
