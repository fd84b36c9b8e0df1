/**
 * The `schedule` namespace over the service of this process: failures become those of the wire, once, here.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { ScheduleService, type ServiceStopping } from "../runtime/ScheduleService.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { ScheduleClient } from "./ScheduleClient.ts"
import { ScheduleRpcs } from "./ScheduleRpcs.ts"
import * as ScheduleUnavailable from "./ScheduleUnavailable.ts"
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
 * The handlers of {@link ScheduleRpcs}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ScheduleRpcs.toLayer(
  Effect.suspend(() =>
    Effect.map(make, (namespace) =>
      ScheduleRpcs.of({
        "schedule.create": ({ request, sessionId }) => namespace.create(sessionId, request),
        "schedule.list": namespace.list,
        "schedule.catalog": namespace.catalog,
        "schedule.history": (query) => namespace.history({ limit: undefined, ...query }),
        "schedule.update": (request) => namespace.update({ expected: undefined, ...request }),
        "schedule.delete": namespace.delete,
        "schedule.deleteInactive": namespace.deleteInactive,
        "schedule.changed": () => Stream.map(namespace.changes, () => null)
      })
    )
  )
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const make = Effect.gen(function* () {
  const service = yield* ScheduleService
  const admit = yield* SessionAdmission
  return ScheduleClient.of({
    create: (sessionId, request) =>
      guard("create", Effect.zipRight(admit(sessionId), service.create(sessionId, request))),
    list: (query) => guard("list", service.list(query)),
    catalog: () => guard("catalog", service.catalog()),
    history: (query) => guard("history", service.history(query)),
    update: (request) => guard("update", service.update(request)),
    delete: (address) => guard("delete", service.delete(address)),
    deleteInactive: () => guard("deleteInactive", service.deleteInactive()),
    // The service is subscribed before the first element goes out, so no change falls between the two.
    changes: Stream.merge(service.changes, Stream.make(undefined))
  })
})

type Failure = StorageError | ServiceStopping

const isServiceFailure = <E>(error: E): error is Extract<E, Failure> =>
  Predicate.hasProperty(error, "_tag") && serviceFailures.has(error._tag)

const serviceFailures: ReadonlySet<unknown> = new Set<Failure["_tag"]>([
  "StorageFailure",
  "StorageUnknownState",
  "StorageQuarantined",
  "DomainClosed",
  "ServiceStopping"
])

/** What happened goes to the log with its cause; what the caller sees has a stable code and a fixed text. */
const guard = <A, E>(method: string, call: Effect.Effect<A, E>) =>
  call.pipe(
    Effect.catchIf(isServiceFailure<E>, (error) =>
      Effect.zipRight(
        Effect.logWarning("schedule operation failed", error),
        Effect.fail(ScheduleUnavailable.fromService(error))
      )
    ),
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(
        Effect.logError("schedule operation died", defect),
        Effect.fail(ScheduleUnavailable.make("internal_error"))
      )
    ),
    Effect.annotateLogs({ module: "ScheduleHandlers", method })
  )
