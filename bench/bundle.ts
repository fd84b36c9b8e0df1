/** Bundles a program into one file, as the command is bundled, and answers its path. */
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"

export const bundle = async (input: string, directory: string): Promise<string> => {
  const file = join(directory, `${basename(input, ".ts")}.mjs`)
  const sqlite = createRequire(import.meta.url).resolve("better-sqlite3")
  const program = await rolldown({ input, platform: "node", external: ["better-sqlite3"], logLevel: "silent" })
  await program.write({ file, format: "esm", codeSplitting: false, paths: { "better-sqlite3": sqlite } })
  return file
}
