import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

const repository = join(import.meta.dirname, "../..")

/** What a consumer compiles: the public modules, with their types. */
const consumer = `
import { createRecord, preview, type ScheduleRecord } from "host-schedule/domain"
import { Either } from "effect"
const record: Either.Either<ScheduleRecord, { readonly code: string }> = createRecord(
  { title: "T", prompt: "P", every_seconds: 60 },
  { id: "schedule-00000000-0000-4000-8000-000000000000" as never, now: 0 }
)
// @ts-expect-error: a refusal has no such field
Either.mapLeft(record, ({ nothing }) => nothing)
console.log(JSON.stringify([record, preview({ every_seconds: 60 }, 0, 1)]))
`

describe("the package", () => {
  it("installed into an empty folder, runs its command, and imports with types", async () => {
    const folder = mkdtempSync(join(tmpdir(), "host-schedule-package-"))
    try {
      const run = async (program: string, args: ReadonlyArray<string>, cwd: string) =>
        (await promisify(execFile)(program, args, { cwd })).stdout
      // builds, as publishing does, away from the command that other tests start
      const source = join(folder, "source")
      mkdirSync(source)
      const apart = [".git", "node_modules", "dist", "test", "bench", "docs"]
      for (const name of readdirSync(repository).filter((name) => !apart.includes(name))) {
        cpSync(join(repository, name), join(source, name), { recursive: true })
      }
      symlinkSync(join(repository, "node_modules"), join(source, "node_modules"))
      const [{ filename, files }] = JSON.parse(
        await run("npm", ["pack", "--json", "--silent", "--pack-destination", folder], source)
      )
      const paths: ReadonlyArray<string> = files.map(({ path }: { path: string }) => path)
      assert.isEmpty(paths.filter((path) => !/^(dist\/|LICENSE$|README(\.zh)?\.md$|package\.json$)/.test(path)))

      // what npm would download is taken from this repository's own installation
      const modules = join(folder, "node_modules")
      mkdirSync(modules)
      for (const name of readdirSync(join(repository, "node_modules"))) {
        if (name.startsWith(".")) continue
        symlinkSync(join(repository, "node_modules", name), join(modules, name))
      }
      await run("tar", ["-xzf", filename], folder)
      await run("mv", ["package", join(modules, "host-schedule")], folder)
      mkdirSync(join(modules, ".bin"))
      symlinkSync("../host-schedule/dist/bin/host-schedule.js", join(modules, ".bin", "host-schedule"))
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))

      const answer = await run(
        "npx",
        ["--no-install", "host-schedule", "preview", "--every", "60", "--from", "2026-01-01T00:00:00Z", "--count", "1"],
        folder
      )
      assert.match(answer, /^2026-01-01T00:01:00.000Z/)

      writeFileSync(join(folder, "consumer.ts"), consumer)
      const tsc = join(repository, "node_modules/typescript/bin/tsc")
      await run(
        process.execPath,
        [tsc, "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "consumer.ts"],
        folder
      )
      const printed = JSON.parse(await run(process.execPath, ["consumer.js"], folder))
      assert.strictEqual(printed[0].right.scheduledAt, "1970-01-01T00:01:00.000Z")
      assert.deepStrictEqual(printed[1].right, ["1970-01-01T00:01:00.000Z"])

      // the example compiles against the package, and does what it says
      cpSync(join(repository, "examples/embed/main.ts"), join(folder, "embed.ts"))
      await run(
        process.execPath,
        [
          tsc,
          "--strict",
          "--module",
          "nodenext",
          "--target",
          "es2022",
          "--skipLibCheck",
          "--types",
          "node",
          "embed.ts"
        ],
        folder
      )
      assert.match(
        await run(process.execPath, ["embed.js"], folder),
        /^to conversation-1:\n\[SCHEDULE REMINDER\]\n[\s\S]*"The tea is ready."\n$/
      )

      const { exports } = JSON.parse(await run("cat", ["package.json"], join(modules, "host-schedule")))
      for (const name of Object.keys(exports).filter((name) => name !== "./package.json")) {
        const specifier = `host-schedule${name.slice(1)}`
        await run(process.execPath, ["--input-type=module", "-e", `await import(${JSON.stringify(specifier)})`], folder)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
