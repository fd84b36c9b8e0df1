/**
 * Writes until the system has refused it five times, which it does when a file would grow beyond `ulimit -f`. Checks after each
 * refusal what is there, and says on stdout which writes are: `limited <storage JSON> <seed>`.
 */
import { isDeepStrictEqual } from "node:util"
import { Chunk, Effect, Stream } from "effect"
import * as ScheduleDomain from "../../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../../src/storage/Storage.ts"
import { write } from "./writes.ts"

const [storage = "", seed = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const domain = yield* ScheduleDomain.make(Storage.driver(JSON.parse(storage)))
  const contents = Effect.map(Stream.runCollect(domain.rows), Chunk.toReadonlyArray)
  const written: Array<number> = []
  const failures: Array<string> = []
  let rows = yield* contents
  for (let n = 0; failures.length < 5 && n < 5000; n++) {
    const { domain: run, model } = write(Number(seed), n)
    const next = model(rows)
    const outcome = yield* Effect.either(run(domain, rows))
    if (outcome._tag === "Left") {
      const error = outcome.left as { readonly _tag: string; readonly message: string }
      failures.push(`${error._tag}: ${error.message}`)
      if (error._tag === "StorageUnknownState") yield* domain.reopen
      const found = yield* contents
      if (isDeepStrictEqual(found, rows)) continue
      if (error._tag !== "StorageUnknownState" || !isDeepStrictEqual(found, next)) {
        throw new Error(`write ${n} is there in part after ${error._tag}`)
      }
    }
    written.push(n)
    rows = next
  }
  return JSON.stringify({ written, failures })
})

console.log(await Effect.runPromise(Effect.scoped(program)))
