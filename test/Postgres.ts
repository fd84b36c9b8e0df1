/** A real PostgreSQL server for the tests of one file: it starts before the first and is gone after the last. */
import { afterAll, beforeAll } from "vitest"
import { type PostgresServer, startPostgres } from "./PostgresProcess.ts"

export { freePort, type PostgresServer } from "./PostgresProcess.ts"

/** `flags` go to the server; it does not sync its disk unless they say so. */
export const postgresServer = (...flags: ReadonlyArray<string>): PostgresServer => {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined
  const started = () => {
    if (server === undefined) throw new Error("the server has not started")
    return server
  }
  beforeAll(async () => {
    server = await startPostgres(...flags)
  }, 60_000)
  afterAll(() => server?.end(), 60_000)
  return {
    url: (schema) => started().url(schema),
    port: () => started().port(),
    stop: () => started().stop(),
    start: () => started().start(),
    crash: () => started().crash()
  }
}
