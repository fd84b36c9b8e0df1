/**
 * A burst: one-shots that are all due at once, over Sessions whose logs are on disk. Every contender's job puts one message
 * into its Session's log and has it synced, and its completion is durable. `npm run bench burst
 * [jobs] [sessions] [rounds]`.
 */
import * as HostBurst from "./HostBurst.ts"
import * as Peers from "./Peers.ts"
import * as Servers from "./Servers.ts"
import type { Result } from "./Workload.ts"

const jobs = Number(process.argv[2] ?? 100_000)
const sessions = Number(process.argv[3] ?? 1_000)
const rounds = Number(process.argv[4] ?? 3)

const postgres = await Servers.postgres(54_330)
const redis = await Servers.redis(63_790)
const results = new Map<string, Array<number>>()
const note = ({ contender, jobs, millis }: Result) => {
  const rate = (jobs / millis) * 1000
  results.set(contender, [...(results.get(contender) ?? []), rate])
  console.error(`${contender}: ${Math.round(rate)} jobs/s`)
}
for (let round = 0; round < rounds; round++) {
  note(await HostBurst.run(jobs, sessions))
  note(await Peers.graphile(postgres, jobs, sessions))
  note(await Peers.bullmq(redis, jobs, sessions))
}
await postgres.stop()
await redis.stop()

const median = (rates: ReadonlyArray<number>) => [...rates].sort((a, b) => a - b)[rates.length >> 1] ?? 0
const [own = 0] = [...results.values()].map(median)
console.log(`| ${jobs} due at once over ${sessions} Sessions, median of ${rounds} | jobs/s | host-schedule is |`)
console.log("|---|---|---|")
for (const [contender, rates] of results) {
  const rate = median(rates)
  console.log(`| ${contender} | ${Math.round(rate)} | ${rate === own ? "" : `${(own / rate).toFixed(2)} ×`} |`)
}
process.exit(0)
