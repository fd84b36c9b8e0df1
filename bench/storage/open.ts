/** Opens a storage once and prints the seconds it took, and the most memory that the process ever had resident, as JSON. */
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../src/storage/Storage.ts"
import { fromArgument } from "../../test/storage/programs/storage.ts"

const begin = performance.now()
const { active, inactive } = await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(ScheduleDomain.make(Storage.driver(fromArgument(process.argv[2] ?? ""))), (domain) => domain.counts)
  )
)
const seconds = (performance.now() - begin) / 1000
const { user, system } = { user: process.cpuUsage().user / 1e6, system: process.cpuUsage().system / 1e6 }
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]
console.log(JSON.stringify({ rows: active + inactive, seconds, cpu: user + system, peakMiB: Number(peak) / 1024 }))
