import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, type Scope } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import type { ScheduleDriver } from "../../src/storage/ScheduleDriver.ts"
import { goodRow } from "../storage/brokenRows.ts"
import { rowsOf } from "../storage/fixtures.ts"
import * as A from "./Names.ts"
import { agrees, operations, run } from "./Operations.ts"

/** What every backend of the `schedule` domain must do; `driver` makes one on a medium of its own, at first absent. */
export const scheduleDomainContract = (
  name: string,
  driver: Effect.Effect<ScheduleDriver, never, Scope.Scope>,
  options: { readonly numRuns: number }
) =>
  describe(`ScheduleDomain (${name})`, () => {
    it.scoped.prop(
      "answers any sequence of writes as a plain list of rows would, also when it is opened again",
      [operations],
      ([operations]) =>
        Effect.gen(function* () {
          const medium = yield* driver
          const rows = yield* Effect.scoped(
            Effect.gen(function* () {
              const domain = yield* ScheduleDomain.make(medium)
              const rows = yield* run(domain, [], operations)
              yield* agrees(domain, rows)
              yield* domain.reopen
              yield* agrees(domain, rows)
              return rows
            })
          )
          const domain = yield* ScheduleDomain.make(medium)
          yield* agrees(domain, rows)
        }),
      { fastCheck: { numRuns: options.numRuns } }
    )

    it.scoped("shares nothing with its callers", () =>
      Effect.gen(function* () {
        const domain = yield* Effect.flatMap(driver, (medium) => ScheduleDomain.make(medium))
        const row = goodRow()
        yield* domain.put([row as unknown as ScheduleTask])
        row.record.title = "Changed behind its back"
        row.deliveryHistory.records.pop()
        assert.deepStrictEqual((yield* rowsOf(domain)) as unknown, [goodRow()])
      })
    )

    it.scoped("refuses, as a bug, to write what would not open again, and to work on a task that is not there", () =>
      Effect.gen(function* () {
        const domain = yield* Effect.flatMap(driver, (medium) => ScheduleDomain.make(medium))
        const good = goodRow() as unknown as ScheduleTask
        yield* domain.put([good])
        const { record } = good
        const delivery = {
          id: record.id,
          receipt: { scheduledAt: A.instant(1), deliveredAt: A.instant(2), messageId: A.message(1) },
          prompt: "Sent.",
          next: Option.none()
        }
        const bounds = { days: 30, records: 10 }
        const bugs = {
          "a row": domain.put([{ ...good, sessionId: SessionId.make("s"), lastDelivery: delivery.receipt }]),
          "a record": domain.replaceRecord({ ...record, scheduledAt: "soon" as typeof record.scheduledAt }),
          "a receipt": domain.commit(
            [{ ...delivery, receipt: { ...delivery.receipt, messageId: "" as never } }],
            bounds
          ),
          "a message twice": domain.commit([delivery, delivery], bounds),
          "a message that is there": domain.commit([{ ...delivery, receipt: good.lastDelivery! }], bounds),
          "a delivery of no task": domain.commit([delivery, { ...delivery, id: A.id(9) }], bounds),
          "a record of no task": domain.replaceRecord({ ...record, id: A.id(9) }),
          "the history of no task": domain.historyPage(A.id(9), { limit: 1 })
        }
        for (const [name, bug] of Object.entries<Effect.Effect<unknown, unknown>>(bugs)) {
          const exit = yield* Effect.exit(bug)
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), name)
        }
        assert.deepStrictEqual(yield* rowsOf(domain), [good])
        yield* domain.commit([delivery], bounds)
      })
    )

    it.scoped("tells how far opening has come", () =>
      Effect.gen(function* () {
        const medium = yield* driver
        const tasks = Array.from({ length: 450 }, (_, n) => {
          const row = goodRow() as unknown as ScheduleTask
          return { ...row, record: { ...row.record, id: A.id(n) } }
        })
        yield* Effect.scoped(Effect.flatMap(ScheduleDomain.make(medium), (domain) => domain.put(tasks)))
        const told: Array<readonly [number, number]> = []
        yield* ScheduleDomain.make(medium, { progress: (done, total) => Effect.sync(() => told.push([done, total])) })
        assert.deepStrictEqual(told.at(-1), [450, 450])
        assert.isTrue(told.every(([done, total], i) => total === 450 && (i === 0 || done > told[i - 1]![0])))
      })
    )
  })
