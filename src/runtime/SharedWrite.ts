/**
 * One write for several work items.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"

/**
 * A kind of work whose neighbours in the queue share one write.
 *
 * @since 0.1.0
 * @category models
 */
export interface Batch<Item, A, E> {
  /** Writes the items, at least one, and answers each one's own result, in the same order. */
  readonly write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<A, E>>>
  /** How many may share a write. */
  readonly limit: number
}

/**
 * The members of one shared write: each adds its item or falls out, and when none is missing, one of them writes.
 *
 * @since 0.1.0
 * @category models
 */
export class SharedWrite<Item, A, E> {
  private readonly items: Array<Item> = []
  private readonly results: Array<Deferred.Deferred<A, E>> = []
  private readonly complete = Deferred.unsafeMake<void>(FiberId.none)
  private missing: number

  constructor(members: number) {
    this.missing = members
  }

  /** Adds what a member prepared; answers where its result will be. */
  add<E1>(prepared: Exit.Exit<Item, E1>): Effect.Effect<A, E | E1> {
    const result = Deferred.unsafeMake<A, E>(FiberId.none)
    if (Exit.isSuccess(prepared)) {
      this.items.push(prepared.value)
      this.results.push(result)
    }
    this.withdraw()
    return Exit.isSuccess(prepared) ? Deferred.await(result) : Exit.failCause(prepared.cause)
  }

  /** Falls out: the others do not wait for this member any more. */
  withdraw(): void {
    this.missing--
    if (this.missing === 0) Deferred.unsafeDone(this.complete, Effect.void)
  }

  /** Waits for the members, writes what they added, and hands out the results. */
  run(batch: Batch<Item, A, E>): Effect.Effect<void> {
    return Deferred.await(this.complete).pipe(
      Effect.zipRight(Effect.suspend(() => (this.items.length === 0 ? Effect.succeed([]) : batch.write(this.items)))),
      Effect.exit,
      Effect.flatMap((written) =>
        Effect.forEach(
          this.results,
          (result, index) =>
            Deferred.done(
              result,
              Exit.flatMap(written, (exits) => exits[index] ?? unanswered)
            ),
          { discard: true }
        )
      )
    )
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const unanswered = Exit.die(new Error("a shared write answered fewer results than it had items"))
