/** Our own Host in this process: tasks in sqlite, Sessions on disk, delivered by the service. */
import { Context, Effect, Layer } from "effect"
import { v7 as uuid } from "uuid"
import { ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../src/runtime/ScheduleRuntime.ts"
import { SessionController } from "../../src/session/SessionController.ts"
import type { ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import * as Storage from "../../src/storage/Storage.ts"
import * as SessionBridge from "../../src/web/SessionBridge.ts"
import * as StoredRows from "../storage/rows.ts"
import * as Workload from "./Workload.ts"

/** Storage and Sessions over a home: Sessions that exist, and so many tasks that are far from due. */
export const prepare = Effect.fnUntraced(function* (home: string, sessions: number, stored = 0) {
  const storage = { kind: "sqlite", directory: home } as const
  if (stored > 0) yield* StoredRows.load(Storage.driver(storage), stored)
  const context = yield* Layer.build(Layer.merge(Storage.layer(storage), Workload.sessionsLayer(home)))
  yield* Workload.createSessions(Context.get(context, SessionController), sessions)
  return context
})

/** The service and its deliveries, until the scope closes. `isHung` tells whose Session is never activated. */
export const start = (
  context: Context.Context<ScheduleDomain | SessionController>,
  settings: Partial<ScheduleConfig.Settings> = {},
  isHung: (session: string) => boolean = () => false
) =>
  SessionBridge.layerResolver.pipe(
    Layer.provideMerge(ScheduleRuntime.layer),
    Layer.provideMerge(Layer.map(AgentResolver.layer, hanging(isHung))),
    Layer.provide([SessionBridge.layerHeaders, ScheduleConfig.layer(settings)]),
    Layer.provide(Layer.succeedContext(context)),
    Layer.build
  )

export const oneShot = (session: string, due: number): ScheduleTask => ({
  sessionId: SessionId.make(session),
  record: {
    id: ScheduleId.make(`schedule-${uuid()}`),
    kind: "at",
    title: "Build check",
    prompt: Workload.prompt,
    scheduledAt: Instant.format(due)
  },
  status: "active",
  deliveryHistory: { records: [], earlierRecordsUnavailable: false }
})

/** Adds tasks, a thousand at once. */
export const putAll = (domain: ScheduleDomain["Type"], tasks: number, task: (n: number) => ScheduleTask) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(tasks / 1000) }, (_, i) => i * 1000),
    (from) => domain.put(Array.from({ length: Math.min(1000, tasks - from) }, (_, i) => task(from + i))),
    { discard: true }
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const hanging = (isHung: (session: string) => boolean) => (context: Context.Context<AgentResolver.AgentResolver>) => {
  const resolver = Context.get(context, AgentResolver.AgentResolver)
  return Context.make(AgentResolver.AgentResolver, {
    ...resolver,
    resolve: (session) => (isHung(session) ? Effect.never : resolver.resolve(session))
  })
}
