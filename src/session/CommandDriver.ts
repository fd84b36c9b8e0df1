/**
 * A driver that runs a command for each message: how agent programs that can resume a conversation by its id are driven.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/platform/Command"
import * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Places from "../concurrency/Places.ts"
import { AgentDriver, DriverFailure, type Turn, type TurnAnswer } from "./AgentDriver.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The program and its arguments, passed as they are: no shell reads them. */
  readonly command: readonly [program: string, ...args: Array<string>]
  /** After this the command is ended and the turn has failed. Default 10 minutes. */
  readonly timeLimit?: Duration.DurationInput | undefined
  /** How many bytes of its output are kept. Default 1 MiB. */
  readonly outputLimit?: number | undefined
  /** How many commands run at once, over all Sessions. Default 4. */
  readonly concurrency?: number | undefined
}

/**
 * The command gets the message's text on stdin, `SESSION_ID` and `MESSAGE_ID` in its environment, and the Session's working
 * directory. What it prints to stdout is the answer; trailing white space is dropped, and nothing printed is no answer. An
 * exit status above 0, a signal and the time limit are failures, with the end of stderr for a reason, or that of stdout when stderr
 * has nothing: some agent programs print their errors like answers. A command that is ended takes the processes that it started
 * along: they are asked first and killed two seconds later.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<AgentDriver, never, CommandExecutor.CommandExecutor> =>
  Layer.effect(
    AgentDriver,
    Effect.gen(function* () {
      const executor = yield* CommandExecutor.CommandExecutor
      const places = Places.make(options.concurrency ?? 4)
      const turn = (turn: Turn) => places.within(run(executor, options, turn))
      return AgentDriver.of({ name: "command", turn: Option.some(turn) })
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const grace = Duration.seconds(2)

const reasonLimit = 2_000

const run = (
  executor: CommandExecutor.CommandExecutor,
  { command: [program, ...args], timeLimit = "10 minutes", outputLimit = 1024 * 1024 }: Options,
  { header, message }: Turn
): Effect.Effect<TurnAnswer, DriverFailure> => {
  const command = Command.make(program, ...args).pipe(
    Command.env({ SESSION_ID: header.id, MESSAGE_ID: message.id }),
    Command.feed(message.text),
    header.cwd === undefined ? (same) => same : Command.workingDirectory(header.cwd)
  )
  return Effect.gen(function* () {
    const process = yield* Effect.catchAllDefect(executor.start(command), notStarted)
    yield* Effect.addFinalizer(() =>
      Effect.whenEffect(
        end(process),
        Effect.orElseSucceed(process.isRunning, () => false)
      )
    )
    const output = new Kept(outputLimit)
    const errors = new Tail(reasonLimit)
    const reading = yield* Effect.forkScoped(
      Effect.all(
        [
          Stream.runForEach(process.stdout, (bytes) => Effect.sync(() => output.add(bytes))),
          Stream.runForEach(process.stderr, (bytes) => Effect.sync(() => errors.add(bytes)))
        ],
        { concurrency: 2, discard: true }
      )
    )
    const failure = (what: string) => {
      const told = errors.text || output.text.trim().slice(-reasonLimit)
      return new DriverFailure({ reason: told === "" ? what : `${what}: ${told}` })
    }
    const status = yield* Effect.mapError(process.exitCode, ({ message }) => failure(message))
    // A process left in the background may hold the pipes open for as long as it likes.
    yield* Effect.timeoutOption(Fiber.await(reading), "1 second")
    if (status !== 0) return yield* failure(`exit status ${status}`)
    const text = output.text.trimEnd()
    return { text: text === "" ? Option.none() : Option.some(text), truncated: output.full }
  }).pipe(
    Effect.scoped,
    Effect.timeoutFail({
      duration: timeLimit,
      onTimeout: () => new DriverFailure({ reason: `not done after ${Duration.format(timeLimit)}` })
    }),
    Effect.catchTags({ BadArgument: failed, SystemError: failed })
  )
}

const failed = (error: PlatformError) => new DriverFailure({ reason: error.message })

const notStarted = (defect: unknown) => new DriverFailure({ reason: `the command was not started: ${String(defect)}` })

/** Ends a process with all that it started. */
const end = (process: CommandExecutor.Process): Effect.Effect<void> =>
  Effect.ignore(process.kill("SIGTERM")).pipe(
    Effect.interruptible,
    Effect.timeoutOption(grace),
    Effect.zipRight(Effect.ignore(process.kill("SIGKILL")))
  )

/** The beginning of an output. */
class Kept {
  private readonly decoder = new TextDecoder()
  private left: number
  text = ""
  full = false

  constructor(limit: number) {
    this.left = limit
  }

  add(bytes: Uint8Array): void {
    // A character that the limit cuts is not decoded, because nothing follows.
    this.text += this.decoder.decode(bytes.subarray(0, this.left), { stream: true })
    this.full ||= bytes.length > this.left
    this.left -= Math.min(bytes.length, this.left)
  }
}

/** The end of an output, for a reason. */
class Tail {
  private readonly decoder = new TextDecoder()
  private readonly limit: number
  private kept = ""

  constructor(limit: number) {
    this.limit = limit
  }

  add(bytes: Uint8Array): void {
    this.kept = (this.kept + this.decoder.decode(bytes, { stream: true })).slice(-this.limit)
  }

  get text(): string {
    return this.kept.trim()
  }
}
