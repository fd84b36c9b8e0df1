/**
 * How deep the Session of a call was delegated, as its client says.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SessionHeaders } from "../runtime/SessionHeaders.ts"

/**
 * 0 for a top-level Session, the default; more for a delegated child's, which can keep no reminders. Provided around a
 * `create` or `update`, by the server for its service and by a program for its client.
 *
 * @since 0.1.0
 * @category services
 */
export class DelegationDepth extends Context.Reference<DelegationDepth>()("host-schedule/sdk/DelegationDepth", {
  defaultValue: () => 0
}) {}

/**
 * The headers of Sessions that live with the client: each call brings its own.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHeaders: Layer.Layer<SessionHeaders> = Layer.succeed(SessionHeaders, {
  delegationDepth: () => Effect.map(DelegationDepth, (depth) => depth)
})
