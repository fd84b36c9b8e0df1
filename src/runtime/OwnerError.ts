/**
 * How a call fails that another Host of a cluster has to do.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * No Host serves the Session's shard just now: one is being taken over, or the owner is overloaded. Nothing was written; call
 * again.
 *
 * @since 0.1.0
 * @category errors
 */
export class OwnerUnavailable extends Schema.TaggedError<OwnerUnavailable>("host-schedule/runtime/OwnerUnavailable")(
  "OwnerUnavailable",
  { message: Schema.String }
) {}

/**
 * The Host that serves the Session's shard got the call and did not answer. Whether the change was made is not known: read
 * again before calling again.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>("host-schedule/runtime/OutcomeUnknown")(
  "OutcomeUnknown",
  { message: Schema.String }
) {}

/**
 * Why the owner's answer is missing. Only a cluster fails so.
 *
 * @since 0.1.0
 * @category errors
 */
export type OwnerError = OwnerUnavailable | OutcomeUnknown

/**
 * Both, for what crosses a wire.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OwnerError = Schema.Union(OwnerUnavailable, OutcomeUnknown)
