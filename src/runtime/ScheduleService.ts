import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { HistoryPage } from "../domain/History.ts"
import type { ScheduleId, SessionId } from "../domain/Identifiers.ts"
import type { InputCode, ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { HistoryBounds, TaskStatus, TaskSummary } from "../domain/ScheduleTask.ts"
import type { OpenError, StorageError } from "../storage/StorageError.ts"
import type { ArchiveRegistry } from "./ArchiveRegistry.ts"
import type { OwnerError } from "./OwnerError.ts"
import type { ServiceStopping } from "./ServiceStopping.ts"
import type { SessionUnreadable } from "./SessionHeaders.ts"

/**
 * A Session and one task of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TaskAddress {
  readonly sessionId: SessionId
  readonly id: ScheduleId
}

/**
 * A page of the catalog; `nextAfter` only when more tasks follow.
 *
 * @since 0.1.0
 * @category models
 */
export interface CatalogPage {
  readonly tasks: ReadonlyArray<TaskSummary>
  readonly nextAfter?: string
}

/**
 * A page of saved deliveries, or why there is none. `retention` tells the bounds that appends prune to.
 *
 * @since 0.1.0
 * @category models
 */
export type HistoryAnswer =
  | (HistoryPage & { readonly id: ScheduleId; readonly retention: HistoryBounds })
  | { readonly id: ScheduleId; readonly code: "schedule_not_found" | "delivery_cursor_not_found" }

/**
 * @since 0.1.0
 * @category models
 */
export type UpdateAnswer =
  | { readonly id: ScheduleId; readonly updated: boolean; readonly record: ScheduleRecord }
  | {
      readonly id: ScheduleId
      readonly updated: false
      readonly code: "schedule_not_found" | "schedule_ended" | "schedule_conflict"
    }
  | { readonly id: ScheduleId; readonly updated: false; readonly code: InputCode; readonly message: string }

/**
 * @since 0.1.0
 * @category models
 */
export type DeleteAnswer =
  | { readonly id: ScheduleId; readonly deleted: true }
  | { readonly id: ScheduleId; readonly deleted: false; readonly code: "schedule_not_found" }

/**
 * Every method is interruptible while it waits and uninterruptible once its write begins. A task that is bound to another
 * Session is answered like a missing one. Nothing here but delivery activates an Agent or reads a Session's log.
 *
 * @since 0.1.0
 * @category services
 */
export class ScheduleService extends Context.Tag("host-schedule/runtime/ScheduleService")<
  ScheduleService,
  {
    /** Stores a new task; `now` is the time of the call. The request is `{title, prompt, <one selector>}`. */
    readonly create: (
      sessionId: SessionId,
      request: unknown
    ) => Effect.Effect<
      ScheduleRecord,
      ScheduleInputError | StorageError | ServiceStopping | SessionUnreadable | OwnerError
    >

    /** The active records of a Session, in creation order. */
    readonly list: (query: {
      readonly sessionId: SessionId
    }) => Effect.Effect<ReadonlyArray<ScheduleRecord>, StorageError>

    /** Every task of the Host, by target, then by id; never its history. */
    readonly catalog: () => Effect.Effect<ReadonlyArray<TaskSummary>, StorageError>

    /**
     * A page of the catalog in the same order: at most `limit` (1–1000) tasks behind the cursor `after`, which is the
     * `nextAfter` of the page before; else `invalid_rule`.
     */
    readonly catalogPage: (query: {
      readonly limit: unknown
      readonly after?: unknown
      readonly status?: TaskStatus | undefined
    }) => Effect.Effect<CatalogPage, ScheduleInputError | StorageError>

    /** Saved deliveries, newest first. `limit` is 1–100, `before` an exclusive message id; else `invalid_rule`. */
    readonly history: (
      query: TaskAddress & { readonly limit: unknown; readonly before?: unknown }
    ) => Effect.Effect<HistoryAnswer, ScheduleInputError | StorageError>

    /** Edits an active task whose stored record equals `expected` in every field. */
    readonly update: (
      request: TaskAddress & {
        readonly expected: unknown
        readonly title?: unknown
        readonly prompt?: unknown
        readonly change?: unknown
      }
    ) => Effect.Effect<UpdateAnswer, StorageError | ServiceStopping | SessionUnreadable | OwnerError>

    /** Removes a task, active or inactive, with its history. Messages that are already queued stay. */
    readonly delete: (address: TaskAddress) => Effect.Effect<DeleteAnswer, StorageError | ServiceStopping | OwnerError>

    /** Removes every inactive task of the Host in one durable write; answers how many. */
    readonly deleteInactive: () => Effect.Effect<number, StorageError | ServiceStopping | OwnerError>

    /**
     * Registers Schedule with the workspace's archive admission until the scope closes: an active task of the Session is
     * activity of the family `schedule`, and stopping removes them all, ordered behind a creation whose write is in flight.
     */
    readonly archiveAdmission: Effect.Effect<void, never, ArchiveRegistry | Scope.Scope>

    /** `schedule/changed`: one element after every committed change, coalesced for a slow reader. */
    readonly changes: Stream.Stream<void>

    /** Opens a quarantined domain again, in place. */
    readonly reopen: () => Effect.Effect<void, OpenError | StorageError | ServiceStopping>
  }
>() {}
