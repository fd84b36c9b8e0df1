/**
 * The clients of all namespaces of a Host over one connection.
 *
 * @since 0.1.0
 */
import * as RpcClient from "@effect/rpc/RpcClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ScheduleClient from "./ScheduleClient.ts"
import { ScheduleRpcs } from "./ScheduleRpcs.ts"
import * as SessionClient from "./SessionClient.ts"
import { SessionRpcs } from "./SessionRpcs.ts"

/**
 * Both namespaces, which a Host serves together. A protocol answers one client only: a second one on it would wait for ever.
 *
 * @since 0.1.0
 * @category groups
 */
export const RemoteRpcs = ScheduleRpcs.merge(SessionRpcs)

/**
 * Calls a Host that owns its Sessions over any `@effect/rpc` protocol.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Clients, never, RpcClient.Protocol> = Layer.suspend(() => make({ reconnects: true }))

/**
 * The same, but its `changes` end with their connection, as `host_unreachable`: for callers that look for the Host anew.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerOnce: Layer.Layer<Clients, never, RpcClient.Protocol> = Layer.suspend(() =>
  make({ reconnects: false })
)

/**
 * @since 0.1.0
 * @category models
 */
export type Clients = ScheduleClient.ScheduleClient | SessionClient.SessionClient

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const make = (options: ScheduleClient.Options) =>
  Layer.scopedContext(
    Effect.map(RpcClient.make(RemoteRpcs), (client) =>
      Context.make(ScheduleClient.ScheduleClient, ScheduleClient.fromRpc(client, options)).pipe(
        Context.add(SessionClient.SessionClient, SessionClient.fromRpc(client))
      )
    )
  )
