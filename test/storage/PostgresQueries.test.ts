import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as PostgresDatabase from "../../src/storage/PostgresDatabase.ts"
import * as PostgresDriver from "../../src/storage/PostgresDriver.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as A from "../contract/Names.ts"
import { postgresServer } from "../Postgres.ts"
import { rowsOf } from "./fixtures.ts"

const server = postgresServer("-c", "autovacuum=off")

describe("the statements of the PostgreSQL backend", () => {
  it.scoped("find rows through an index, never by reading a table, though nothing is known of the tables", () =>
    Effect.gen(function* () {
      const database = PostgresDatabase.make({ url: Redacted.make(server.url()) })
      const tasks = Array.from({ length: 3000 }, (_, n) => ({ ...A.oneShot(n), sessionId: A.session(n % 300) }))
      const using = (use: (domain: ScheduleDomain.ScheduleDomain["Type"]) => Effect.Effect<void, unknown>) =>
        Effect.scoped(Effect.flatMap(ScheduleDomain.make(PostgresDriver.make({ database })), use))
      // making the indexes reads the tables
      yield* using(() => Effect.void)
      const before = yield* scans(database.schema)
      yield* using((domain) =>
        Effect.gen(function* () {
          yield* domain.put(tasks)
          for (const operation of everyOperation(domain)) yield* operation
          yield* domain.reopen
        })
      )
      const after = yield* scans(database.schema)
      assert.deepStrictEqual(
        after.map(([, ofTable]) => ofTable),
        before.map(([, ofTable]) => ofTable)
      )
      assert.isAbove(after[1]![2], before[1]![2] + 100)
    })
  )

  it.scoped("stay within their schema, whatever its name", () =>
    Effect.gen(function* () {
      const [one, two] = ['Odd "name" \\ of \' schema', "another"].map((schema) =>
        PostgresDatabase.make({ url: Redacted.make(server.url(encodeURIComponent(schema))) })
      )
      const first = yield* ScheduleDomain.make(PostgresDriver.make({ database: one! }))
      const second = yield* ScheduleDomain.make(PostgresDriver.make({ database: two! }))
      yield* first.put([A.oneShot(1)])
      yield* second.put([A.oneShot(2)])
      yield* first.reopen
      assert.deepStrictEqual(yield* rowsOf(first), [A.oneShot(1)])
      assert.deepStrictEqual(yield* rowsOf(second), [A.oneShot(2)])
    })
  )
})

/** How often the tables and their indexes were read, by connections that are closed. */
const scans = (schema: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const pool = yield* PostgresDatabase.make({ url: Redacted.make(server.url(schema)) }).pool
      const { rows } = yield* Effect.promise(() =>
        pool.query(
          `SELECT relname, seq_scan::int, idx_scan::int FROM pg_stat_user_tables
           WHERE schemaname = current_schema() AND relname IN ('tasks', 'deliveries') ORDER BY relname`
        )
      )
      return rows.map((row) => [String(row.relname), Number(row.seq_scan), Number(row.idx_scan)] as const)
    })
  )

const delivery = (n: number) => ({
  id: A.id(n),
  receipt: { scheduledAt: A.instant(1), deliveredAt: A.instant(2), messageId: A.message(n) },
  prompt: "Look.",
  next: n % 2 === 0 ? Option.some(A.instant(100)) : Option.none()
})

const everyOperation = (
  domain: ScheduleDomain.ScheduleDomain["Type"]
): ReadonlyArray<Effect.Effect<unknown, unknown>> => [
  domain.get(A.id(1)),
  domain.activeOf(A.session(0)),
  domain.catalog,
  domain.catalogPage({ limit: 3 }),
  domain.catalogPage({ limit: 3, status: "inactive" }),
  domain.dueSessions(A.instant(9)),
  domain.dueOf(A.session(0), A.instant(9), 10),
  domain.earliestTarget(Option.some(A.instant(1))),
  domain.put([A.oneShot(4000)]),
  domain.put([A.oneShot(1), A.oneShot(2)]),
  domain.replaceRecord(A.oneShot(1).record),
  domain.commit(
    Array.from({ length: 600 }, (_, n) => delivery(n)),
    { days: 1, records: 1 }
  ),
  domain.commit([{ ...delivery(2), receipt: { ...delivery(2).receipt, messageId: A.message(5000) } }], {
    days: 1,
    records: 1
  }),
  domain.historyPage(A.id(2), { limit: 2 }),
  domain.counts,
  rowsOf(domain),
  domain.remove(A.id(4)),
  domain.removeActiveOf(A.session(5)),
  domain.removeInactive
]
