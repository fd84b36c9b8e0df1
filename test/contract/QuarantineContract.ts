import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Option, Scope } from "effect"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import type { ScheduleDriver } from "../../src/storage/ScheduleDriver.ts"
import type { OpenError, StorageError } from "../../src/storage/StorageError.ts"
import { rowsOf } from "../storage/fixtures.ts"
import * as A from "./Names.ts"

/**
 * A fault that comes once, at the next write: which step of it fails, and whether that step was carried out all the same. A
 * `closed` door fails every time until it is opened.
 */
export interface Fault {
  readonly name: string
  /** Whether nobody can know if the write happened. */
  readonly isUnknown: boolean
  /** Whether the write is there in truth. */
  readonly happens: boolean
  /** How many rows a put must have to meet it; a backend may store one in another way than several. Default 1. */
  readonly rows?: number
}

/** A medium that fails on demand. */
export interface FaultyMedium<F extends Fault> {
  readonly driver: ScheduleDriver
  /** Makes the next write fail. */
  readonly inject: (fault: F) => void
  /** Damages the medium so that it does not open; answers how to mend it. */
  readonly damage: Effect.Effect<Effect.Effect<void, unknown>, unknown>
}

/** What every backend does when a write fails. */
export const quarantineContract = <F extends Fault>(
  name: string,
  medium: Effect.Effect<FaultyMedium<F>, never, Scope.Scope>,
  faults: ReadonlyArray<F>
) =>
  describe(`failing writes (${name})`, () => {
    it.scoped.each(faults.filter((fault) => !fault.isUnknown))(
      "$name changes nothing, and the next write works",
      (fault) =>
        Effect.gen(function* () {
          const { driver, inject } = yield* medium
          const domain = yield* ScheduleDomain.make(driver)
          yield* domain.put([A.oneShot(1)])
          const before = yield* rowsOf(domain)
          for (const write of Object.values(writes(domain))) {
            inject(fault)
            const error = yield* Effect.flip(write)
            assert.strictEqual(error._tag, "StorageFailure")
            assert.deepStrictEqual(yield* rowsOf(domain), before)
          }
          yield* domain.put([A.oneShot(2)])
          assert.deepStrictEqual(yield* rowsOf(domain), [A.oneShot(1), A.oneShot(2)])
          yield* domain.reopen
          assert.deepStrictEqual(yield* rowsOf(domain), [A.oneShot(1), A.oneShot(2)])
        })
    )

    it.scoped.each(faults.filter((fault) => fault.isUnknown))(
      "$name quarantines until reopening finds what is there",
      (fault) =>
        Effect.gen(function* () {
          const { driver, inject } = yield* medium
          const domain = yield* ScheduleDomain.make(driver)
          yield* domain.put([A.oneShot(1)])
          for (const n of [10, 20]) {
            const added = Array.from({ length: fault.rows ?? 1 }, (_, i) => A.oneShot(n + i))
            const before = yield* rowsOf(domain)
            inject(fault)
            const quarantined = yield* Effect.fork(domain.quarantined)
            const error = yield* Effect.flip(domain.put(added))
            assert.strictEqual(error._tag, "StorageUnknownState")
            yield* Fiber.join(quarantined)
            yield* domain.quarantined
            for (const [operation, effect] of Object.entries(operations(domain))) {
              const refusal = yield* Effect.flip(effect)
              assert.strictEqual(refusal._tag, "StorageQuarantined", operation)
            }
            yield* domain.reopen
            assert.isTrue(Option.isNone(yield* Effect.timeoutOption(domain.quarantined, 0)))
            assert.deepStrictEqual(yield* rowsOf(domain), fault.happens ? [...before, ...added] : before)
            yield* domain.put([A.oneShot(30)])
            yield* domain.remove(A.id(30))
          }
        })
    )

    it.scoped("a domain that does not open again stays quarantined until it does", () =>
      Effect.gen(function* () {
        const { damage, driver, inject } = yield* medium
        const domain = yield* ScheduleDomain.make(driver)
        yield* domain.put([A.oneShot(1)])
        const fault = faults.find((fault) => fault.isUnknown)
        assert.isDefined(fault)
        inject(fault)
        const added = Array.from({ length: fault.rows ?? 1 }, (_, i) => A.oneShot(2 + i))
        yield* Effect.flip(domain.put(added))
        const mend = yield* damage
        for (let i = 0; i < 2; i++) {
          assert.strictEqual((yield* Effect.flip(domain.reopen))._tag, "DomainMalformed")
          assert.strictEqual((yield* Effect.flip(domain.counts))._tag, "StorageQuarantined")
        }
        yield* mend
        yield* domain.reopen
        assert.deepStrictEqual(yield* rowsOf(domain), fault.happens ? [A.oneShot(1), ...added] : [A.oneShot(1)])

        // one that was in order as well, and who waits for that is told
        const mendAgain = yield* damage
        yield* Effect.flip(domain.reopen)
        yield* domain.quarantined
        yield* mendAgain
        yield* domain.reopen
      })
    )

    it.scoped("a closed domain refuses everything, and another can open", () =>
      Effect.gen(function* () {
        const { driver } = yield* medium
        const scope = yield* Scope.make()
        const domain = yield* Scope.extend(ScheduleDomain.make(driver), scope)
        yield* domain.put([A.oneShot(1)])
        assert.strictEqual((yield* Effect.flip(ScheduleDomain.make(driver)))._tag, "DomainAlreadyOpen")
        yield* Scope.close(scope, Exit.void)
        for (const [operation, effect] of Object.entries({ ...operations(domain), reopen: domain.reopen })) {
          assert.strictEqual((yield* Effect.flip(effect))._tag, "DomainClosed", operation)
        }
        assert.deepStrictEqual(yield* Effect.flatMap(ScheduleDomain.make(driver), rowsOf), [A.oneShot(1)])
      })
    )
  })

const delivery = {
  id: A.id(1),
  receipt: { scheduledAt: A.instant(1), deliveredAt: A.instant(2), messageId: A.message(1) },
  prompt: "Look.",
  next: Option.none()
}

const writes = (
  domain: ScheduleDomain.ScheduleDomain["Type"]
): Record<string, Effect.Effect<unknown, OpenError | StorageError>> => ({
  put: domain.put([A.oneShot(2), A.oneShot(1)]),
  replaceRecord: domain.replaceRecord(A.oneShot(1).record),
  commit: domain.commit([delivery], { days: 1, records: 1 }),
  remove: domain.remove(A.id(1)),
  removeActiveOf: domain.removeActiveOf(A.session(0))
})

const operations = (domain: ScheduleDomain.ScheduleDomain["Type"]): ReturnType<typeof writes> => ({
  ...writes(domain),
  removeInactive: domain.removeInactive,
  get: domain.get(A.id(1)),
  activeOf: domain.activeOf(A.session(0)),
  catalog: domain.catalog,
  catalogPage: domain.catalogPage({ limit: 1 }),
  dueSessions: domain.dueSessions(A.instant(9)),
  dueOf: domain.dueOf(A.session(0), A.instant(9), 10),
  earliestTarget: domain.earliestTarget(Option.none()),
  historyPage: domain.historyPage(A.id(1), { limit: 1 }),
  counts: domain.counts,
  rows: rowsOf(domain)
})
