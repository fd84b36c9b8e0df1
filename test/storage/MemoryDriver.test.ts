import { Effect } from "effect"
import * as MemoryDriver from "../../src/storage/MemoryDriver.ts"
import { scheduleDomainContract } from "../contract/ScheduleDomainContract.ts"

scheduleDomainContract("memory", Effect.sync(MemoryDriver.make), { numRuns: 50 })
