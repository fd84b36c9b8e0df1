import { Effect, Redacted } from "effect"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import * as PostgresDriver from "../../src/storage/PostgresDriver.ts"
import { scheduleDomainContract } from "../contract/ScheduleDomainContract.ts"
import { postgresServer } from "../Postgres.ts"

const server = postgresServer()
const database = Effect.sync(() => PostgresDatabase.make({ url: Redacted.make(server.url()) }))

scheduleDomainContract(
  "postgres",
  Effect.map(database, (database) => PostgresDriver.make({ database })),
  { numRuns: 10 }
)

scheduleDomainContract(
  "postgres, the only shard",
  Effect.map(database, (database) => PostgresDriver.make({ database, shard: { index: 0, count: 1 } })),
  { numRuns: 5 }
)
