import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as SqliteCounts from "../../src/storage/SqliteCounts.ts"
import * as SqliteDriver from "../../src/storage/SqliteDriver.ts"
import * as SqliteFile from "../../src/storage/SqliteFile.ts"
import * as A from "../contract/Names.ts"
import { temporaryDirectory } from "./fixtures.ts"

describe("the statements of the sqlite backend", () => {
  it.scoped("find rows through an index, never by reading a table", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const statements = new Set<string>()
      const domain = yield* ScheduleDomain.make(
        SqliteDriver.make({
          directory,
          decorate: (execute) => (sql, params) => {
            statements.add(sql)
            return execute(sql, params)
          }
        })
      )
      for (const operation of everyOperation(domain)) yield* operation
      const file = yield* SqliteFile.open({ filename: join(directory, "schedule.db") })
      yield* SqliteCounts.start(file)
      const found = new Set<string>()
      for (const sql of statements) {
        if (!/^(SELECT|INSERT INTO [^c]|UPDATE|DELETE)/.test(sql)) continue
        const plan = yield* file.rows(`EXPLAIN QUERY PLAN ${sql}`, Array(sql.split("?").length - 1).fill(1))
        for (const [, , , detail] of plan) {
          if (/SCAN (tasks|deliveries)/.test(String(detail))) found.add(sql)
        }
      }
      // They walk the index of what they remove, and of nothing else.
      assert.deepStrictEqual([...found], ["DELETE FROM tasks WHERE status = 'inactive'"])
      assert.isAbove(statements.size, 15)
    })
  )

  it.scoped("never show another fiber a write that is not committed", () =>
    Effect.gen(function* () {
      const domain = yield* ScheduleDomain.make(SqliteDriver.make({ directory: yield* temporaryDirectory }))
      const tasks = Array.from({ length: 3000 }, (_, n) => A.oneShot(n))
      const writer = yield* Effect.fork(Effect.withMaxOpsBeforeYield(domain.put(tasks), 50))
      const seen = new Set<number>()
      while (writer.unsafePoll() === null) {
        seen.add((yield* domain.counts).active)
        yield* Effect.yieldNow()
      }
      yield* Fiber.join(writer)
      seen.add((yield* domain.counts).active)
      assert.isTrue(
        [...seen].every((count) => count === 0 || count === 3000),
        [...seen].join()
      )
    })
  )
})

const everyOperation = (domain: ScheduleDomain.ScheduleDomain["Type"]) => {
  const delivery = (n: number, message: number) => ({
    id: A.id(n),
    receipt: { scheduledAt: A.instant(n), deliveredAt: A.instant(message * 1000), messageId: A.message(message) },
    prompt: "P",
    next: Option.some(A.instant(n))
  })
  const many = Array.from({ length: 80 }, (_, n) => n)
  return [
    domain.put(many.map((n) => ({ ...A.oneShot(n), sessionId: A.session(n) }))),
    domain.commit(
      many.map((n) => delivery(n, 1)),
      { days: 30, records: 2 }
    ),
    domain.commit(
      many.map((n) => delivery(n, 50)),
      { days: 30, records: 2 }
    ),
    domain.commit([delivery(1, 99)], { days: 30, records: 2 }),
    // wall time ran backwards
    domain.commit([delivery(1, 2)], { days: 30, records: 2 }),
    domain.replaceRecord(A.oneShot(1).record),
    domain.get(A.id(1)),
    domain.activeOf(A.session(1)),
    domain.catalog,
    domain.catalogPage({ limit: 3, status: "active" }),
    domain.catalogPage({ limit: 3, status: "inactive" }),
    domain.dueSessions(A.instant(3)),
    domain.dueOf(A.session(1), A.instant(3), 10),
    domain.earliestTarget(Option.none()),
    domain.historyPage(A.id(1), { limit: 3, before: A.message(99) }),
    domain.counts,
    domain.remove(A.id(1)),
    domain.removeActiveOf(A.session(1)),
    domain.removeInactive
  ]
}
