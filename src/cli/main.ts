import { readFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Program from "./Program.ts"

/** How long a command may take to finish what it began after it was told to stop. */
const stopWithin = 30_000

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
const stopped = Effect.runSync(Deferred.make<void>())
let stopsByItself = false

const fiber = Effect.runFork(
  Program.run(process.argv, version, {
    stdout: (line) => process.stdout.write(`${line}\n`),
    stderr: (line) => process.stderr.write(`${line}\n`),
    colours: process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "",
    // a terminal may not know its size
    ...(process.stdout.isTTY === true && {
      screen: { write: (text: string) => process.stdout.write(text), rows: () => process.stdout.rows || 24 }
    }),
    ...(process.stderr.isTTY === true && { progress: (text: string) => process.stderr.write(text) }),
    signal: Effect.suspend(() => {
      stopsByItself = true
      return Deferred.await(stopped)
    })
  }).pipe(Effect.provide(NodeContext.layer))
)

// The first signal lets the command finish what it began; the second one ends the process where it is.
const onSignal = () => {
  process.off("SIGINT", onSignal)
  process.off("SIGTERM", onSignal)
  Deferred.unsafeDone(stopped, Effect.void)
  if (!stopsByItself) fiber.unsafeInterruptAsFork(fiber.id())
  setTimeout(() => {
    process.stderr.write(`host-schedule: gave up finishing after ${stopWithin / 1000} s (stop_timeout)\n`)
    process.exit(2)
  }, stopWithin).unref()
}
process.on("SIGINT", onSignal)
process.on("SIGTERM", onSignal)

// a reader such as `head` that has seen enough is no failure; who stops in order, stops for want of a reader, too
process.stdout.on("error", () => {
  if (stopsByItself) Deferred.unsafeDone(stopped, Effect.void)
  else process.exit(0)
})

// fibers alone do not keep a process running
const keepAlive = setInterval(() => {}, 2 ** 31 - 1)

fiber.addObserver((exit) => {
  clearInterval(keepAlive)
  process.exit(exit._tag === "Success" ? exit.value : 130)
})
