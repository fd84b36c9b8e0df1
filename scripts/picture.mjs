// Draws docs/images/terminal.svg from a real run of the command: `npm run build && node scripts/picture.mjs`.
// Each command runs on a terminal of its own (the `script` of util-linux), so that it paints as it does for people.
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

const program = join(import.meta.dirname, "../dist/bin/host-schedule.js")
const home = mkdtempSync(join(tmpdir(), "host-schedule-picture-"))
const env = { ...process.env, HOST_SCHEDULE_HOME: home, HOME: home, TERM: "xterm-256color", NO_COLOR: "" }
const quoted = (args) => args.map((arg) => (/^[\w./:=-]+$/.test(arg) ? arg : `'${arg}'`)).join(" ")

const onTerminal = (args) =>
  execFileSync("script", ["-qec", `${process.execPath} ${program} ${quoted(args)}`, "/dev/null"], {
    env,
    encoding: "utf8"
  })
    .replaceAll("\r", "")
    .trimEnd()

const host = spawn(process.execPath, [program, "serve", "--port", "0"], { env, stdio: ["ignore", "pipe", "ignore"] })
const lines = []
const show = (typed, args) => {
  lines.push(`\u001b[32m$\u001b[39m host-schedule ${quoted(typed ?? args)}`, ...onTerminal(args).split("\n"), "")
}
try {
  await new Promise((resolve) => host.stdout.once("data", resolve))
  const id = onTerminal(["sessions", "new", "--id", "work"])
  lines.push("\u001b[32m$\u001b[39m host-schedule sessions new --id work", id, "")
  const create = (...rest) => ["create", "--session", id, ...rest]
  show(undefined, create("--title", "Build check", "--prompt", "Is the build green?", "--after", "2"))
  show(
    undefined,
    create(
      "--title",
      "Stand-up",
      "--prompt",
      "Summarise yesterday.",
      "--cron",
      "0 9 * * 1-5",
      "--zone",
      "Asia/Shanghai"
    )
  )
  await setTimeout(3000)
  show(undefined, ["sessions", "show", id])
  show(undefined, ["list", "--session", id])
} finally {
  host.kill()
  rmSync(home, { recursive: true, force: true })
}

const paint = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`)
const colours = { 1: "font-weight:bold", 2: "fill:#8b949e", 31: "fill:#ff7b72", 32: "fill:#7ee787", 33: "fill:#e3b341" }
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const spans = (line) => {
  let style = ""
  return line
    .split(paint)
    .map((part, i) => {
      if (i % 2 === 1) style = colours[part] ?? ""
      else return style === "" ? escaped(part) : `<tspan style="${style}">${escaped(part)}</tspan>`
      return ""
    })
    .join("")
}
while (lines.at(-1) === "") lines.pop()
const columns = Math.max(
  ...lines.map(
    (line) =>
      line
        .split(paint)
        .filter((_, i) => i % 2 === 0)
        .join("").length
  )
)
const [width, height] = [Math.ceil(columns * 7.83) + 40, lines.length * 19 + 36]
const text = lines.map((line, i) => `<text x="20" y="${34 + i * 19}">${spans(line)}</text>`).join("\n")
writeFileSync(
  join(import.meta.dirname, "../docs/images/terminal.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>A reminder is created, delivered to its Session, and another one waits</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3" xml:space="preserve">
${text}
</g>
</svg>
`
)
