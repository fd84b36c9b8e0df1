// Builds dist/: the library module by module with its types, the command as a bundle, which starts ten times faster, and the
// page. `--bundle` builds the command alone, `--page` the page alone.
import { execFileSync } from "node:child_process"
import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { build } from "vite"

const only = process.argv.find((flag) => flag === "--bundle" || flag === "--page")

if (only === undefined) {
  rmSync("dist", { recursive: true, force: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" })
}
if (only !== "--page") await buildCommand()
if (only !== "--bundle") await buildPage()

async function buildCommand() {
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
}

/** Fails when the page has become heavier than a page may be: 250 kB of scripts and styles, as they cross the network. */
async function buildPage() {
  // whoever calls, the page is the one that people get
  process.env.NODE_ENV = "production"
  await build({ root: "ui", logLevel: "warn" })
  const files = readdirSync("dist/page", { recursive: true }).filter((name) => [".js", ".css"].includes(extname(name)))
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join("dist/page", name))).length, 0)
  if (bytes > 250_000) throw new Error(`the page has ${bytes} bytes of scripts and styles, more than 250000, gzipped`)
}
