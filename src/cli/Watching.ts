/**
 * Showing what is due next for as long as somebody looks.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type * as Connection from "./Connection.ts"
import * as DueNext from "./DueNext.ts"
import * as Output from "./Output.ts"
import * as Render from "./Render.ts"

/**
 * Until the first signal, then done. On a terminal one table is redrawn in place, each second, as the times in it pass;
 * elsewhere, and with `json`, every change is printed under the one before.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = (options: Connection.Options & { readonly json: boolean; readonly count: number }) =>
  Effect.gen(function* () {
    const signal = yield* Output.Signal
    const screen = options.json ? Option.none() : yield* Output.Screen
    const snapshots = DueNext.snapshots(options, options.count)
    yield* Effect.raceFirst(
      Option.match(screen, {
        onNone: () =>
          Stream.runForEach(snapshots, (snapshot) =>
            Output.answer(
              options.json,
              { host: snapshot.host ?? null, tasks: snapshot.tasks },
              (style, now) => `${Render.dueNext(snapshot, style, now)}\n`
            )
          ),
        onSome: (terminal) => draw(terminal, snapshots)
      }),
      signal
    )
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const draw = <E, R>(terminal: Output.Terminal, snapshots: Stream.Stream<DueNext.Snapshot, E, R>) =>
  Effect.gen(function* () {
    const style = yield* Output.Style
    let latest: DueNext.Snapshot | undefined
    const redraw = Effect.map(Clock.currentTimeMillis, (now) => {
      if (latest === undefined) return
      const lines = Render.dueNext(latest, style, now, terminal.rows()).split("\n")
      terminal.write(`${home}${lines.map((line) => line + clearLine).join("\r\n")}${clearBelow}`)
    })
    const follow = Stream.runForEach(snapshots, (snapshot) => {
      latest = snapshot
      return redraw
    })
    const tick = Effect.repeat(redraw, Schedule.spaced("1 second"))
    yield* Effect.acquireUseRelease(
      Effect.sync(() => terminal.write(enter)),
      () => Effect.raceFirst(follow, tick),
      () => Effect.sync(() => terminal.write(leave))
    )
  })

const escape = (codes: string) => `\u001b[${codes}`

/** Another screen, without a cursor, on which long lines are cut, so that the terminal is as it was afterwards. */
const enter = escape("?1049h") + escape("?25l") + escape("?7l")
const leave = escape("?7h") + escape("?25h") + escape("?1049l")
const home = escape("H")
const clearLine = escape("K")
const clearBelow = escape("J")
