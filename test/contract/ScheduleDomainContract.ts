import { describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import type { ScheduleDriver } from "../../src/storage/ScheduleDriver.ts"
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
  })
