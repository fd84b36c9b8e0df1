/** Our own Host: tasks in sqlite, Sessions on disk, delivered by the service. */
import { Clock, Context, Deferred, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { v7 as uuid } from "uuid"
import { ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../src/runtime/ScheduleRuntime.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { SessionController } from "../../src/session/SessionController.ts"
import { ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../src/storage/Storage.ts"
import * as SessionBridge from "../../src/web/SessionBridge.ts"
import * as Workload from "./Workload.ts"

export const run = async (jobs: number, sessions: number): Promise<Workload.Result> => {
  const home = Workload.temporaryHome()
  const program = Effect.gen(function* () {
    const context = yield* Layer.build(
      Layer.merge(Storage.layer({ kind: "sqlite", directory: home }), Workload.sessionsLayer(home))
    )
    const domain = Context.get(context, ScheduleDomain)
    yield* Workload.createSessions(Context.get(context, SessionController), sessions)
    const due = Instant.format((yield* Clock.currentTimeMillis) - 1)
    for (let i = 0; i < jobs; i += 1000) {
      yield* domain.put(
        Array.from({ length: Math.min(1000, jobs - i) }, (_, j) => oneShot(`session-${(i + j) % sessions}`, due))
      )
    }

    const hostScope = yield* Scope.make()
    const begin = performance.now()
    const host = yield* SessionBridge.layerResolver.pipe(
      Layer.provideMerge(ScheduleRuntime.layer),
      Layer.provideMerge(AgentResolver.layer),
      Layer.provide([SessionBridge.layerHeaders, ScheduleConfig.layer({ deliveryConcurrency: 64 })]),
      Layer.provide(Layer.succeedContext(context)),
      Layer.buildWithScope(hostScope)
    )
    const done = yield* Deferred.make<void>()
    yield* Context.get(host, ScheduleService).changes.pipe(
      Stream.merge(Stream.tick("20 millis")),
      Stream.runForEach(() =>
        Effect.flatMap(domain.earliestTarget(Option.none()), (next) =>
          next._tag === "None" ? Deferred.succeed(done, undefined) : Effect.void
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

const oneShot = (session: string, due: Instant.Instant): ScheduleTask => ({
  sessionId: SessionId.make(session),
  record: {
    id: ScheduleId.make(`schedule-${uuid()}`),
    kind: "at",
    title: "Build check",
    prompt: Workload.prompt,
    scheduledAt: due
  },
  status: "active",
  deliveryHistory: { records: [], earlierRecordsUnavailable: false }
})
