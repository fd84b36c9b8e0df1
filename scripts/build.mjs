// Builds dist/: the library module by module with its types, and the command as a bundle, which starts ten times faster.
import { execFileSync } from "node:child_process"
import { chmodSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"

const bundleOnly = process.argv.includes("--bundle")

if (!bundleOnly) {
  rmSync("dist", { recursive: true, force: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" })
}

const bundle = await rolldown({
  input: "src/cli/main.ts",
  platform: "node",
  external: ["better-sqlite3"],
  logLevel: "warn"
})
// Commands that need no Host do not load one: what `import()` names becomes a file of its own.
rmSync("dist/bin", { recursive: true, force: true })
await bundle.write({
  dir: "dist/bin",
  format: "esm",
  entryFileNames: "host-schedule.js",
  chunkFileNames: "[name]-[hash].js",
  banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : "")
})
chmodSync("dist/bin/host-schedule.js", 0o755)
