import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { postgresServer } from "../Postgres.ts"
import { TestHome } from "./Command.ts"
import { occurrencesOf, type Row, type Summary } from "./documents.ts"

const server = postgresServer("-c", "fsync=on")

describe("a Host on PostgreSQL", () => {
  it("delivers reminders, and keeps them over a restart, with the database named in its configuration", async () => {
    await using home = new TestHome()
    const url = server.url()
    writeFileSync(home.path("config.json"), JSON.stringify({ databaseUrl: url }))
    const host = await home.serve()
    const session = await home.ok("sessions", "new")
    const once = await create(home, session, "--after", "1")
    const recurring = await create(home, session, "--every", "60")
    await home.until("a message", () => home.messages(session).length > 0)
    assert.deepStrictEqual(home.messages(session).flatMap(occurrencesOf), [{ id: once.id, at: once.scheduledAt }])
    const second = await home.run(["check", "--repair"])
    assert.strictEqual(second.code, 2)
    assert.match(second.stderr, /is in use by process \d+ on .* \(store_locked\)/)
    await host.stop()

    const catalog = await home.json<ReadonlyArray<Summary>>("catalog")
    const ended = catalog.find(({ record }) => record.id === once.id)
    assert.deepStrictEqual([ended?.status, ended?.lastDelivery?.scheduledAt], ["inactive", once.scheduledAt])
    assert.match(await home.ok("check"), /^Good.* 2 reminders$/)
    const exported = await home.ok("export")
    assert.deepStrictEqual(Object.keys(JSON.parse(exported).tables.tasks), [once.id, recurring.id])
    const moved = await home.run(["import", "--storage", "sqlite"], { stdin: exported })
    assert.strictEqual(moved.code, 0, moved.stderr)
    const again = await home.serve("--storage", "sqlite")
    assert.deepStrictEqual(await home.json("catalog", "--storage", "sqlite"), catalog)
    await again.stop()
    assert.deepStrictEqual(secretsIn(home), [])
  })

  it("is imported with as many shards as were asked for", async () => {
    await using home = new TestHome()
    const session = await home.ok("sessions", "new")
    await create(home, session, "--every", "60")
    const stdin = await home.ok("export")
    const target = ["--database-url", server.url()]
    const run = (...args: ReadonlyArray<string>) => home.run(["import", ...target, ...args], { stdin })
    assert.match((await run("--shards", "0")).stderr, /--shards must be a number from 1 to 4096, not "0"/)
    assert.deepInclude(await run("--shards", "5"), { code: 0, stderr: "" })
    assert.match(
      (await run("--merge", "--shards", "6")).stderr,
      /has 5 shards, and 6 were asked for; .* leave it out \(store_version\)/
    )
    assert.deepInclude(await run("--merge"), { code: 0, stderr: "" })
    assert.match(await home.ok("check", ...target), /^Good.* 1 reminder$/)
  })

  it("loses and doubles nothing while the database goes away and comes back, and needs nobody for it", async () => {
    await using home = new TestHome()
    const host = await home.serve("--database-url", server.url())
    const sessions = await Promise.all([1, 2, 3].map(() => home.ok("sessions", "new")))
    const created: Array<Row["record"]> = []
    const request = async (n: number) => {
      const sessionId = sessions[n % sessions.length]!
      const payload = { sessionId, request: { title: `T${n}`, prompt: "P", after_seconds: 1 + (n % 6) } }
      created.push(await host.call<Row["record"]>("schedule.create", payload))
    }
    for (let n = 0; n < 40; n++) await request(n)
    for (let outage = 0; outage < 3; outage++) {
      await setTimeout(700)
      await server.stop()
      let refusal = ""
      await request(40).catch((error) => {
        refusal = String(error)
      })
      assert.match(refusal, /storage_(failed|quarantined)/)
      const authorization = `Bearer ${readFileSync(home.path("token"), "utf8").trim()}`
      const ready = await fetch(`${(await host.ready).url}/readyz`, { headers: { authorization } })
      assert.strictEqual(ready.status, 503)
      await setTimeout(300)
      await server.start()
    }
    // it works again by itself
    const deadline = Date.now() + 20_000
    while (
      await request(41).then(
        () => false,
        () => true
      )
    ) {
      assert.isBelow(Date.now(), deadline)
      await setTimeout(100)
    }
    const delivered = () => sessions.flatMap((session) => home.messages(session)).flatMap(occurrencesOf)
    await home.until("every message", () => delivered().length >= created.length, 30)
    const ended = async () => {
      const catalog = await host.call<ReadonlyArray<Summary>>("schedule.catalog", null)
      return catalog.length === created.length && catalog.every(({ lastDelivery }) => lastDelivery !== undefined)
    }
    while (!(await ended())) {
      assert.isBelow(Date.now(), deadline + 20_000)
      await setTimeout(100)
    }
    assert.deepStrictEqual(
      delivered()
        .map(({ id }) => id)
        .sort(),
      created.map(({ id }) => id).sort()
    )
    const { stderr } = await host.stop()
    assert.match(stderr, /The schedule store is open again/)
    assert.notInclude(stderr, "secret")
  })
})

const create = (home: TestHome, session: string, ...when: ReadonlyArray<string>) =>
  home.json<Row["record"]>("create", "--session", session, "--title", "T", "--prompt", "P", ...when)

/** The files of a home that have the password of the database, but for the one that it was written into. */
const secretsIn = (home: TestHome) =>
  readdirSync(home.dir, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name !== "config.json" &&
      existsSync(home.path(name)) &&
      /\.(json|jsonl|log)$/.test(name) &&
      readFileSync(home.path(name), "utf8").includes("secret")
  )
