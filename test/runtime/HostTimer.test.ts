import { assert, describe, it } from "@effect/vitest"
import { type Clock, Duration, Effect, type Scope, TestClock } from "effect"
import * as HostTimer from "../../src/runtime/HostTimer.ts"

describe("HostTimer", () => {
  it.scoped("drives at start, and then at each target", () =>
    Effect.gen(function* () {
      const { drives } = yield* start({ targets: [1_000, 5_000] })
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(drives, [0])
      yield* TestClock.adjust(999)
      assert.deepStrictEqual(drives, [0])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(drives, [0, 1_000])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(drives, [0, 1_000, 5_000])
    })
  )

  it.scoped("what an earlier drive tried is left alone until something asks for a drive", () =>
    Effect.gen(function* () {
      // the target stays where it is: its delivery failed
      const { drives, timer } = yield* start({ targets: [1_000] })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(drives, [0, 1_000])
      yield* timer.rearm
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(drives, [0, 1_000])
      yield* timer.drive
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(drives, [0, 1_000, 3_600_000])
    })
  )

  it.scoped("a nearer target takes effect when the timer is armed again", () =>
    Effect.gen(function* () {
      const targets = [60_000]
      const { drives, timer } = yield* start({ targets })
      yield* TestClock.adjust(1_000)
      targets.push(2_000)
      yield* timer.rearm
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(drives, [0, 2_000])
    })
  )

  it.scoped("a target that is already past when the timer is armed again is driven at once", () =>
    Effect.gen(function* () {
      const targets = [60_000]
      const { drives, timer } = yield* start({ targets })
      yield* TestClock.adjust(10_000)
      targets.push(3_000)
      yield* timer.rearm
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(drives, [0, 10_000])
    })
  )

  it.scoped("requests during a drive become one more drive", () =>
    Effect.gen(function* () {
      const { drives, timer } = yield* start({
        targets: [],
        onDrive: (timer, count) => (count === 1 ? Effect.repeatN(timer.drive, 4) : Effect.void)
      })
      yield* timer.drive
      yield* TestClock.adjust(0)
      yield* TestClock.adjust("1 hour")
      assert.isAtMost(drives.length, 3)
      assert.isAtLeast(drives.length, 2)
    })
  )

  it.scoped("naps at most maxSleep, so that it sees a clock that jumped forward", () =>
    Effect.gen(function* () {
      const clock = yield* jumpingClock
      const { drives } = yield* start({ targets: [3_600_000] }).pipe(Effect.withClock(clock.clock))
      yield* TestClock.adjust("10 seconds")
      clock.jump(3_600_000)
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(drives, [0])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(drives, [0, 3_630_000])
      assert.isAtMost(Math.max(...clock.naps), 30_000)
    })
  )

  it.scoped("a clock that went back never fires early, and arms again what lies ahead again", () =>
    Effect.gen(function* () {
      const clock = yield* jumpingClock
      const { drives, timer } = yield* start({ targets: [10_000] }).pipe(Effect.withClock(clock.clock))
      yield* TestClock.adjust(5_000)
      clock.jump(-5_000)
      yield* TestClock.adjust(9_999)
      assert.deepStrictEqual(drives, [0])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(drives, [0, 10_000])
      clock.jump(-5_000)
      yield* timer.rearm
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual(drives, [0, 10_000, 10_000])
    })
  )

  it.scoped("without a target it arms no timer at all", () =>
    Effect.gen(function* () {
      const clock = yield* jumpingClock
      yield* start({ targets: [] }).pipe(Effect.withClock(clock.clock))
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(clock.naps, [])
    })
  )

  it.scoped("reaches a target in thirty years without a timer beyond the platform's limit", () =>
    Effect.gen(function* () {
      const clock = yield* jumpingClock
      const target = Duration.toMillis("10950 days")
      const { drives } = yield* start({ targets: [target], maxSleep: Duration.millis(2 ** 31 - 1) }).pipe(
        Effect.withClock(clock.clock)
      )
      yield* TestClock.adjust(target)
      assert.deepStrictEqual(drives, [0, target])
      assert.isAtMost(Math.max(...clock.naps), 2 ** 31 - 1)
    })
  )

  it.scoped("a failed or defective reading does not end it: it tries again after a nap, or when asked", () =>
    Effect.gen(function* () {
      let broken: Effect.Effect<never, string> | undefined = Effect.fail("offline")
      const drives: Array<number> = []
      const timer = yield* HostTimer.make({
        drive: (now) => Effect.suspend(() => broken ?? Effect.sync(() => drives.push(now))),
        nextTarget: () => Effect.succeed(Number.POSITIVE_INFINITY),
        maxSleep: Duration.seconds(30)
      })
      yield* TestClock.adjust("10 seconds")
      broken = Effect.die("bug")
      yield* timer.rearm
      yield* TestClock.adjust("10 seconds")
      broken = undefined
      assert.deepStrictEqual(drives, [])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(drives, [40_000])
    })
  )
})

const start = (options: {
  readonly targets: ReadonlyArray<number>
  readonly maxSleep?: Duration.Duration
  readonly onDrive?: (timer: HostTimer.HostTimer, count: number) => Effect.Effect<void>
}): Effect.Effect<{ timer: HostTimer.HostTimer; drives: Array<number> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const drives: Array<number> = []
    const timer: HostTimer.HostTimer = yield* HostTimer.make({
      drive: (now) =>
        Effect.suspend(() => {
          const count = drives.push(now)
          return options.onDrive?.(timer, count) ?? Effect.void
        }),
      nextTarget: (after) => Effect.sync(() => Math.min(...options.targets.filter((target) => target > after))),
      maxSleep: options.maxSleep ?? Duration.seconds(30)
    })
    return { timer, drives }
  })

/** The test clock with an offset: its wall time jumps while its naps do not notice. */
const jumpingClock = Effect.map(Effect.clock, (clock) => {
  let offset = 0
  const naps: Array<number> = []
  const jumping: Clock.Clock = Object.create(clock, {
    currentTimeMillis: { get: () => Effect.map(clock.currentTimeMillis, (now) => now + offset) },
    unsafeCurrentTimeMillis: { value: () => clock.unsafeCurrentTimeMillis() + offset },
    sleep: {
      value: (duration: Duration.Duration) => {
        naps.push(Duration.toMillis(duration))
        return clock.sleep(duration)
      }
    }
  })
  return { clock: jumping, naps, jump: (millis: number) => (offset += millis) }
})
