/**
 * How the `schedule` namespace says that it cannot answer now.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { OwnerError } from "../runtime/OwnerError.ts"
import type { ServiceStopping } from "../runtime/ServiceStopping.ts"
import type { SessionUnreadable } from "../runtime/SessionHeaders.ts"
import type { SessionIoError } from "../session/SessionError.ts"
import type { StorageError } from "../storage/StorageError.ts"

/**
 * The stable codes of a namespace that cannot answer.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UnavailableCode = Schema.Literal(
  "storage_failed",
  "storage_unknown_state",
  "storage_quarantined",
  "storage_closed",
  "session_failed",
  "host_stopping",
  "host_unreachable",
  "owner_unavailable",
  "outcome_unknown",
  "unauthorized",
  "too_large",
  "internal_error"
)

/**
 * @since 0.1.0
 * @category models
 */
export type UnavailableCode = typeof UnavailableCode.Type

/**
 * Storage or the Host could not do the work. `message` says what the caller may do and never carries a backend's text, which
 * is in the Host's log only.
 *
 * - `storage_failed`, `host_stopping`, `host_unreachable`: nothing is known to be written; read again, then retry.
 * - `owner_unavailable`: in a cluster, no Host serves the Session just now and nothing was written; try again.
 * - `outcome_unknown`: in a cluster, the Host that serves the Session did not answer; read again, then decide.
 * - `storage_unknown_state`, `storage_quarantined`, `storage_closed`: the Host's operator has to reopen or restart it.
 * - `session_failed`: mend the Session's log or its disk.
 * - `unauthorized`: present the Host's token.
 * - `too_large`: nothing was written; the call has more than 1 MiB, so shorten it.
 * - `internal_error`: a bug.
 *
 * @since 0.1.0
 * @category errors
 */
export class ScheduleUnavailable extends Schema.TaggedError<ScheduleUnavailable>(
  "host-schedule/remote/ScheduleUnavailable"
)("ScheduleUnavailable", { code: UnavailableCode, message: Schema.String }) {}

/**
 * The error of a code, with its fixed text.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (code: UnavailableCode): ScheduleUnavailable =>
  new ScheduleUnavailable({ code, message: messages[code] })

/**
 * The wire form of a failure of the service.
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromService = (error: ServiceFailure): ScheduleUnavailable => make(codes[error._tag])

/**
 * Whether an error of the service is for the wire to translate; the others are answers.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isServiceFailure = <E>(error: E): error is Extract<E, ServiceFailure> =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && Object.hasOwn(codes, error._tag)

/**
 * @since 0.1.0
 * @category models
 */
export type ServiceFailure = StorageError | ServiceStopping | SessionUnreadable | SessionIoError | OwnerError

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const codes = {
  StorageFailure: "storage_failed",
  StorageUnknownState: "storage_unknown_state",
  StorageOwnershipLost: "storage_quarantined",
  StorageQuarantined: "storage_quarantined",
  DomainClosed: "storage_closed",
  ServiceStopping: "host_stopping",
  SessionUnreadable: "session_failed",
  SessionIoError: "session_failed",
  OwnerUnavailable: "owner_unavailable",
  OutcomeUnknown: "outcome_unknown"
} as const

const messages: Readonly<Record<UnavailableCode, string>> = {
  storage_failed: "The schedule store failed and nothing was changed; try again.",
  storage_unknown_state: "The schedule store lost track of a write; it refuses work until the Host reopens it.",
  storage_quarantined:
    "The schedule store refuses work, after an unknown write or a lost lock, until the Host reopens it.",
  storage_closed: "The schedule store is closed.",
  session_failed: "The Session's log cannot be read or written; the Host's log says why.",
  host_stopping: "The Host is shutting down; try again when it is back.",
  host_unreachable: "The Host does not answer.",
  owner_unavailable: "No Host of the cluster serves this Session just now, and nothing was changed; try again.",
  outcome_unknown:
    "The Host that serves this Session did not answer; look whether the change was made before you retry.",
  unauthorized: "The Host refuses this token.",
  too_large: "The call is too long; a Host reads 1 MiB at most.",
  internal_error: "The schedule operation failed."
}
