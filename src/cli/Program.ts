/**
 * The command from its arguments to its exit code.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as CliFailure from "./CliFailure.ts"
import * as LogFlag from "./LogFlag.ts"
import * as Output from "./Output.ts"
import * as Overview from "./Overview.ts"
import * as Progress from "./Progress.ts"
import * as Root from "./Root.ts"
import * as Text from "./Text.ts"
import * as Usage from "./Usage.ts"

/**
 * Where the command writes, and how.
 *
 * @since 0.1.0
 * @category models
 */
export interface Terminal {
  readonly stdout: (line: string) => void
  readonly stderr: (line: string) => void
  readonly colours: boolean
  /** Set when stdout is a terminal; see {@link Output.Screen}. */
  readonly screen?: Output.Terminal
  /** Set when stderr is a terminal; see {@link Progress.Line}. */
  readonly progress?: (text: string) => void
  /** Ends with the first signal to stop; see {@link Output.Signal}. */
  readonly signal: Effect.Effect<void>
}

/**
 * Runs a command line, `argv[2]` being its first word, and answers the exit code: 0 done, 1 refused, 2 cannot run. What went
 * wrong is one line on stderr, which is JSON `{code, message}` with `--json`.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = (argv: ReadonlyArray<string>, version: string, terminal: Terminal) => {
  const args = argv.slice(2)
  if (Overview.isAsked(args)) {
    return Effect.sync(() => {
      terminal.stdout(Overview.render(version, Text.style(terminal.colours)))
      return 0
    })
  }
  return Effect.gen(function* () {
    const flag = yield* LogFlag.take(args)
    const misplaced = Usage.check(flag.args, Root.tree)
    if (misplaced !== undefined) return yield* misplaced
    yield* Logger.withMinimumLogLevel(parse(version)([...argv.slice(0, 2), ...flag.args]), flag.level)
  }).pipe(
    Effect.exit,
    Effect.map((exit) => {
      if (Exit.isSuccess(exit)) return 0
      if (Cause.isInterruptedOnly(exit.cause)) return 130
      const failure = CliFailure.fromError(Cause.squash(exit.cause))
      const { code, message } = failure.code === "usage" ? withHint(failure, args) : failure
      terminal.stderr(
        args.includes("--json") ? JSON.stringify({ code, message }) : `host-schedule: ${message} (${code})`
      )
      return failure.exitCode
    }),
    Effect.provideService(Output.Signal, terminal.signal),
    Effect.provideService(Output.Screen, Option.fromNullable(terminal.screen)),
    Effect.provideService(Progress.Line, Option.fromNullable(terminal.progress)),
    Effect.provideService(Output.Version, version),
    Effect.provideService(Output.Style, Text.style(terminal.colours)),
    Effect.provide(Logger.replace(Logger.defaultLogger, log(terminal))),
    withOutput(terminal)
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const parse = (version: string) => Command.run(Root.command, { name: "host-schedule", version })

const withHint = ({ code, message }: CliFailure.CliFailure, [first = "", second = ""]: ReadonlyArray<string>) => {
  const words = Object.hasOwn(Root.tree, first) ? [first] : []
  if (Object.hasOwn(Root.tree[first] ?? {}, second)) words.push(second)
  return { code, message: `${message}; see \`${["host-schedule", ...words, "--help"].join(" ")}\`` }
}

/** Logs are for people who ask for them, and never part of an answer. */
const log = (terminal: Terminal) => Logger.make((entry) => terminal.stderr(Logger.logfmtLogger.log(entry)))

/** What `@effect/cli` prints of errors is dropped, as they are reported above. */
const withOutput =
  (terminal: Terminal) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.consoleWith((console) =>
      Effect.withConsole(effect, {
        ...console,
        log: (text: unknown) =>
          Effect.sync(() => terminal.stdout(terminal.colours ? String(text) : Text.withoutColours(String(text)))),
        error: () => Effect.void
      })
    )
