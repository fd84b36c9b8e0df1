import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Chunk, Effect, Stream } from "effect"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../src/storage/Storage.ts"

/** An empty directory for the life of the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "host-schedule-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** Every row of an open domain, in creation order. */
export const rowsOf = (domain: ScheduleDomain.ScheduleDomain["Type"]) =>
  Effect.map(Stream.runCollect(domain.rows), Chunk.toReadonlyArray)

/** Every row of a storage that nobody owns. */
export const contents = (storage: Storage.Storage) =>
  Effect.scoped(Effect.flatMap(ScheduleDomain.make(Storage.driver(storage)), rowsOf))
