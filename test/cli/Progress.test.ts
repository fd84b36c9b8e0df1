import { assert, describe, it } from "@effect/vitest"
import { Array, Effect, FiberRef, HashMap, HashSet, Logger, LogLevel, Option, TestClock } from "effect"
import * as Progress from "../../src/cli/Progress.ts"

/** Tells of a million reminders, a hundredth of them every `millis`, and answers what came to the terminal, or to the log. */
const told = (millis: number, terminal: boolean) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const logged: Array<string> = []
    const log = Logger.make(({ annotations, message }) => {
      assert.isTrue(HashMap.isEmpty(annotations))
      logged.push(String(Array.ensure(message)[0]))
    })
    const work = Progress.during("Validating", (tell) =>
      Effect.forEach(
        Array.range(1, 100),
        (done) => Effect.zipRight(TestClock.adjust(millis), tell(done * 10_000, 1_000_000)),
        { discard: true }
      )
    )
    yield* work.pipe(
      Effect.provideService(Progress.Line, terminal ? Option.some((text) => written.push(text)) : Option.none()),
      Effect.locally(FiberRef.currentLoggers, HashSet.make(log)),
      Logger.withMinimumLogLevel(LogLevel.Info)
    )
    return { written, logged }
  })

describe("progress", () => {
  it.effect("says nothing of short work", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told(4, true), { written: [], logged: [] })
      assert.deepStrictEqual(yield* told(20, false), { written: [], logged: [] })
    })
  )

  it.effect("rewrites one line of a terminal ten times a second, and clears it", () =>
    Effect.gen(function* () {
      const { logged, written } = yield* told(20, true)
      assert.deepStrictEqual(logged, [])
      assert.strictEqual(written[0], "\r\u001b[2KValidating 250 000 of 1 000 000 (25 %)")
      assert.strictEqual(written.length, 1 + 15 + 1)
      assert.strictEqual(written.at(-1), "\r\u001b[2K")
    })
  )

  it.effect("logs every three seconds without a terminal", () =>
    Effect.gen(function* () {
      const { logged, written } = yield* told(100, false)
      assert.deepStrictEqual(written, [])
      assert.deepStrictEqual(
        logged,
        ["30", "60", "90"].map((percent) => `Validating ${percent}0 000 of 1 000 000 (${percent} %)`)
      )
    })
  )

  it.effect("clears the line when the work fails, and counts what has no known end", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const exit = yield* Progress.during("Importing", (tell) =>
        Effect.zipRight(TestClock.adjust("1 second"), Effect.zipRight(tell(1234), Effect.fail("full")))
      ).pipe(
        Effect.provideService(
          Progress.Line,
          Option.some((text) => written.push(text))
        ),
        Effect.flip
      )
      assert.strictEqual(exit, "full")
      assert.deepStrictEqual(written, ["\r\u001b[2KImporting 1 234 …", "\r\u001b[2K"])
    })
  )
})
