import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** An empty directory for the life of the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "host-schedule-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)
