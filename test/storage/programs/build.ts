/** Bundles a program of these tests, because a bundle starts many times faster than its sources. */
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { afterAll, beforeAll } from "vitest"

/** The path of the bundle of `<name>.ts`, from the first test of the file on. */
export const bundled = (name: string): { readonly path: string } => {
  let directory = ""
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "host-schedule-bundle-"))
    const input = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
    const sqlite = createRequire(import.meta.url).resolve("better-sqlite3")
    const bundle = await rolldown({ input, platform: "node", external: ["better-sqlite3"], logLevel: "silent" })
    await bundle.write({
      file: join(directory, `${name}.mjs`),
      format: "esm",
      codeSplitting: false,
      paths: { "better-sqlite3": sqlite }
    })
  }, 60_000)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return {
    get path() {
      return join(directory, `${name}.mjs`)
    }
  }
}
