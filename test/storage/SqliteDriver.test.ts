import { Effect } from "effect"
import * as SqliteDriver from "../../src/storage/SqliteDriver.ts"
import { scheduleDomainContract } from "../contract/ScheduleDomainContract.ts"
import { temporaryDirectory } from "./fixtures.ts"

scheduleDomainContract(
  "sqlite",
  Effect.map(temporaryDirectory, (directory) => SqliteDriver.make({ directory })),
  { numRuns: 30 }
)
