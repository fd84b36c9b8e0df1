/**
 * How far long work has come.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * Writes to the terminal that stderr is; none when it is a file or a pipe, which is the default.
 *
 * @since 0.1.0
 * @category services
 */
export class Line extends Context.Reference<Line>()("host-schedule/cli/ProgressLine", {
  defaultValue: (): Option.Option<(text: string) => void> => Option.none()
}) {}

/**
 * Tells that `done` reminders are done, of `total` if that is known.
 *
 * @since 0.1.0
 * @category models
 */
export type Tell = (done: number, total?: number) => Effect.Effect<void>

/**
 * Runs work that tells how far it is. What takes longer than half a second is shown on one line of the terminal, which is gone
 * when the work ends, or else is logged every three seconds.
 *
 * @since 0.1.0
 * @category output
 */
export const during = <A, E, R>(doing: string, work: (tell: Tell) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const terminal = yield* Line
    let next = (yield* Clock.currentTimeMillis) + (Option.isSome(terminal) ? terminalAfter : logEvery)
    let shown = false
    const tell: Tell = (done, total) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now < next) return Effect.void
        next = now + (Option.isSome(terminal) ? terminalEvery : logEvery)
        const text = describe(doing, done, total)
        if (Option.isNone(terminal)) return Effect.logInfo(text)
        shown = true
        return Effect.sync(() => terminal.value(`${startOfLine}${text}`))
      })
    const clear = Effect.sync(() => {
      if (shown && Option.isSome(terminal)) terminal.value(startOfLine)
    })
    return yield* Effect.ensuring(work(tell), clear)
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// milliseconds
const terminalAfter = 500
const terminalEvery = 100
const logEvery = 3_000

/** Goes back to the start of the line and clears it. */
const startOfLine = "\r\u001b[2K"

const describe = (doing: string, done: number, total: number | undefined) => {
  const number = (value: number) => value.toLocaleString("en").replaceAll(",", " ")
  return total === undefined || total === 0
    ? `${doing} ${number(done)} …`
    : `${doing} ${number(done)} of ${number(total)} (${Math.floor((done / total) * 100)} %)`
}
