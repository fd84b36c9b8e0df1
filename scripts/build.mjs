// Builds dist/: the library module by module with its types, and the command as one bundle, which starts ten times faster.
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
await bundle.write({
  file: "dist/bin/host-schedule.js",
  format: "esm",
  codeSplitting: false,
  banner: "#!/usr/bin/env node"
})
chmodSync("dist/bin/host-schedule.js", 0o755)
