import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { SessionId } from "../../../src/domain/Identifiers.ts"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { ScheduleClient } from "../../../src/remote/ScheduleClient.ts"
import { SessionClient } from "../../../src/remote/SessionClient.ts"
import { postgresServer } from "../../Postgres.ts"
import { TestHome } from "../Command.ts"
import { type Machine, Machines } from "./Machines.ts"

describe("three Hosts over one database", () => {
  const database = postgresServer()

  it("answer as one, deliver once, and hand over what they have when they stop", async () => {
    const url = database.url()
    await using cluster = await Machines.make(3, url)
    await Promise.all(cluster.machines.map((machine) => machine.start()))
    const [first, second, third] = cluster.machines as [Machine, Machine, Machine]
    await until("every shard is open", async () => {
      const shards = await Promise.all(cluster.machines.map(shardsOf))
      return shards.every((count) => count > 0) && shards.reduce((sum, count) => sum + count, 0) === 32
    })
    for (const machine of cluster.machines) assert.strictEqual((await get(machine, "/readyz")).trim(), "ready")

    const change = <A, E>(machine: Machine, call: (client: SessionClient["Type"]) => Effect.Effect<A, E>) =>
      machine.run(Effect.flatMap(SessionClient, call))

    // whichever Host is asked, and whatever is said: a text that no UTF-8 holds is the same on all
    const sessions: Array<string> = []
    for (let i = 0; i < 12; i++) {
      const { header } = await change(cluster.machines[i % 3]!, ({ create }) => create({ title: `Session ${i}` }))
      sessions.push(header.id)
      await cluster.machines[(i + 1) % 3]!.run(
        Effect.flatMap(ScheduleClient, ({ create }) =>
          create(SessionId.make(header.id), { title: `t${i}`, prompt: `prompt ${i} \ud83d`, after_seconds: 1 })
        ).pipe(Effect.tap(({ prompt }) => assert.strictEqual(prompt, `prompt ${i} \ud83d`)))
      )
    }
    for (const [i, id] of sessions.entries()) {
      await change(cluster.machines[i % 3]!, ({ rename }) => rename({ id, title: `renamed ${i}` }))
      const { title } = await change(cluster.machines[(i + 1) % 3]!, ({ show }) => show({ id }))
      assert.strictEqual(title, `renamed ${i}`)
    }
    const catalogs = await Promise.all(cluster.machines.map(({ home }) => home.json<Catalog>("catalog")))
    assert.strictEqual(catalogs[0]?.length, 12)
    assert.deepStrictEqual(catalogs.map(ids), [ids(catalogs[0]), ids(catalogs[0]), ids(catalogs[0])])

    await until("all are delivered", async () =>
      (await third.home.json<Catalog>("catalog")).every(({ status }) => status === "inactive")
    )
    for (const [i, session] of sessions.entries()) {
      const texts = cluster
        .log(session)
        .flatMap(({ data, type }) => (type === "message/user" ? [String(data.text)] : []))
      assert.strictEqual(texts.length, 1)
      assert.include(texts[0], `prompt ${i}`)
    }

    // two of them go, one after the other, and the last one serves all
    assert.strictEqual(await first.stop("SIGTERM"), "0")
    const late = await second.home.json<{ id: string }>(
      ...["create", "--session", sessions[1]!, "--title", "late", "--prompt", "late", "--after", "1"]
    )
    assert.strictEqual(await second.stop("SIGTERM"), "0")
    await until("the last Host has every shard", async () => (await shardsOf(third)) === 32)
    await until("the late one is delivered", async () =>
      (await third.home.json<Catalog>("catalog")).some(
        ({ record, status }) => record.id === late.id && status === "inactive"
      )
    )
    assert.match(await third.home.ok("delete-inactive"), /13/)

    // neither a Host that wants it all for itself, nor one with the same address, gets in
    await using lonely = new TestHome()
    const alone = await lonely.run(["serve", "--port", "0", "--storage", "postgres", "--database-url", url, "--json"])
    assert.deepInclude(JSON.parse(alone.stderr.trim().split("\n").at(-1) ?? ""), { code: "store_locked" })
    assert.strictEqual(await third.stop("SIGTERM"), "0")
  })
})

type Catalog = ReadonlyArray<TaskSummary>

const ids = (catalog: Catalog | undefined) => catalog?.map(({ record }) => record.id)

const get = async ({ home, host }: Machine, path: string): Promise<string> => {
  const authorization = `Bearer ${readFileSync(home.path("token"), "utf8").trim()}`
  const { url } = await host!.ready
  return (await fetch(url + path, { headers: { authorization } })).text()
}

const shardsOf = async (machine: Machine) =>
  Number(/^host_schedule_shards_owned (\d+)$/m.exec(await get(machine, "/metrics"))?.[1] ?? 0)

const until = async (what: string, look: () => Promise<boolean>) => {
  for (let i = 0; i < 150; i++) {
    if (await look()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${what}: not within 15 s`)
}
