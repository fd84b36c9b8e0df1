/** Writes at full speed until it is killed, and says on stdout which writes have returned: `writer <storage JSON> <seed> <n>`. */
import { writeSync } from "node:fs"
import { Chunk, Effect, Stream } from "effect"
import * as ScheduleDomain from "../../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../../src/storage/Storage.ts"
import { fromArgument } from "./storage.ts"
import { write } from "./writes.ts"

const [storage = "", seed = "", first = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const domain = yield* ScheduleDomain.make(Storage.driver(fromArgument(storage)))
  let rows = Chunk.toReadonlyArray(yield* Stream.runCollect(domain.rows))
  writeSync(1, "open\n")
  for (let n = Number(first); ; n++) {
    const { domain: run, model } = write(Number(seed), n)
    yield* run(domain, rows)
    writeSync(1, `${n}\n`)
    rows = model(rows)
  }
})

await Effect.runPromise(Effect.scoped(program))
