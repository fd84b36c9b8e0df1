/**
 * `preview --jsonl`: one request per line of stdin, one answer per line of stdout, in the same order.
 *
 * @since 0.1.0
 */
import type { Readable, Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as PreviewRequest from "../remote/PreviewRequest.ts"
import * as CliFailure from "./CliFailure.ts"

/**
 * Answers every line until stdin ends. A line that is no JSON is answered with `invalid_json`, as any other refusal is: it
 * ends nothing.
 *
 * @since 0.1.0
 * @category execution
 */
export const answerStdin = Effect.tryPromise({
  try: () => pump(process.stdin, process.stdout, () => Date.now()),
  catch: (error) => CliFailure.cannotRun("stdin_failed", `cannot read stdin: ${String(error)}`)
})

/**
 * The answer to one line, without a line break. `now` is in epoch milliseconds.
 *
 * @since 0.1.0
 * @category queries
 */
export const answerLine = (line: string, now: number): string => {
  let request: unknown
  try {
    request = JSON.parse(line)
  } catch {
    return JSON.stringify({
      code: "invalid_json",
      message: "a line must be one JSON object {<one selector>, from?, count?}"
    })
  }
  return JSON.stringify(
    Either.match(PreviewRequest.answer(request, now), {
      onLeft: ({ code, message }): object => ({ code, message }),
      onRight: (occurrences) => ({ occurrences })
    })
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Whole chunks at a time: a program that pipes in a million lines waits for the rules, not for fibers. */
const pump = async (input: Readable, output: Writable, now: () => number): Promise<void> => {
  let rest = ""
  input.setEncoding("utf8")
  for await (const chunk of input) {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    if (lines.length > 0) await write(output, lines.map((line) => `${answerLine(line, now())}\n`).join(""))
  }
  if (rest !== "") await write(output, `${answerLine(rest, now())}\n`)
}

const write = (output: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => output.write(text, (error) => (error == null ? resolve() : reject(error))))
