import { Effect } from "effect"
import * as JsonDriver from "../../src/storage/JsonDriver.ts"
import { scheduleDomainContract } from "../contract/ScheduleDomainContract.ts"
import { temporaryDirectory } from "./fixtures.ts"

scheduleDomainContract(
  "json",
  Effect.map(temporaryDirectory, (directory) => JsonDriver.make({ directory })),
  { numRuns: 30 }
)
