/**
 * Runs the benchmarks and writes what they print into `bench/RESULTS.md`: `npm run bench` all of them, `npm run bench NAME` one.
 * `npm run bench NAME ARGUMENTS …` runs one in another size and only prints. PostgreSQL and Redis come from Debian's packages
 * `postgresql` and `redis-server`.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"

const sections = {
  occurrence: { title: "Next and latest occurrence", program: "occurrence/main.ts" },
  writes: { title: "Durable writes", program: "storage/writes.ts" },
  scale: { title: "Storage from a thousand to a million tasks", program: "storage/scale.ts", own: "bundles" },
  burst: { title: "A burst", program: "delivery/burst.ts" },
  lateness: { title: "Lateness", program: "delivery/lateness.ts" },
  process: { title: "Restart and idling", program: "delivery/process.ts", own: "command" },
  remote: { title: "Calls over each transport", program: "remote/main.ts", own: "command" }
} satisfies Record<string, Section>
type Name = keyof typeof sections

interface Section {
  readonly title: string
  readonly program: string
  /** What processes of its own it starts: bundles that it makes, or the command. */
  readonly own?: "bundles" | "command"
}
const names = Object.keys(sections) as ReadonlyArray<Name>

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const run = async (name: Name, args: ReadonlyArray<string>) => {
  const { own, program }: Section = sections[name]
  if (own === "command") execFileSync(process.execPath, ["scripts/build.mjs", "--bundle"])
  const command = own === undefined ? [await bundle(pathOf(program))] : ["--import", "tsx", pathOf(program)]
  return execFileSync(process.execPath, [...command, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"]
  }).trim()
}

/** The bodies of the sections that the file has. */
const recorded = (file: string) =>
  new Map(
    Array.from(
      (existsSync(file) ? readFileSync(file, "utf8") : "").matchAll(/<!-- (\w+) -->\n([\s\S]*?)<!-- end -->/g),
      ([, name = "", body = ""]) => [name, body]
    )
  )

const record = (name: Name, tables: string, load: number) => {
  const file = pathOf("RESULTS.md")
  const [cpu] = cpus()
  const conditions =
    `\`npm run bench ${name}\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ` +
    `${cpus().length} shared cores (${cpu?.model ?? "unknown"}), load ${load.toFixed(1)} before it began`
  const bodies = recorded(file).set(name, `${conditions}.\n\n${tables}\n`)
  const parts = names.flatMap((name) => {
    const body = bodies.get(name)
    return body === undefined ? [] : [`## ${sections[name].title}\n\n<!-- ${name} -->\n${body}<!-- end -->\n`]
  })
  const introduction =
    "Written by `npm run bench`. The machine is shared: read the ratios within a table, and do not compare two runs."
  writeFileSync(file, `# Results\n\n${introduction}\n\n${parts.join("\n")}`)
}

const [first, ...args] = process.argv.slice(2)
const isName = (name: string): name is Name => name in sections
if (first !== undefined && !isName(first)) {
  console.error(`there is no benchmark ${first}; there are ${names.join(", ")}`)
  process.exit(1)
}
for (const name of first === undefined ? names : [first]) {
  console.error(`${name} …`)
  const [load = 0] = loadavg()
  const output = await run(name, args)
  console.log(output)
  if (args.length === 0) record(name, output, load)
}
