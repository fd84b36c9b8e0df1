// Appends to the Sessions of a home directory for ever, and prints what was acknowledged. Made to be killed.
import { writeSync } from "node:fs"
import { Effect } from "effect"
import { sessionId, start } from "./TestSessions.ts"

const home = process.argv[2]!

const write = Effect.gen(function* () {
  const { sessions } = yield* start(home)
  const write = (name: string) =>
    Effect.gen(function* () {
      const id = sessionId(name)
      yield* Effect.ignore(sessions.create({ id }))
      for (let round = 0; ; round++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const agent = yield* sessions.resolveAgent(id)
            const appended: Array<string> = []
            for (let count = 0; count <= round % 5; count++) {
              const text = "é".repeat((round * 37 + count) % 3000)
              appended.push(yield* agent.followup({ text, source: "test", keys: [`${round}@${count}`] }))
            }
            if (yield* agent.flush) writeSync(1, `${[name, ...appended].join(" ")}\n`)
          })
        )
      }
    })
  yield* Effect.all(["a", "b", "c", "d"].map(write), { concurrency: "unbounded" })
})

Effect.runFork(Effect.scoped(write))
