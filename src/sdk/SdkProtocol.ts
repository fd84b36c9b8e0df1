/**
 * What the two sides of the SDK protocol say to each other beside the `schedule` namespace.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MessageId } from "../domain/Identifiers.ts"
import { AnySessionId } from "../remote/ScheduleRpcs.ts"

/**
 * `sdk.ready`, client to Host: the client's activation handler stands, so Schedule is mounted. With `alreadyHas`, the client
 * answers the Host's `sdk.alreadyHas`; without, delivery is at least once. Times are in milliseconds.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Ready = {
  params: Schema.Struct({ alreadyHas: Schema.optionalWith(Schema.Boolean, { exact: true }) }),
  result: Schema.Struct({ protocol: Schema.Number, version: Schema.String, flushTimeout: Schema.Number })
}

/**
 * The version of the protocol, which grows when a client has to change.
 *
 * @since 0.1.0
 * @category constants
 */
export const protocol = 1

/**
 * The params of `sdk.delivery`, Host to client, a notification: a message for a Session's inbox, to be acknowledged under
 * `deliveryId`. `keys` name the occurrences that the message carries.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Delivery = Schema.Struct({
  deliveryId: Schema.String,
  sessionId: AnySessionId,
  message: Schema.Struct({ id: MessageId, text: Schema.String, keys: Schema.Array(Schema.String) })
})

/**
 * @since 0.1.0
 * @category models
 */
export type Delivery = typeof Delivery.Type

/**
 * `sdk.acknowledge`, client to Host: whether the message is durably in the Session's inbox. An acknowledgement that nobody
 * waits for, such as a late one, changes nothing.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Acknowledge = {
  params: Schema.Struct({
    deliveryId: Schema.String,
    flushed: Schema.Boolean,
    error: Schema.optionalWith(Schema.String, { exact: true })
  }),
  result: Schema.Union(
    Schema.Struct({ acknowledged: Schema.Literal(true) }),
    Schema.Struct({ acknowledged: Schema.Literal(false), code: Schema.Literal("delivery_not_waiting") })
  )
}

/**
 * `sdk.alreadyHas`, Host to client, a request: which of the keys the Session holds already, each with its message's id.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AlreadyHas = {
  params: Schema.Struct({ sessionId: AnySessionId, keys: Schema.Array(Schema.String) }),
  result: Schema.Record({ key: Schema.String, value: MessageId })
}

/**
 * The param of `schedule.create` and `schedule.update` that says how deep the Session was delegated.
 *
 * @since 0.1.0
 * @category schemas
 */
export const delegationDepth = Schema.optionalWith(Schema.NonNegativeInt, { exact: true })
