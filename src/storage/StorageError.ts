/**
 * How the `schedule` storage domain fails, and how a caller recovers.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { ScheduleLogError } from "../domain/ScheduleLogError.ts"

/**
 * Another process, or another domain of this one, owns the medium. Stop the owner that `message` names, or use its Host.
 *
 * @since 0.1.0
 * @category errors
 */
export class DomainAlreadyOpen extends Schema.TaggedError<DomainAlreadyOpen>("host-schedule/storage/DomainAlreadyOpen")(
  "DomainAlreadyOpen",
  { message: Schema.String }
) {}

/**
 * The medium holds another version of the domain, or is divided otherwise. It was left as it was; `message` says what to do.
 *
 * @since 0.1.0
 * @category errors
 */
export class DomainVersionMismatch extends Schema.TaggedError<DomainVersionMismatch>(
  "host-schedule/storage/DomainVersionMismatch"
)("DomainVersionMismatch", { message: Schema.String }) {}

/**
 * The medium cannot be read, or is not a `schedule` domain at all. It was left as it was: repair it, then open again.
 *
 * @since 0.1.0
 * @category errors
 */
export class DomainMalformed extends Schema.TaggedError<DomainMalformed>("host-schedule/storage/DomainMalformed")(
  "DomainMalformed",
  { message: Schema.String, cause: Schema.optional(Schema.Defect) }
) {}

/**
 * Rows were to be imported into a storage that has some already. Nothing was changed: import into an empty one, or merge.
 *
 * @since 0.1.0
 * @category errors
 */
export class DomainNotEmpty extends Schema.TaggedError<DomainNotEmpty>("host-schedule/storage/DomainNotEmpty")(
  "DomainNotEmpty",
  { message: Schema.String }
) {}

/**
 * A read or write failed and changed nothing. Trying again may help.
 *
 * @since 0.1.0
 * @category errors
 */
export class StorageFailure extends Schema.TaggedError<StorageFailure>("host-schedule/storage/StorageFailure")(
  "StorageFailure",
  { message: Schema.String, cause: Schema.optional(Schema.Defect) }
) {}

/**
 * A write may or may not have happened. The domain is quarantined from now on: reopen it to find out what is there.
 *
 * @since 0.1.0
 * @category errors
 */
export class StorageUnknownState extends Schema.TaggedError<StorageUnknownState>(
  "host-schedule/storage/StorageUnknownState"
)("StorageUnknownState", { message: Schema.String, cause: Schema.optional(Schema.Defect) }) {}

/**
 * Another Host owns the rows now, or this one lost its lock on them, so a write was refused and changed nothing. The domain is
 * quarantined from now on: reopen it to own them again.
 *
 * @since 0.1.0
 * @category errors
 */
export class StorageOwnershipLost extends Schema.TaggedError<StorageOwnershipLost>(
  "host-schedule/storage/StorageOwnershipLost"
)("StorageOwnershipLost", { message: Schema.String, cause: Schema.optional(Schema.Defect) }) {}

/**
 * An earlier write left an unknown state or lost its ownership, so the operation was refused. Reopen the domain.
 *
 * @since 0.1.0
 * @category errors
 */
export class StorageQuarantined extends Schema.TaggedError<StorageQuarantined>(
  "host-schedule/storage/StorageQuarantined"
)("StorageQuarantined", {}) {
  override get message() {
    return "the schedule store is quarantined after a write whose outcome is unknown, or a lost lock; reopen it"
  }
}

/**
 * The domain was closed, so the operation was refused.
 *
 * @since 0.1.0
 * @category errors
 */
export class DomainClosed extends Schema.TaggedError<DomainClosed>("host-schedule/storage/DomainClosed")(
  "DomainClosed",
  {}
) {
  override get message() {
    return "the schedule store is closed"
  }
}

/**
 * Why a domain did not open.
 *
 * @since 0.1.0
 * @category errors
 */
export type OpenError = DomainAlreadyOpen | DomainVersionMismatch | DomainMalformed | ScheduleLogError | StorageFailure

/**
 * Why an operation on an open domain failed.
 *
 * @since 0.1.0
 * @category errors
 */
export type StorageError =
  | StorageFailure
  | StorageUnknownState
  | StorageOwnershipLost
  | StorageQuarantined
  | DomainClosed

/**
 * Every storage failure, for what crosses a wire.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StorageError = Schema.Union(
  StorageFailure,
  StorageUnknownState,
  StorageOwnershipLost,
  StorageQuarantined,
  DomainClosed
)
