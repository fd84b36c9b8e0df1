/**
 * The `schedule` namespace over the service of this process: failures become those of the wire, once, here.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { ScheduleService } from "../runtime/ScheduleService.ts"
import * as Boundary from "./Boundary.ts"
import * as PreviewRequest from "./PreviewRequest.ts"
import { ScheduleClient } from "./ScheduleClient.ts"
import { ScheduleRpcs } from "./ScheduleRpcs.ts"
import { SessionAdmission } from "./SessionAdmission.ts"

/**
 * A client that calls the service of this process.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<ScheduleClient, never, ScheduleService> = Layer.effect(
  ScheduleClient,
  Effect.suspend(() => make)
)

/**
 * What each method of {@link ScheduleRpcs} does.
 *
 * @since 0.1.0
 * @category constructors
 */
export const methods = Effect.suspend(() =>
  Effect.map(make, (namespace) =>
    ScheduleRpcs.of({
      "schedule.create": ({ request, sessionId }) => namespace.create(sessionId, request),
      "schedule.list": namespace.list,
      "schedule.catalog": namespace.catalog,
      "schedule.catalogPage": (query) => namespace.catalogPage({ limit: undefined, ...query }),
      "schedule.history": (query) => namespace.history({ limit: undefined, ...query }),
      "schedule.update": (request) => namespace.update({ expected: undefined, ...request }),
      "schedule.delete": namespace.delete,
      "schedule.deleteInactive": namespace.deleteInactive,
      "schedule.preview": ({ request }) => namespace.preview(request),
      "schedule.changed": () => Stream.map(namespace.changes, () => null)
    })
  )
)

/**
 * The handlers of {@link ScheduleRpcs}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ScheduleRpcs.toLayer(methods)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const make = Effect.gen(function* () {
  const service = yield* ScheduleService
  const admit = yield* SessionAdmission
  return ScheduleClient.of({
    create: (sessionId, request) =>
      Boundary.guard("schedule.create", Effect.zipRight(admit(sessionId), service.create(sessionId, request))),
    list: (query) => Boundary.guard("schedule.list", service.list(query)),
    catalog: () => Boundary.guard("schedule.catalog", service.catalog()),
    catalogPage: (query) => Boundary.guard("schedule.catalogPage", service.catalogPage(query)),
    history: (query) => Boundary.guard("schedule.history", service.history(query)),
    update: (request) => Boundary.guard("schedule.update", service.update(request)),
    delete: (address) => Boundary.guard("schedule.delete", service.delete(address)),
    deleteInactive: () => Boundary.guard("schedule.deleteInactive", service.deleteInactive()),
    preview: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(PreviewRequest.answer(request, now), (occurrences) => ({ occurrences }))
      ),
    // The service is subscribed before the first element goes out, so no change falls between the two.
    changes: Stream.merge(service.changes, Stream.make(undefined))
  })
})
