/**
 * The port to the version-1 `schedule` storage domain: one table `tasks`, keyed by schedule id.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { HistoryPage, HistoryQuery } from "../domain/History.ts"
import { type ScheduleId, SessionId } from "../domain/Identifiers.ts"
import { Instant } from "../domain/Instant.ts"
import { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import { type HistoryBounds, Receipt, ScheduleTask, type TaskStatus, type TaskSummary } from "../domain/ScheduleTask.ts"
import * as SchemaCheck from "../domain/SchemaCheck.ts"
import * as DomainReads from "./DomainReads.ts"
import * as MemoryDriver from "./MemoryDriver.ts"
import * as Metrics from "./Metrics.ts"
import type { CatalogQuery, DeliveryCommit, DriverConnection, ScheduleDriver, WriteError } from "./ScheduleDriver.ts"
import { DomainClosed, type OpenError, type StorageError, StorageQuarantined } from "./StorageError.ts"
import * as Validation from "./Validation.ts"

export type { CatalogQuery, DeliveryCommit }
export type OpenOptions = Validation.OpenOptions

/**
 * The `schedule` domain, open and validated. Reads answer committed rows only; a write is durable when it returns, whole or
 * not at all, and a failed one changes nothing, except that after `StorageUnknownState` or `StorageOwnershipLost` every
 * operation but `reopen` answers {@link StorageQuarantined}. No operation but `catalog`, `rows` and `reopen` costs in proportion to all rows.
 *
 * @since 0.1.0
 * @category services
 */
