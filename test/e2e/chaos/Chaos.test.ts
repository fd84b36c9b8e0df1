import { Chunk, Effect, ManagedRuntime, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { SessionClient } from "../../../src/remote/SessionClient.ts"
import { ScheduleDomain } from "../../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../../src/storage/Storage.ts"
import { TestHome } from "../Command.ts"
import { Chaos, connect } from "./Chaos.ts"
import * as Checker from "./Checker.ts"

const kills = Number(process.env.CHAOS_KILLS ?? 20)
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe("a Host that is killed again and again", () => {
  it(`loses nothing and repeats nothing over ${kills} kills`, async () => {
    await using home = new TestHome()
    const first = await home.serve("--storage", "sqlite")
    const client = await connect(home, first)
    const newSession = Effect.flatMap(SessionClient, ({ create }) => Effect.map(create({}), ({ header }) => header.id))
    const sessions = await client.runPromise(Effect.replicateEffect(newSession, 50))
    await client.dispose()
    await first.stop()

    const chaos = new Chaos(home, sessions, seed)
    while (chaos.kills < kills) await chaos.round("sqlite")
    await chaos.settle("sqlite")

    const store = ManagedRuntime.make(Storage.layer({ kind: "sqlite", directory: home.dir }))
    const rows = await store.runPromise(
      Effect.flatMap(ScheduleDomain, ({ rows }) => Effect.map(Stream.runCollect(rows), Chunk.toReadonlyArray))
    )
    await store.dispose()
    const delivered = sessions.reduce((sum, session) => sum + home.messages(session).length, 0)
    const acknowledged = chaos.tasks.filter(({ record }) => record !== undefined).length
    console.log(
      `seed ${seed}: ${acknowledged} of ${chaos.tasks.length} creations acknowledged, ${delivered} messages, ${rows.length} rows`
    )
    assert.deepStrictEqual(Checker.check(home, chaos, rows), [], `CHAOS_SEED=${seed}`)
    assert.isAbove(acknowledged, kills)
    assert.isAbove(delivered, kills)
  }, 3_600_000)
})
