import { readFileSync } from "node:fs"
import type { TestHome } from "../e2e/Command.ts"

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they are on the wire
type Wire = any

/** Calls a running Host, many at once in one request; answers the values, and fails with the first failure. */
export const rpc = async (
  home: TestHome,
  calls: ReadonlyArray<readonly [tag: string, payload?: unknown]>
): Promise<ReadonlyArray<Wire>> => {
  const { url } = JSON.parse(readFileSync(home.path("host.json"), "utf8"))
  const authorization = `Bearer ${readFileSync(home.path("token"), "utf8").trim()}`
  const body = calls.map(
    ([tag, payload], id) => `${JSON.stringify({ _tag: "Request", id: String(id), tag, payload, headers: [] })}\n`
  )
  const response = await fetch(`${url}/rpc`, {
    method: "POST",
    headers: { authorization, "content-type": "application/ndjson" },
    body: body.join("")
  })
  const answers = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return calls.map((call, id) => {
    const exit = answers.find((answer) => answer._tag === "Exit" && answer.requestId === String(id))?.exit
    if (exit?._tag !== "Success") throw new Error(`${call[0]}: ${JSON.stringify(exit ?? answers)}`)
    return exit.value
  })
}

/** Makes a Session. */
export const session = (home: TestHome, id: string, title?: string) =>
  rpc(home, [["sessions.new", title === undefined ? { id } : { id, title }]])

/** Makes a task, and answers its record. */
export const task = async (home: TestHome, sessionId: string, title: string, selector: object, prompt = "Say hello") =>
  (await rpc(home, [["schedule.create", { sessionId, request: { title, prompt, ...selector } }]]))[0]
