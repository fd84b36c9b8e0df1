/**
 * The `schedule` Remote namespace.
 *
 * Payload fields that the service validates itself cross the wire unchecked, so that every transport answers with the
 * service's own codes; ids that no task or Session can have are misses, not malformed calls.
 *
 * @since 0.1.0
 */
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { MessageId } from "../domain/Identifiers.ts"
import { Instant } from "../domain/Instant.ts"
import { InputCode, ScheduleInputError } from "../domain/ScheduleInputError.ts"
import { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import { DeliveryRecord, TaskStatus, TaskSummary } from "../domain/ScheduleTask.ts"
import { ScheduleUnavailable } from "./ScheduleUnavailable.ts"
import { SessionRefused } from "./SessionRefused.ts"

/**
 * A task's id as a caller spells it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AnyScheduleId = Schema.String.pipe(Schema.brand("ScheduleId"))

/**
 * A Session's id as a caller spells it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AnySessionId = Schema.String.pipe(Schema.brand("SessionId"))

const address = { sessionId: AnySessionId, id: AnyScheduleId }
const unchecked = Schema.optionalWith(Schema.Unknown, { exact: true })

/**
 * A page of saved deliveries, or why there is none.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HistoryAnswer = Schema.Union(
  Schema.Struct({
    id: AnyScheduleId,
    records: Schema.Array(DeliveryRecord),
    nextBefore: Schema.optionalWith(MessageId, { exact: true }),
    earlierRecordsUnavailable: Schema.Boolean,
    earlierRecordsPruned: Schema.Boolean,
    retention: Schema.Struct({ days: Schema.Number, records: Schema.Number })
  }),
  Schema.Struct({ id: AnyScheduleId, code: Schema.Literal("schedule_not_found", "delivery_cursor_not_found") })
)

/**
 * The committed record, or why nothing was written.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UpdateAnswer = Schema.Union(
  Schema.Struct({ id: AnyScheduleId, updated: Schema.Boolean, record: ScheduleRecord }),
  Schema.Struct({
    id: AnyScheduleId,
    updated: Schema.Literal(false),
    code: Schema.Literal("schedule_not_found", "schedule_ended", "schedule_conflict")
  }),
  Schema.Struct({ id: AnyScheduleId, updated: Schema.Literal(false), code: InputCode, message: Schema.String })
)

/**
 * @since 0.1.0
 * @category schemas
 */
export const DeleteAnswer = Schema.Union(
  Schema.Struct({ id: AnyScheduleId, deleted: Schema.Literal(true) }),
  Schema.Struct({ id: AnyScheduleId, deleted: Schema.Literal(false), code: Schema.Literal("schedule_not_found") })
)

/**
 * Stores a new task of a Session. `request` is `{title, prompt, <one selector>}`.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Create = Rpc.make("schedule.create", {
  payload: { sessionId: AnySessionId, request: unchecked },
  success: ScheduleRecord,
  error: Schema.Union(ScheduleInputError, SessionRefused, ScheduleUnavailable)
})

/**
 * The active records of a Session, in creation order.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const List = Rpc.make("schedule.list", {
  payload: { sessionId: AnySessionId },
  success: Schema.Array(ScheduleRecord),
  error: ScheduleUnavailable
})

/**
 * Every task of the Host, active and inactive, without history.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Catalog = Rpc.make("schedule.catalog", {
  success: Schema.Array(TaskSummary),
  error: ScheduleUnavailable
})

/**
 * A page of the catalog in the same order. `limit` is an integer 1–1000, `after` the `nextAfter` of the page before.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const CatalogPage = Rpc.make("schedule.catalogPage", {
  payload: Schema.Struct({
    limit: unchecked,
    after: unchecked,
    status: Schema.optionalWith(TaskStatus, { exact: true })
  }),
  success: Schema.Struct({
    tasks: Schema.Array(TaskSummary),
    nextAfter: Schema.optionalWith(Schema.String, { exact: true })
  }),
  error: Schema.Union(ScheduleInputError, ScheduleUnavailable)
})

/**
 * Saved deliveries of a task, newest first. `limit` is an integer 1–100, `before` an exclusive message id.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const History = Rpc.make("schedule.history", {
  payload: { ...address, limit: unchecked, before: unchecked },
  success: HistoryAnswer,
  error: Schema.Union(ScheduleInputError, ScheduleUnavailable)
})

/**
 * Edits an active task whose stored record equals `expected` in every field.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Update = Rpc.make("schedule.update", {
  payload: { ...address, expected: unchecked, title: unchecked, prompt: unchecked, change: unchecked },
  success: UpdateAnswer,
  error: ScheduleUnavailable
})

/**
 * Removes a task with its history.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Delete = Rpc.make("schedule.delete", {
  payload: address,
  success: DeleteAnswer,
  error: ScheduleUnavailable
})

/**
 * Removes every inactive task of the Host; answers how many.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const DeleteInactive = Rpc.make("schedule.deleteInactive", {
  success: Schema.Number,
  error: ScheduleUnavailable
})

/**
 * The next occurrences of `{<one selector>, from?, count?}`, nothing stored.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Preview = Rpc.make("schedule.preview", {
  payload: { request: unchecked },
  success: Schema.Struct({ occurrences: Schema.Array(Instant) }),
  error: Schema.Union(ScheduleInputError, ScheduleUnavailable)
})

/**
 * One element when the subscription stands, so that the reader reads what it may have missed, then one after every committed
 * change, coalesced for a slow reader.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Changed = Rpc.make("schedule.changed", {
  success: Schema.Null,
  error: ScheduleUnavailable,
  stream: true
})

/**
 * The namespace, over any `@effect/rpc` protocol.
 *
 * @since 0.1.0
 * @category groups
 */
export const ScheduleRpcs = RpcGroup.make(
  Create,
  List,
  Catalog,
  CatalogPage,
  History,
  Update,
  Delete,
  DeleteInactive,
  Preview,
  Changed
)
