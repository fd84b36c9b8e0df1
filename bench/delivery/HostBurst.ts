/** The burst on our own Host. */
import { Clock, Context, Deferred, Effect, Exit, Option, Scope, Stream } from "effect"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import * as Host from "./HostInProcess.ts"
import * as Workload from "./Workload.ts"

/** As many deliveries at once as the peers run jobs at once. */
const settings = { deliveryConcurrency: 64 }

export const run = async (jobs: number, sessions: number): Promise<Workload.Result> => {
  const home = Workload.temporaryHome()
  const program = Effect.gen(function* () {
    const context = yield* Host.prepare(home, sessions)
    const domain = Context.get(context, ScheduleDomain)
    const due = (yield* Clock.currentTimeMillis) - 1
    yield* Host.putAll(domain, jobs, (n) => Host.oneShot(`session-${n % sessions}`, due))

    const hostScope = yield* Scope.make()
    const begin = performance.now()
    const host = yield* Scope.extend(Host.start(context, settings), hostScope)
    const done = yield* Deferred.make<void>()
    yield* Context.get(host, ScheduleService).changes.pipe(
      Stream.merge(Stream.tick("20 millis")),
      Stream.runForEach(() =>
        Effect.flatMap(domain.earliestTarget(Option.none()), (next) =>
          Option.isNone(next) ? Deferred.succeed(done, undefined) : Effect.void
        )
      ),
      Effect.forkScoped
    )
    yield* Deferred.await(done)
    const millis = performance.now() - begin
    yield* Scope.close(hostScope, Exit.void)
    return { contender: "host-schedule, sqlite, 64 at once", jobs, millis }
  })
  try {
    return await Effect.runPromise(Effect.scoped(program))
  } finally {
    Workload.remove(home)
  }
}
