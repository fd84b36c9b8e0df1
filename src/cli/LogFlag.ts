/**
 * `--log-level LEVEL`, which every command takes, anywhere among its flags.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as LogLevel from "effect/LogLevel"
import * as CliFailure from "./CliFailure.ts"

/**
 * The arguments without the flag, and its level; without it nothing is logged, except by commands that run for long.
 *
 * @since 0.1.0
 * @category parsing
 */
export const take = (
  args: ReadonlyArray<string>
): Either.Either<
  { readonly args: ReadonlyArray<string>; readonly level: LogLevel.LogLevel },
  CliFailure.CliFailure
> => {
  const rest: Array<string> = []
  let level: LogLevel.LogLevel = LogLevel.None
  for (let i = 0; i < args.length; i++) {
    const [, inline] = /^--log-level(?:=(.*))?$/s.exec(args[i]!) ?? [undefined]
    if (inline === undefined && args[i] !== "--log-level") {
      rest.push(args[i]!)
      continue
    }
    const name = (inline ?? args[++i] ?? "").toLowerCase()
    if (!Object.hasOwn(levels, name)) {
      return Either.left(
        CliFailure.refused(
          "usage",
          `--log-level must be one of ${Object.keys(levels).join(", ")}, not ${JSON.stringify(name)}`
        )
      )
    }
    level = levels[name]!
  }
  return Either.right({ args: rest, level })
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  all: LogLevel.All,
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  fatal: LogLevel.Fatal
}
