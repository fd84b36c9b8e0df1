import { readFileSync } from "node:fs"
import { Metric } from "effect"
import { assert, describe, it } from "vitest"
import * as Cluster from "../../src/cluster/Metrics.ts"
import * as Runtime from "../../src/runtime/Metrics.ts"
import * as Storage from "../../src/storage/Metrics.ts"
import * as Prometheus from "../../src/web/Prometheus.ts"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
const named = (text: string) =>
  new Set([...text.matchAll(/host_schedule_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, "")))

const { deliveries, tasks, ...plain } = Runtime
const tagged = [deliveries.failed, tasks("active"), Cluster.calls("answered")]
for (const metric of [...Object.values(plain), ...Object.values(Storage), Cluster.shards, ...tagged]) {
  metric.register()
}
const exposed = named(Prometheus.render(Metric.unsafeSnapshot()))

describe("the operations guide and the dashboard", () => {
  it("the dashboard shows metrics that exist", () => {
    const shown = named(read("docs/grafana/host-schedule.json"))
    assert.isAbove(shown.size, 5)
    assert.isEmpty([...shown].filter((name) => !exposed.has(name)))
  })

  it("the guide lists every metric, and no other", () => {
    assert.deepStrictEqual([...named(read("docs/guide/operations.md"))].sort(), [...exposed].sort())
  })
})
