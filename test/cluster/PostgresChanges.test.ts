import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Mailbox, Redacted, Stream, TestClock } from "effect"
import { ChangeBus } from "../../src/cluster/ChangeBus.ts"
import * as PostgresChanges from "../../src/cluster/PostgresChanges.ts"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import { postgresServer } from "../Postgres.ts"
import { settle } from "../runtime/World.ts"
import { tcpProxy } from "../TcpProxy.ts"

describe("announcements through the database", () => {
  const server = postgresServer()

  /** A Host's bus, and what it hears of others. */
  const bus = Effect.fnUntraced(function* (url: string, maxConnections?: number) {
    const database = PostgresDatabase.make({ url: Redacted.make(url), maxConnections })
    const { announce, others } = Context.get(yield* Layer.build(PostgresChanges.layer(database)), ChangeBus)
    const heard = yield* Mailbox.make<void>()
    const listen = Stream.runForEach(others, () => heard.offer(undefined)).pipe(Effect.forkScoped)
    return { database, announce, listen, heard }
  })

  it.scoped("are heard by the other Hosts of the schema, and by nobody else", () =>
    Effect.gen(function* () {
      const url = server.url()
      const one = yield* bus(url)
      const two = yield* bus(url)
      const stranger = yield* bus(server.url())
      for (const { heard, listen } of [one, two, stranger]) {
        yield* listen
        yield* heard.take
      }
      for (let i = 0; i < 3; i++) {
        yield* one.announce
        yield* two.heard.take
        yield* two.announce
        yield* one.heard.take
      }
      // each would have heard of its own, and the stranger of all, before this one came back
      yield* stranger.announce
      yield* one.announce
      yield* two.heard.take
      for (const { heard } of [one, two, stranger]) assert.strictEqual(yield* sizeOf(heard), 0)
    })
  )

  it.scoped("begin with one element when nothing is missed any more, and not before", () =>
    Effect.gen(function* () {
      const url = server.url()
      const speaker = yield* bus(url)
      const listener = yield* bus(url, 1)
      const pool = yield* listener.database.pool
      const busy = yield* Effect.promise(() => pool.connect())
      yield* listener.listen
      yield* settle
      assert.strictEqual(yield* sizeOf(listener.heard), 0)
      yield* speaker.announce
      busy.release()
      yield* listener.heard.take
      yield* speaker.announce
      yield* listener.heard.take
    })
  )

  it.scoped("go on over a new connection when one is lost, with one element to read again by", () =>
    Effect.gen(function* () {
      const url = server.url()
      const proxy = yield* tcpProxy(server.port())
      const speaker = yield* bus(url)
      const listener = yield* bus(url.replace(/:\d+\//, `:${proxy.port}/`))
      yield* listener.listen
      yield* listener.heard.take
      proxy.serve(false)
      yield* speaker.announce
      proxy.serve(true)
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(TestClock.adjust("1 seconds"), turn)))
      yield* listener.heard.take
      yield* speaker.announce
      yield* listener.heard.take
    })
  )
})

const sizeOf = (heard: Mailbox.ReadonlyMailbox<void>) =>
  Effect.map(heard.size, (size) => (size._tag === "Some" ? size.value : 0))

/** Of the event loop. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