export class ScheduleDomain extends Context.Tag("host-schedule/storage/ScheduleDomain")<
  ScheduleDomain,
  {
    /** One task without its history. */
    readonly get: (id: ScheduleId) => Effect.Effect<Option.Option<TaskSummary>, StorageError>

    /** Adds rows, or replaces them whole, history included: all in one durable write. */
    readonly put: (tasks: ReadonlyArray<ScheduleTask>) => Effect.Effect<void, StorageError>

    /** Replaces the record of a stored task; its status, receipt and history stay. A missing task is a defect. */
    readonly replaceRecord: (record: ScheduleRecord) => Effect.Effect<void, StorageError>

    /**
     * Commits deliveries, all in one durable write: each row's receipt, history append (pruned to `bounds`), and next
     * target or `inactive`. The cost of one does not depend on the length of the history. A missing task is a defect.
     */
    readonly commit: (
      deliveries: ReadonlyArray<DeliveryCommit>,
      bounds: HistoryBounds
    ) => Effect.Effect<void, StorageError>

    /** Removes a row with its history; answers whether there was one. */
    readonly remove: (id: ScheduleId) => Effect.Effect<boolean, StorageError>

    /** Removes the active rows of a Session in one durable write; answers how many. */
    readonly removeActiveOf: (sessionId: SessionId) => Effect.Effect<number, StorageError>

    /** Removes every inactive row in one durable write; answers how many. */
    readonly removeInactive: Effect.Effect<number, StorageError>

    /** The active tasks of a Session, in creation order. */
    readonly activeOf: (sessionId: SessionId) => Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /** Every task, by target, then by id. */
    readonly catalog: Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /** A page of the catalog in the same order, at most `limit` tasks strictly behind the cursor `after`. */
    readonly catalogPage: (query: CatalogQuery) => Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /** The Sessions that have active tasks with a target at or before `until`, each once, by earliest target. */
    readonly dueSessions: (until: Instant) => Effect.Effect<ReadonlyArray<SessionId>, StorageError>

    /**
     * What to deliver next to a Session: its active one-shots with a target at or before `until`, by target, then in creation
     * order, at most `limit` of them; and when that leaves none behind, all its recurring ones, likewise ordered.
     */
    readonly dueOf: (
      sessionId: SessionId,
      until: Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /** The earliest active target strictly after an instant, or of all. */
    readonly earliestTarget: (after: Option.Option<Instant>) => Effect.Effect<Option.Option<Instant>, StorageError>

    /**
     * A page of a task's saved deliveries, exactly as `History.page` reads it from the whole row; none when `before` is not
     * among them. The cost does not depend on the length of the history. A missing task is a defect.
     */
    readonly historyPage: (
      id: ScheduleId,
      query: HistoryQuery
    ) => Effect.Effect<Option.Option<HistoryPage>, StorageError>

    /** How many tasks there are of each status. */
    readonly counts: Effect.Effect<Readonly<Record<TaskStatus, number>>, StorageError>

    /** Every row whole, in creation order: for export and checks. */
    readonly rows: Stream.Stream<ScheduleTask, StorageError>

    /**
     * Closes the domain in place, opens and validates it again, and ends a quarantine. When it does not open, the domain
     * stays quarantined.
     */
    readonly reopen: Effect.Effect<void, OpenError | StorageError>

    /** Waits until the domain is quarantined and nobody reopens it. */
    readonly quarantined: Effect.Effect<void>
  }
>() {}

/**
 * A domain over a driver: takes ownership of the medium, validates every row, and opens it for work. Closing the scope waits
 * for the write that runs, closes the medium, and then gives up ownership.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (driver: ScheduleDriver, options: Validation.OpenOptions = {}) {
  let status: "open" | "quarantined" | "closed" = "quarantined"
  let opened: { readonly scope: Scope.CloseableScope; readonly connection: DriverConnection } | undefined
  const writing = yield* Effect.makeSemaphore(1)

  let trouble = yield* Deferred.make<void>()
  const quarantine = Effect.zipRight(
    Metric.set(Metrics.quarantined, 1),
    Effect.sync(() => {
      status = "quarantined"
    })
  )
  const announced = Effect.zipRight(
    quarantine,
    Effect.suspend(() => Deferred.succeed(trouble, undefined))
  )
  const close = Effect.suspend(() => {
    const closing = opened
    opened = undefined
    return closing === undefined ? Effect.void : Scope.close(closing.scope, Exit.void)
  })
  const open = Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Scope.make(), (scope) =>
      restore(validated(driver, options, scope)).pipe(
        Effect.tapErrorCause(() => Scope.close(scope, Exit.void)),
        Effect.flatMap((connection) =>
          Effect.gen(function* () {
            trouble = yield* Deferred.make<void>()
            opened = { scope, connection }
            status = "open"
            if (connection.lost === undefined) return
            yield* Effect.forkIn(Effect.interruptible(Effect.zipRight(connection.lost, announced)), scope)
          })
        ),
        Effect.zipRight(Metric.set(Metrics.quarantined, 0))
      )
    )
  )

  yield* driver.lock
  yield* Effect.addFinalizer(() =>
    writing.withPermits(1)(
      Effect.suspend(() => {
        status = "closed"
        return close
      })
    )
  )
  yield* open

  const using = <A, E>(operation: (connection: DriverConnection) => Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | StorageQuarantined | DomainClosed> => {
      if (status === "closed") return new DomainClosed()
      return status === "quarantined" || opened === undefined ? new StorageQuarantined() : operation(opened.connection)
    })
  const write = <A>(operation: (connection: DriverConnection) => Effect.Effect<A, WriteError>) =>
    using((connection) =>
      Effect.tapError(Effect.uninterruptible(operation(connection)), (error) =>
        error._tag === "StorageFailure" ? Effect.void : announced
      )
    ).pipe(Metric.trackDurationWith(Metrics.writeTime, Duration.toSeconds), writing.withPermits(1))
  return ScheduleDomain.of({
    ...DomainReads.make<StorageQuarantined | DomainClosed>(driver.name, using),
    dueSessions: (until) =>
      using((connection) => Effect.map(connection.dueSessions(until), (ids) => ids.map((id) => SessionId.make(id)))),
    dueOf: (sessionId, until, limit) =>
      using((connection) =>
        Effect.flatMap(connection.dueOf(sessionId, until, limit), DomainReads.summaries(driver.name))
      ),
    earliestTarget: (after) => using((connection) => connection.earliestTarget(after)),
    rows: Stream.unwrap(using((connection) => Effect.succeed(connection.rows))).pipe(
      Stream.mapEffect((rows) => Validation.readable(driver.name, Either.all(rows.map(Validation.decodeRow)))),
      Stream.flattenIterables
    ),
    put: (tasks) => write((connection) => Effect.zipRight(storable(tasks.map(checkTask)), connection.put(tasks))),
    replaceRecord: (record) =>
      write((connection) => Effect.zipRight(storable([checkRecord(record)]), connection.replaceRecord(record))),
    commit: (deliveries, bounds) =>
      write((connection) =>
        Effect.zipRight(storable(deliveries.map(checkDelivery)), connection.commit(deliveries, bounds))
      ),
    remove: (id) => write((connection) => connection.remove(id)),
    removeActiveOf: (sessionId) => write((connection) => connection.removeActiveOf(sessionId)),
    removeInactive: write((connection) => connection.removeInactive),
    reopen: using(Effect.succeed).pipe(
      Effect.catchTag("StorageQuarantined", () => Effect.void),
      Effect.zipRight(quarantine),
      Effect.zipRight(close),
      Effect.zipRight(open),
      Effect.tapErrorCause(() => (status === "closed" ? Effect.void : announced)),
      writing.withPermits(1)
    ),
    quarantined: Effect.suspend(() => Deferred.await(trouble))
  })
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  driver: ScheduleDriver,
  options?: Validation.OpenOptions
): Layer.Layer<ScheduleDomain, OpenError> => Layer.scoped(ScheduleDomain, make(driver, options))

/**
 * A domain in memory, empty when the layer is built and gone with it: for tests.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<ScheduleDomain, OpenError> = Layer.suspend(() => layer(MemoryDriver.make()))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Validates every row of the medium, then opens it for work in the given scope. */
const validated = (driver: ScheduleDriver, options: Validation.OpenOptions, scope: Scope.Scope) =>
  Effect.scoped(
    Effect.gen(function* () {
      const inspection = yield* driver.inspect
      yield* Stream.runDrain(
        Validation.watched(Validation.tasks(driver.name, inspection.abridged), inspection.total, options)
      )
      return yield* Scope.extend(inspection.connect, scope)
    })
  )

const checkTask = SchemaCheck.make(ScheduleTask)
const checkRecord = SchemaCheck.make(ScheduleRecord)
const checkCommit = SchemaCheck.make(
  Schema.Struct({ receipt: Receipt, prompt: Schema.String, next: Schema.optionalWith(Instant, { exact: true }) })
)
const checkDelivery = ({ next, prompt, receipt }: DeliveryCommit) =>
  checkCommit({ receipt, prompt, ...(Option.isSome(next) && { next: next.value }) })

/** What would not open again is never written: trying to is a bug. */
const storable = (problems: ReadonlyArray<string | undefined>) => {
  const problem = problems.find((problem) => problem !== undefined)
  return problem === undefined ? Effect.void : Effect.dieMessage(`${SchemaCheck.at("", problem)}`)
}
