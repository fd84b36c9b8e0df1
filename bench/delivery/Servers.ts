/** PostgreSQL and Redis from Debian's packages, each in a directory of its own, with durable settings. */
import { execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

export interface Server {
  readonly url: string
  readonly version: string
  readonly stop: () => Promise<void>
}

export const redis = async (port: number): Promise<Server> => {
  const dir = mkdtempSync(join(tmpdir(), "bench-redis-"))
  const args = ["--port", String(port), "--dir", dir, "--appendonly", "yes", "--appendfsync", "always", "--save", ""]
  const child = spawn("redis-server", args, { stdio: "ignore" })
  const answers = () => {
    try {
      return execFileSync("redis-cli", ["-p", String(port), "ping"], { stdio: ["ignore", "pipe", "ignore"] })
    } catch {
      return undefined
    }
  }
  while (answers() === undefined) await sleep(50)
  return {
    url: `redis://127.0.0.1:${port}`,
    version: execFileSync("redis-server", ["--version"]).toString().split(" ")[2] ?? "",
    stop: () => ended(child, dir)
  }
}

export const postgres = async (port: number): Promise<Server> => {
  const root = "/usr/lib/postgresql"
  const bin = join(root, readdirSync(root).sort().at(-1) ?? "", "bin")
  const dir = mkdtempSync(join(tmpdir(), "bench-postgres-"))
  const user = Number(execFileSync("id", ["-u", "postgres"]))
  const group = Number(execFileSync("id", ["-g", "postgres"]))
  chownSync(dir, user, group)
  const as = { uid: user, gid: group, stdio: "ignore" } as const
  execFileSync(join(bin, "initdb"), ["-D", dir, "-A", "trust", "-U", "postgres"], as)
  const settings = ["fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "max_connections=60"]
  const args = ["-D", dir, "-p", String(port), "-k", dir, ...settings.flatMap((setting) => ["-c", setting])]
  const child = spawn(join(bin, "postgres"), args, as)
  while (!existsSync(join(dir, `.s.PGSQL.${port}`))) await sleep(50)
  await sleep(300)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    version: execFileSync(join(bin, "postgres"), ["--version"]).toString().split(" ")[2] ?? "",
    stop: () => ended(child, dir)
  }
}

const ended = async (child: ReturnType<typeof spawn>, dir: string) => {
  const gone = new Promise((resolve) => child.once("close", resolve))
  child.kill("SIGINT")
  await gone
  rmSync(dir, { recursive: true, force: true })
}
