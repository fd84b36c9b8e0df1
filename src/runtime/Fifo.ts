/**
 * One at a time, in the order of acceptance.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import type * as Scope from "effect/Scope"
import * as Metrics from "./Metrics.ts"
import { ServiceStopping } from "./ServiceStopping.ts"
import * as SharedWrite from "./SharedWrite.ts"

/**
 * The Host's queue of work. Each caller waits for its turn and runs its own work in its own fiber, so spans, logs and
 * failures stay the caller's, and no failure stops the queue.
 *
 * Invariants:
 * 1. at most one work item runs, or several of one batch;
 * 2. items start in the order in which they were accepted;
 * 3. a caller that is interrupted while it waits is withdrawn, and its work never starts;
 * 4. work that has started completes, whatever happens to its caller;
 * 5. what was accepted before the scope began to close is finished before it is closed;
 * 6. items that share a write are consecutive in the queue, and each gets its own result.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fifo {
  /** Waits for a turn and runs the work uninterruptibly. Not to be called from inside a turn: it would wait for itself. */
  readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceStopping, R>

  /**
   * As `run`, for work that ends in a write: prepares its item side by side with those of the same batch that wait right
   * behind it, and writes them together. An item that cannot be prepared fails alone.
   */
  readonly share: <Item, A, E>(
    batch: SharedWrite.Batch<Item, A, E>
  ) => <E1, R>(prepare: Effect.Effect<Item, E1, R>) => Effect.Effect<A, E | E1 | ServiceStopping, R>

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
  const clock = yield* Effect.clock
  const waiting = new Set<Turn>()
  const drained = yield* Deferred.make<void>()
  let running = 0
  let stopping = false

  const grant = (turn: Turn) => {
    waiting.delete(turn)
    turn.granted = true
    running++
    Metrics.queueWait.unsafeUpdate(lap(turn), [])
    Deferred.unsafeDone(turn.grant, Effect.void)
  }

  /** Seconds since the turn was entered, or granted. */
  const lap = (turn: Turn) => {
    const now = clock.unsafeCurrentTimeNanos()
    const seconds = Number(now - turn.since) / 1e9
    turn.since = now
    return seconds
  }

  const measureDepth = () => Metrics.queueDepth.unsafeUpdate(waiting.size + running, [])

  const enter = (kind: object | undefined): Turn => {
    const since = clock.unsafeCurrentTimeNanos()
    const turn: Turn = { kind, granted: false, since, grant: Deferred.unsafeMake(FiberId.none) }
    if (running === 0) grant(turn)
    else waiting.add(turn)
    measureDepth()
    return turn
  }

  const leave = (turn: Turn) =>
    Effect.sync(() => {
      Metrics.queueRun.unsafeUpdate(lap(turn), [])
      running--
      measureDepth()
      if (running > 0) return
      for (const next of waiting) return grant(next)
      if (stopping) Deferred.unsafeDone(drained, Effect.void)
    })

  /** Grants the turns of one kind that wait right behind the running one. */
  const grantFollowers = (kind: object, limit: number): ReadonlyArray<Turn> => {
    const followers: Array<Turn> = []
    for (const next of waiting) {
      if (next.kind !== kind || followers.length === limit) break
      grant(next)
      followers.push(next)
    }
    return followers
  }

  const take = <A, E, R>(
    kind: object | undefined,
    work: (turn: Turn) => Effect.Effect<A, E, R>,
    onWithdrawn: (turn: Turn) => void
  ) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend((): Effect.Effect<A, E | ServiceStopping, R> => {
        if (stopping) return new ServiceStopping()
        const turn = enter(kind)
        // An interrupted caller may have been granted its turn already without having noticed.
        const withdraw = Effect.suspend(() => {
          onWithdrawn(turn)
          if (turn.granted) return leave(turn)
          waiting.delete(turn)
          measureDepth()
          return Effect.void
        })
        return restore(Deferred.await(turn.grant)).pipe(
          Effect.onInterrupt(() => withdraw),
          Effect.unless(() => turn.granted),
          Effect.zipRight(Effect.ensuring(work(turn), leave(turn)))
        )
      })
    )

  const share = <Item, A, E>(batch: SharedWrite.Batch<Item, A, E>) => {
    const kind = {}
    const sharings = new WeakMap<Turn, SharedWrite.SharedWrite<Item, A, E>>()

    const lead = (turn: Turn) => {
      const followers = grantFollowers(kind, batch.limit - 1)
      const sharing = new SharedWrite.SharedWrite<Item, A, E>(followers.length + 1)
      for (const one of [turn, ...followers]) sharings.set(one, sharing)
      return sharing
    }

    return <E1, R>(prepare: Effect.Effect<Item, E1, R>): Effect.Effect<A, E | E1 | ServiceStopping, R> =>
      take(
        kind,
        (turn) =>
          Effect.suspend(() => {
            const joined = sharings.get(turn)
            if (joined !== undefined) return Effect.flatten(added(prepare, joined))
            return Effect.flatMap(arrivals, () => {
              const sharing = lead(turn)
              return Effect.flatten(Effect.tap(added(prepare, sharing), sharing.run(batch)))
            })
          }),
        (turn) => sharings.get(turn)?.withdraw()
      )
  }

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      stopping = true
      return running > 0 ? Deferred.await(drained) : Effect.void
    })
  )

  return {
    run: (work) =>
      take(
        undefined,
        () => work,
        () => {}
      ),
    share,
    depth: Effect.sync(() => waiting.size + running)
  }
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const added = <Item, A, E, E1, R>(prepare: Effect.Effect<Item, E1, R>, sharing: SharedWrite.SharedWrite<Item, A, E>) =>
  Effect.map(Effect.exit(prepare), (exit) => sharing.add(exit))

/** Lets whoever arrived in the same turn of the event loop enter: work that never waits would be done before the next one comes. */
const arrivals = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

interface Turn {
  readonly kind: object | undefined
  granted: boolean
  /** When it was entered, and once it is granted, when that was; in nanoseconds. */
  since: bigint
  readonly grant: Deferred.Deferred<void>
}
