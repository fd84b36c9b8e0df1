/**
 * The `sessions` Remote namespace: the Sessions of a composition that owns them.
 *
 * @since 0.1.0
 */
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { SessionHeader } from "../session/SessionHeader.ts"
import { ScheduleUnavailable } from "./ScheduleUnavailable.ts"
import { SessionRefused } from "./SessionRefused.ts"

/**
 * A Session without its events. Times are epoch milliseconds, as in the Session's log.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionSummary = Schema.Struct({
  header: SessionHeader,
  title: Schema.optional(Schema.String),
  archived: Schema.Boolean,
  events: Schema.Number,
  pending: Schema.Number,
  updatedAt: Schema.Number
})

/**
 * @since 0.1.0
 * @category models
 */
export type SessionSummary = typeof SessionSummary.Type

/**
 * A Session with events of its log.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionDetail = Schema.Struct({
  ...SessionSummary.fields,
  log: Schema.Array(
    Schema.Struct({ seq: Schema.Number, time: Schema.Number, type: Schema.String, data: Schema.Unknown })
  )
})

/**
 * @since 0.1.0
 * @category models
 */
export type SessionDetail = typeof SessionDetail.Type

/**
 * Every Session that can be read, newest activity first, and why each other one cannot.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SessionList = Schema.Struct({
  sessions: Schema.Array(SessionSummary),
  unreadable: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
})

/**
 * @since 0.1.0
 * @category models
 */
export type SessionList = typeof SessionList.Type

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
const one = { id: Schema.String }
const error = Schema.Union(SessionRefused, ScheduleUnavailable)

/**
 * Creates a Session, with a fresh id unless one is given.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const New = Rpc.make("sessions.new", {
  payload: { id: optional(Schema.String), title: optional(Schema.String), cwd: optional(Schema.String) },
  success: SessionSummary,
  error
})

/**
 * @since 0.1.0
 * @category rpcs
 */
export const List = Rpc.make("sessions.list", { success: SessionList, error: ScheduleUnavailable })

/**
 * A Session with its events `from ≤ seq`, at most `limit` of them; defaults: all.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Show = Rpc.make("sessions.show", {
  payload: { ...one, from: optional(Schema.Int), limit: optional(Schema.Int) },
  success: SessionDetail,
  error
})

/**
 * How deep a Session was delegated: 0 for a top-level one, more for a delegated child's. Reads the first line of its log alone.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const DelegationDepth = Rpc.make("sessions.delegationDepth", {
  payload: one,
  success: Schema.NonNegativeInt,
  error
})

/**
 * @since 0.1.0
 * @category rpcs
 */
export const Rename = Rpc.make("sessions.rename", {
  payload: { ...one, title: Schema.String },
  success: SessionSummary,
  error
})

/**
 * Archives a Session; refused with the list while something runs there, unless `stopActivity`.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Archive = Rpc.make("sessions.archive", {
  payload: { ...one, stopActivity: optional(Schema.Boolean) },
  success: SessionSummary,
  error
})

/**
 * Takes a Session back from the archive; what archiving stopped stays stopped.
 *
 * @since 0.1.0
 * @category rpcs
 */
export const Unarchive = Rpc.make("sessions.unarchive", { payload: one, success: SessionSummary, error })

/**
 * The namespace, over any `@effect/rpc` protocol.
 *
 * @since 0.1.0
 * @category groups
 */
export const SessionRpcs = RpcGroup.make(New, List, Show, DelegationDepth, Rename, Archive, Unarchive)
