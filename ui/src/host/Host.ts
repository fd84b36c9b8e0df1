/** The Host that served this page, over one WebSocket that comes back by itself. */

import * as Socket from "@effect/platform/Socket"
import * as RpcClient from "@effect/rpc/RpcClient"
import { AtomRpc } from "@effect-atom/atom-react"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { RemoteRpcs } from "../../../src/remote/RemoteClient.ts"
import * as RpcLines from "../../../src/remote/RpcLines.ts"
import { rpcPath } from "../../../src/web/Paths.ts"

// A Host that restarts is back in a second or two; nobody should wait longer for the page than for the Host.
const reconnect = Schedule.exponential("200 millis", 1.5).pipe(Schedule.union(Schedule.spaced("2 seconds")))

const protocol = Layer.suspend(() =>
  RpcClient.layerProtocolSocket({ retrySchedule: reconnect }).pipe(
    Layer.provide([
      RpcLines.layerClient,
      Socket.layerWebSocket(`${location.origin.replace(/^http/, "ws")}${rpcPath}`).pipe(
        Layer.provide(Socket.layerWebSocketConstructorGlobal)
      )
    ])
  )
)

/** The client of both Remote namespaces. */
export class Host extends AtomRpc.Tag<Host>()("host-schedule/ui/Host", { group: RemoteRpcs, protocol }) {}
