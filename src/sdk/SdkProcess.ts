/**
 * A Host as a child process, and as a pair of streams.
 *
 * @since 0.1.0
 */
import { type ChildProcess, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection } from "./SdkClient.ts"
import * as SdkFailure from "./SdkFailure.ts"

/**
 * How a Host is started.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The program and its arguments, passed as they are. Default `host-schedule sdk`, which must be in the PATH. */
  readonly command?: readonly [string, ...ReadonlyArray<string>]
  /** Added to this process's environment, such as `HOST_SCHEDULE_HOME`. */
  readonly env?: Readonly<Record<string, string>>
  /** How long the Host may finish what it accepted when the scope closes, before it is killed. Default 30 s. */
  readonly stopWithin?: Duration.DurationInput
}

/**
 * Starts a Host, whose log goes to this process's stderr. Closing the scope ends its input and waits for it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = ({
  command: [program, ...args] = ["host-schedule", "sdk"],
  env,
  stopWithin = "30 seconds"
}: Options = {}): Effect.Effect<Connection, SdkFailure.SdkFailure, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      spawned(() => spawn(program, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] })),
      (child) =>
        Effect.suspend(() => {
          child.stdin.end()
          return exited(child)
        }).pipe(
          // a finalizer cannot be interrupted, and so would wait for ever
          Effect.interruptible,
          Effect.timeoutTo({
            duration: stopWithin,
            onSuccess: () => Effect.void,
            onTimeout: () =>
              Effect.suspend(() => {
                child.kill("SIGKILL")
                return exited(child)
              })
          }),
          Effect.flatten,
          // a process that it left behind may hold the other end, which would keep this program running
          Effect.ensuring(
            Effect.sync(() => {
              child.stdin.destroy()
              child.stdout.destroy()
            })
          )
        )
    ),
    ({ stdin, stdout }) => streams(stdout, stdin)
  )

/**
 * The connection over what a Host writes and what it reads.
 *
 * @since 0.1.0
 * @category constructors
 */
export const streams = (input: Readable, output: Writable): Connection => ({
  input: NodeStream.fromReadable<unknown, Uint8Array>(
    () => input,
    (error) => error
  ),
  output: NodeSink.fromWritable<unknown, string>(
    () => output,
    (error) => error,
    { endOnDone: true }
  )
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const exited = (child: ChildProcess): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    const onExit = () => resume(Effect.void)
    child.once("exit", onExit)
    return Effect.sync(() => child.off("exit", onExit))
  })

const spawned = <Child extends ChildProcess>(start: () => Child) =>
  Effect.async<Child, SdkFailure.SdkFailure>((resume) => {
    const child = start()
    // a Host that dies is noticed by what it does not write any more
    child.stdin?.on("error", () => {})
    child.once("spawn", () => resume(Effect.succeed(child)))
    child.once("error", () => resume(SdkFailure.make("client_gone", "the Host's program did not start")))
  })
