import { readFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Program from "./Program.ts"

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
const isTerminal = process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === ""

// a reader such as `head` that has seen enough is no failure
process.stdout.on("error", () => process.exit(0))

const fiber = Effect.runFork(
  Program.run(process.argv, version, {
    stdout: (line) => process.stdout.write(`${line}\n`),
    stderr: (line) => process.stderr.write(`${line}\n`),
    colours: isTerminal
  }).pipe(Effect.provide(NodeContext.layer))
)

// The first signal lets the command finish what it began; the second one ends the process where it is.
const onSignal = () => {
  process.off("SIGINT", onSignal)
  process.off("SIGTERM", onSignal)
  fiber.unsafeInterruptAsFork(fiber.id())
}
process.on("SIGINT", onSignal)
process.on("SIGTERM", onSignal)

// fibers alone do not keep a process running
const keepAlive = setInterval(() => {}, 2 ** 31 - 1)

fiber.addObserver((exit) => {
  clearInterval(keepAlive)
  process.exit(exit._tag === "Success" ? exit.value : 130)
})
