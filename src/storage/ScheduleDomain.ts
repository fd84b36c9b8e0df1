/**
 * The port to the version-1 `schedule` storage domain: one table `tasks`, keyed by schedule id.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { HistoryPage, HistoryQuery } from "../domain/History.ts"
import type { ScheduleId, SessionId } from "../domain/Identifiers.ts"
import type { Instant } from "../domain/Instant.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { HistoryBounds, Receipt, ScheduleTask, TaskStatus, TaskSummary } from "../domain/ScheduleTask.ts"
import type { OpenError, StorageError } from "./StorageError.ts"

/**
 * One task's share of a delivery, written in one row write: its receipt, the prompt that was sent, and what comes next.
 *
 * @since 0.1.0
 * @category models
 */
export interface DeliveryCommit {
  readonly id: ScheduleId
  readonly receipt: Receipt
  readonly prompt: string
  /** The next target; none makes the task inactive, its `scheduledAt` set to the occurrence that was delivered. */
  readonly next: Option.Option<Instant>
}

/**
 * The `schedule` domain, open and validated. Reads answer committed rows only; a write is durable when it returns, whole or
 * not at all, and a failed one changes nothing, except that after {@link StorageUnknownState} every operation but `reopen`
 * answers {@link StorageQuarantined}. No operation but `catalog`, `rows` and `reopen` costs in proportion to all rows.
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

    /** Removes every inactive row in one durable write; answers how many. */
    readonly removeInactive: Effect.Effect<number, StorageError>

    /** The active tasks of a Session, in creation order. */
    readonly activeOf: (sessionId: SessionId) => Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /** Every task, by target, then by id. */
    readonly catalog: Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /** A page of the catalog in the same order, at most `limit` tasks strictly behind the cursor `after`. */
    readonly catalogPage: (query: {
      readonly limit: number
      readonly after?: { readonly scheduledAt: Instant; readonly id: ScheduleId } | undefined
      readonly status?: TaskStatus | undefined
    }) => Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /** The Sessions that have active tasks with a target at or before `until`, each once, by earliest target. */
    readonly dueSessions: (until: Instant) => Effect.Effect<ReadonlyArray<SessionId>, StorageError>

    /** The active tasks of a Session with a target at or before `until`, by target, then in creation order. */
    readonly dueOf: (sessionId: SessionId, until: Instant) => Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

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
  }
>() {}
