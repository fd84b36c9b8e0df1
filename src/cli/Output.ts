/**
 * What commands say.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import * as View from "../domain/View.ts"
import * as Text from "./Text.ts"

/**
 * How to write for the reader of stdout. The default is plain; the entry file paints when stdout is a terminal and `NO_COLOR`
 * is not set.
 *
 * @since 0.1.0
 * @category services
 */
export class Style extends Context.Reference<Style>()("host-schedule/cli/Style", {
  defaultValue: () => Text.style(false)
}) {}

/**
 * Ends with the first signal that asks the process to stop. Whoever waits for it stops in order; without a waiter the command
 * is interrupted. The default never ends.
 *
 * @since 0.1.0
 * @category services
 */
export class Signal extends Context.Reference<Signal>()("host-schedule/cli/Signal", {
  defaultValue: (): Effect.Effect<void> => Effect.never
}) {}

/**
 * The terminal that stdout is, which can be drawn on; none when it is a file or a pipe, which is the default.
 *
 * @since 0.1.0
 * @category services
 */
export class Screen extends Context.Reference<Screen>()("host-schedule/cli/Screen", {
  defaultValue: (): Option.Option<Terminal> => Option.none()
}) {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Terminal {
  /** Writes control sequences and text as they are. */
  readonly write: (text: string) => void
  readonly rows: () => number
}

/**
 * The version of this program.
 *
 * @since 0.1.0
 * @category services
 */
export class Version extends Context.Reference<Version>()("host-schedule/cli/Version", {
  defaultValue: () => "0.0.0"
}) {}

/**
 * Commands log nothing unless `--log-level` says so; those that run for long log from `level` on.
 *
 * @since 0.1.0
 * @category output
 */
export const withLogs =
  (level: LogLevel.LogLevel) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentMinimumLogLevel), (asked) =>
      Logger.withMinimumLogLevel(effect, asked === LogLevel.None ? level : asked)
    )

/**
 * An answer: one line of JSON for programs, or what `render` makes of it for people.
 *
 * @since 0.1.0
 * @category output
 */
export const answer = (
  json: boolean,
  value: unknown,
  render: (style: Text.Style, now: number) => string
): Effect.Effect<void> =>
  json
    ? Console.log(JSON.stringify(value))
    : Effect.flatMap(Effect.all([Style, Clock.currentTimeMillis]), ([style, now]) => Console.log(render(style, now)))

/**
 * A record as its view: with its state now.
 *
 * @since 0.1.0
 * @category output
 */
export const view = (json: boolean, record: ScheduleRecord, render: (style: Text.Style, now: number) => string) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => answer(json, View.scheduleView(record, now), render))

/**
 * Records as their views.
 *
 * @since 0.1.0
 * @category output
 */
export const views = (
  json: boolean,
  records: ReadonlyArray<ScheduleRecord>,
  render: (style: Text.Style, now: number) => string
) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    answer(
      json,
      records.map((record) => View.scheduleView(record, now)),
      render
    )
  )
