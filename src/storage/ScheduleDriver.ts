/**
 * What a backend supplies: a medium that stores rows of strings and numbers. It holds no codec and no clock; validation,
 * quarantine and closing are done once, above it, by `ScheduleDomain.make`.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { HistoryPage, HistoryQuery } from "../domain/History.ts"
import type { Instant } from "../domain/Instant.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { HistoryBounds, Receipt, ScheduleTask, TaskStatus } from "../domain/ScheduleTask.ts"
import type {
  DomainAlreadyOpen,
  OpenError,
  StorageFailure,
  StorageOwnershipLost,
  StorageUnknownState
} from "./StorageError.ts"

/**
 * One task's share of a delivery, written in one row write: its receipt, the prompt that was sent, and what comes next.
 *
 * @since 0.1.0
 * @category models
 */
export interface DeliveryCommit {
  readonly id: ScheduleRecord["id"]
  readonly receipt: Receipt
  readonly prompt: string
  /** The next target; none makes the task inactive, its `scheduledAt` set to the occurrence that was delivered. */
  readonly next: Option.Option<Instant>
}

/**
 * A page request of the catalog: at most `limit` tasks strictly behind the cursor `after`.
 *
 * @since 0.1.0
 * @category models
 */
export interface CatalogQuery {
  readonly limit: number
  readonly after?: { readonly scheduledAt: Instant; readonly id: string } | undefined
  readonly status?: TaskStatus | undefined
}

/**
 * A row as it is stored, under its key, not validated. `flaw` is a rule of the medium itself that the row breaks, whatever
 * its value. Only `tasks` are rows of the domain; one of another table always has a flaw.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoredRow {
  readonly table: string
  readonly key: string
  readonly value: unknown
  readonly flaw?: string
}

/**
 * How a write fails: with nothing changed, or with an outcome that nobody knows, or because the rows are another Host's.
 *
 * @since 0.1.0
 * @category errors
 */
export type WriteError = StorageFailure | StorageUnknownState | StorageOwnershipLost

/**
 * A backend, bound to one medium.
 *
 * @since 0.1.0
 * @category models
 */
export interface ScheduleDriver {
  /** The medium as messages name it, such as its path. */
  readonly name: string
  /** Makes this process the only owner of the medium, for as long as the scope lives. */
  readonly lock: Effect.Effect<void, DomainAlreadyOpen | StorageFailure, Scope.Scope>
  /** Opens the medium for reading and changes nothing, not even an absent medium; it needs no lock. */
  readonly inspect: Effect.Effect<Inspection, OpenError, Scope.Scope>
}

/**
 * A medium that was opened for reading: one consistent state of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Inspection {
  /** How many rows there are. */
  readonly total: number
  /** Every row in creation order, in pieces of bounded size. */
  readonly rows: Stream.Stream<ReadonlyArray<StoredRow>, OpenError>
  /** The same rows, to be validated only: saved deliveries that the medium itself found in order may be left out of them. */
  readonly abridged: Stream.Stream<ReadonlyArray<StoredRow>, OpenError>
  /** Looks at what lies beneath the rows, such as indexes, thoroughly and slowly; answers what is wrong there. */
  readonly integrity: Effect.Effect<ReadonlyArray<string>, OpenError>
  /** Opens the inspected medium for work, and creates it when it was absent. The owner has validated all rows. */
  readonly connect: Effect.Effect<DriverConnection, OpenError, Scope.Scope>
  /** Removes these rows, which need not be valid, in one durable write, and ends the inspection. */
  readonly discard: (rows: ReadonlyArray<StoredRow>) => Effect.Effect<void, OpenError | WriteError>
}

/**
 * A medium that is open for work. Reads answer committed rows, not validated; summaries are rows without their history. A
 * write is durable when it returns, and all or nothing. `ScheduleDomain` says what each operation means; its writes come
 * here one at a time and cannot be interrupted.
 *
 * @since 0.1.0
 * @category models
 */
export interface DriverConnection {
  /** Greater than that of every owner of these rows before; only where several may be owners in turn. */
  readonly token?: number
  /** Waits until this connection has lost its rows to another owner, as far as it learns that by itself. */
  readonly lost?: Effect.Effect<void>
  readonly get: (id: string) => Effect.Effect<Option.Option<unknown>, StorageFailure>
  readonly activeOf: (sessionId: string) => Effect.Effect<ReadonlyArray<unknown>, StorageFailure>
  readonly catalogPage: (query: CatalogQuery) => Effect.Effect<ReadonlyArray<unknown>, StorageFailure>
  readonly dueSessions: (until: Instant) => Effect.Effect<ReadonlyArray<string>, StorageFailure>
  readonly dueOf: (
    sessionId: string,
    until: Instant,
    limit: number
  ) => Effect.Effect<ReadonlyArray<unknown>, StorageFailure>
  readonly earliestTarget: (after: Option.Option<Instant>) => Effect.Effect<Option.Option<Instant>, StorageFailure>
  readonly historyPage: (id: string, query: HistoryQuery) => Effect.Effect<Option.Option<HistoryPage>, StorageFailure>
  readonly counts: Effect.Effect<Readonly<Record<TaskStatus, number>>, StorageFailure>
  readonly rows: Stream.Stream<ReadonlyArray<StoredRow>, StorageFailure>

  readonly put: (tasks: ReadonlyArray<ScheduleTask>) => Effect.Effect<void, WriteError>
  readonly replaceRecord: (record: ScheduleRecord) => Effect.Effect<void, WriteError>
  readonly commit: (deliveries: ReadonlyArray<DeliveryCommit>, bounds: HistoryBounds) => Effect.Effect<void, WriteError>
  readonly remove: (id: string) => Effect.Effect<boolean, WriteError>
  readonly removeActiveOf: (sessionId: string) => Effect.Effect<number, WriteError>
  readonly removeInactive: Effect.Effect<number, WriteError>
  /** Adds rows of ids that are not there yet, any number of them, in one durable write. Nobody may read meanwhile. */
  readonly load: <E>(rows: Stream.Stream<ReadonlyArray<ScheduleTask>, E>) => Effect.Effect<void, E | WriteError>
}
