/**
 * Takes the lock of a directory again and again, on command: `contender <directory>`. For each line `<epoch milliseconds>` on
 * stdin it waits actively for that moment, tries once, and answers `owner` or the refusal; at `release` it lets go.
 */
import { writeSync } from "node:fs"
import { createInterface } from "node:readline"
import { Cause, Effect, Exit, Scope } from "effect"
import * as OwnerLock from "../../../src/storage/OwnerLock.ts"

const directory = process.argv[2] ?? ""
let scope = await Effect.runPromise(Scope.make())

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "release") {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    scope = await Effect.runPromise(Scope.make())
    writeSync(1, "released\n")
    continue
  }
  while (Date.now() < Number(line));
  const exit = await Effect.runPromiseExit(Scope.extend(OwnerLock.acquire(directory), scope))
  writeSync(1, `${Exit.isSuccess(exit) ? "owner" : Cause.pretty(exit.cause).split("\n")[0]}\n`)
}
