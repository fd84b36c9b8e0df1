/**
 * The shards that are open in this process.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SessionClient } from "../remote/SessionClient.ts"
import { OwnerUnavailable } from "../runtime/OwnerError.ts"
import type { ScheduleService } from "../runtime/ScheduleService.ts"
import * as Metrics from "./Metrics.ts"

/**
 * What the owner of a shard serves: the reminders of its Sessions, and the Sessions themselves.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenShard {
  readonly schedule: ScheduleService["Type"]
  readonly sessions: SessionClient["Type"]
}

/**
 * Opens a shard for as long as the scope lives; closing the scope drains it. `lost` is to be run once the shard is of no more
 * use, because its store is quarantined or another Host has taken it: it is closed then, and opened anew while it is wanted.
 *
 * @since 0.1.0
 * @category models
 */
export type Open = (index: number, lost: Effect.Effect<void>) => Effect.Effect<OpenShard, unknown, Scope.Scope>

/**
 * Each shard is opened while somebody wants it, by one fiber of its own, which closes it before it opens it again.
 *
 * @since 0.1.0
 * @category services
 */
export class Shards extends Context.Tag("host-schedule/cluster/Shards")<
  Shards,
  {
    readonly count: number

    /** Has a shard open until the scope closes; neither waits for the other. */
    readonly want: (index: number) => Effect.Effect<void, never, Scope.Scope>

    /** Waits until a shard is closed and drained. */
    readonly closed: (index: number) => Effect.Effect<void>

    /** The shard if it is open now. */
    readonly peek: (index: number) => OpenShard | undefined

    /** The shard, which may be waited for a short while. */
    readonly use: (index: number) => Effect.Effect<OpenShard, OwnerUnavailable>

    /** One element after every change of an open shard, and when one was opened; coalesced for a slow reader. */
    readonly changes: Stream.Stream<void>
  }
>() {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly count: number
  readonly open: Open
  /** Whether the cluster still gives the shard to this Host; asked before each opening. */
  readonly isOurs: (index: number) => Effect.Effect<boolean>
  /** How long a call waits for its shard to be open here; its caller asks again. Default 500 ms. */
  readonly patience?: Duration.DurationInput | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<Shards["Type"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const changed = yield* PubSub.sliding<void>(1)
    const announce = Effect.asVoid(PubSub.publish(changed, undefined))
    const slots = Array.from({ length: options.count }, (_, index): Slot => new Slot(index))
    let open = 0
    const count = (change: number) =>
      Effect.suspend(() => {
        open += change
        return Metric.set(Metrics.shards, open)
      })

    /** Opens the shard and serves it until it is lost. */
    const serve = (slot: Slot) =>
      Effect.gen(function* () {
        if (!(yield* options.isOurs(slot.index))) return yield* Effect.logDebug("The shard is another Host's.")
        const lost = yield* Deferred.make<void>()
        const shard = yield* options.open(slot.index, Effect.asVoid(Deferred.succeed(lost, undefined)))
        yield* Stream.runForEach(shard.schedule.changes, () => announce).pipe(Effect.forkScoped)
        yield* Effect.acquireRelease(
          Effect.zipRight(
            Effect.sync(() => slot.publish(shard)),
            count(1)
          ),
          () =>
            Effect.zipRight(
              Effect.sync(() => slot.withdraw()),
              count(-1)
            )
        )
        yield* Effect.logDebug("The shard is open.")
        yield* announce
        yield* Deferred.await(lost)
        yield* Effect.logWarning("The shard was lost, or its store is quarantined; it is closed.")
      }).pipe(
        Effect.scoped,
        Effect.sandbox,
        Effect.catchAll((cause) =>
          Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logWarning("The shard could not be opened.", cause)
        )
      )

    /** Serves again and again, with a pause that grows while serving does not last. */
    const serveAgain = (slot: Slot, pause: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        const [lasted] = yield* Effect.timed(serve(slot))
        const next = Duration.greaterThan(lasted, steady) ? firstPause : pause
        yield* Effect.sleep(next)
        yield* serveAgain(slot, Math.min(next * 2, lastPause))
      })

    yield* Effect.forEach(
      slots,
      (slot) =>
        slot.wanted.await.pipe(
          Effect.tap(() => slot.isClosed.close),
          Effect.zipRight(Effect.raceFirst(bounded(serveAgain(slot, firstPause)), slot.unwanted.await)),
          Effect.ensuring(Effect.zipRight(slot.isClosed.open, Effect.logDebug("The shard is closed."))),
          Effect.forever,
          Effect.annotateLogs({ module: "Shards", shard: slot.index }),
          Effect.forkScoped
        ),
      { discard: true }
    )

    const use = (index: number): Effect.Effect<OpenShard, OwnerUnavailable> =>
      Effect.suspend(() => {
        const slot = slots[index]
        if (slot === undefined) return new OwnerUnavailable({ message: `there is no shard ${index}` })
        if (slot.shard !== undefined) return Effect.succeed(slot.shard)
        if (!slot.isWanted) return new OwnerUnavailable({ message: `shard ${index} is not this Host's` })
        return slot.isOpen.await.pipe(
          Effect.timeoutFail({
            duration: options.patience ?? "500 millis",
            onTimeout: () => new OwnerUnavailable({ message: `shard ${index} is not open on this Host` })
          }),
          Effect.zipRight(use(index))
        )
      })

    return Shards.of({
      count: options.count,
      want: (index) =>
        Effect.acquireRelease(
          Effect.sync(() => slots[index]?.want()),
          () => Effect.sync(() => slots[index]?.unwant())
        ),
      closed: (index) => slots[index]?.isClosed.await ?? Effect.void,
      peek: (index) => slots[index]?.shard,
      use,
      changes: Stream.fromPubSub(changed)
    })
  })

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Shards> => Layer.scoped(Shards, make(options))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const firstPause = 250
const lastPause = 5_000

/**
 * Work whose interruption is waited for, but not for ever: a database that swallows everything must not keep a Host from
 * opening the shard again. What is left behind then has an old token.
 */
const bounded = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(restore(work)), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
        Fiber.interruptFork(fiber).pipe(
          Effect.zipRight(Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), patienceToClose)),
          Effect.flatMap((closed) =>
            Option.isNone(closed) ? Effect.logWarning("The shard does not close; it is left behind.") : Effect.void
          )
        )
      )
    )
  )

const patienceToClose = Duration.seconds(15)

/** A shard that was open for so long was not in trouble from the start. */
const steady = Duration.seconds(10)

class Slot {
  readonly index: number
  readonly wanted = Effect.unsafeMakeLatch(false)
  readonly unwanted = Effect.unsafeMakeLatch(true)
  readonly isOpen = Effect.unsafeMakeLatch(false)
  readonly isClosed = Effect.unsafeMakeLatch(true)
  shard: OpenShard | undefined
  private wants = 0

  constructor(index: number) {
    this.index = index
  }

  get isWanted(): boolean {
    return this.wants > 0
  }

  want(): void {
    if (this.wants++ > 0) return
    this.unwanted.unsafeClose()
    this.isClosed.unsafeClose()
    this.wanted.unsafeOpen()
  }

  unwant(): void {
    if (--this.wants > 0) return
    this.wanted.unsafeClose()
    this.unwanted.unsafeOpen()
  }

  publish(shard: OpenShard): void {
    this.shard = shard
    this.isOpen.unsafeOpen()
  }

  withdraw(): void {
    this.shard = undefined
    this.isOpen.unsafeClose()
  }
}
