/**
 * The typed client of the `schedule` namespace, the same in process, over HTTP and over WebSocket.
 *
 * @since 0.1.0
 */
import * as RpcClient from "@effect/rpc/RpcClient"
import type { RpcClientError } from "@effect/rpc/RpcClientError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { SessionId } from "../domain/Identifiers.ts"
import type { Instant } from "../domain/Instant.ts"
import type { ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { TaskStatus, TaskSummary } from "../domain/ScheduleTask.ts"
import type { CatalogPage, DeleteAnswer, HistoryAnswer, TaskAddress, UpdateAnswer } from "../runtime/ScheduleService.ts"
import { ScheduleRpcs } from "./ScheduleRpcs.ts"
import type { ScheduleUnavailable } from "./ScheduleUnavailable.ts"
import type { SessionRefused } from "./SessionRefused.ts"
import * as Transport from "./Transport.ts"

/**
 * The namespace as its callers see it. Input errors, misses and conflicts are those of `ScheduleService`; everything else,
 * the transport included, is a {@link ScheduleUnavailable}.
 *
 * @since 0.1.0
 * @category services
 */
export class ScheduleClient extends Context.Tag("host-schedule/remote/ScheduleClient")<
  ScheduleClient,
  {
    /** Stores a new task of a Session. The request is `{title, prompt, <one selector>}`. */
    readonly create: (
      sessionId: SessionId,
      request: unknown
    ) => Effect.Effect<ScheduleRecord, ScheduleInputError | SessionRefused | ScheduleUnavailable>

    /** The active records of a Session, in creation order. */
    readonly list: (query: {
      readonly sessionId: SessionId
    }) => Effect.Effect<ReadonlyArray<ScheduleRecord>, ScheduleUnavailable>

    /** Every task of the Host, by target, then by id; never its history. */
    readonly catalog: () => Effect.Effect<ReadonlyArray<TaskSummary>, ScheduleUnavailable>

    /** A page of the catalog: at most `limit` (1–1000) tasks behind `after`, the `nextAfter` of the page before. */
    readonly catalogPage: (query: {
      readonly limit: unknown
      readonly after?: unknown
      readonly status?: TaskStatus
    }) => Effect.Effect<CatalogPage, ScheduleInputError | ScheduleUnavailable>

    /** Saved deliveries, newest first. `limit` is 1–100, `before` an exclusive message id; else `invalid_rule`. */
    readonly history: (
      query: TaskAddress & { readonly limit: unknown; readonly before?: unknown }
    ) => Effect.Effect<HistoryAnswer, ScheduleInputError | ScheduleUnavailable>

    /** Edits an active task whose stored record equals `expected` in every field. */
    readonly update: (
      request: TaskAddress & {
        readonly expected: unknown
        readonly title?: unknown
        readonly prompt?: unknown
        readonly change?: unknown
      }
    ) => Effect.Effect<UpdateAnswer, ScheduleUnavailable>

    /** Removes a task with its history. */
    readonly delete: (address: TaskAddress) => Effect.Effect<DeleteAnswer, ScheduleUnavailable>

    /** Removes every inactive task of the Host; answers how many. */
    readonly deleteInactive: () => Effect.Effect<number, ScheduleUnavailable>

    /** The next occurrences of `{<one selector>, from?, count?}`: `from` defaults to now, `count` (1–100) to 5. */
    readonly preview: (
      request: unknown
    ) => Effect.Effect<{ readonly occurrences: ReadonlyArray<Instant> }, ScheduleInputError | ScheduleUnavailable>

    /**
     * One element when the subscription stands and one after every committed change, coalesced for a slow reader. A lost
     * connection is taken up again for as long as the stream is read, with one element, so that its reader reads again.
     */
    readonly changes: Stream.Stream<void, ScheduleUnavailable>
  }
>() {}

/**
 * Calls a Host over any `@effect/rpc` protocol, which serves one client: for both namespaces over one, see `RemoteClient`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerRpc: Layer.Layer<ScheduleClient, never, RpcClient.Protocol> = Layer.scoped(
  ScheduleClient,
  Effect.map(RpcClient.make(ScheduleRpcs), (client) => fromRpc(client))
)

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Whether `changes` take up a lost connection again, instead of failing as `host_unreachable` or `host_stopping`. Default: yes. */
  readonly reconnects?: boolean
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const fromRpc = (
  { schedule }: RpcClient.FromGroup<typeof ScheduleRpcs, RpcClientError>,
  { reconnects = true }: Options = {}
) =>
  ScheduleClient.of({
    create: (sessionId, request) => Transport.contain(schedule.create({ sessionId, request })),
    list: (query) => Transport.contain(schedule.list(query)),
    catalog: () => Transport.contain(schedule.catalog()),
    catalogPage: (query) => Transport.contain(schedule.catalogPage(query)),
    history: (query) => Transport.contain(schedule.history(query)),
    update: (request) => Transport.contain(schedule.update(request)),
    delete: (address) => Transport.contain(schedule.delete(address)),
    deleteInactive: () => Transport.contain(schedule.deleteInactive()),
    preview: (request) => Transport.contain(schedule.preview({ request })),
    changes: Transport.containStream(schedule.changed()).pipe(
      (changes) => (reconnects ? Stream.retry(changes, reconnect) : changes),
      Stream.map(() => undefined)
    )
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// Waits longer after each failure, at most 5 s; what a new connection cannot mend ends the stream.
const reconnect = Schedule.exponential("200 millis", 1.6).pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.resetAfter("10 seconds"),
  Schedule.whileInput(
    (error: ScheduleUnavailable) => error.code === "host_unreachable" || error.code === "host_stopping"
  )
)
