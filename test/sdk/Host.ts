import { Context, Effect, FiberRef, HashSet, Layer, Logger } from "effect"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as Composition from "../../src/sdk/Composition.ts"
import { layerMemory, ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import * as Wire from "./Wire.ts"

/** A store that outlives the clients of a test, and what its servers logged. */
export const make = Effect.gen(function* () {
  const store = yield* Layer.build(layerMemory)
  const domain = Layer.succeedContext(store)
  const logs: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    logs.push(`${logLevel.label} ${[message].flat().join(" ")}`)
  })
  const withLogs = Effect.locally(FiberRef.currentLoggers, HashSet.make<[Logger.Logger<unknown, unknown>]>(logger))
  const connect = (settings: Partial<ScheduleConfig.Settings> = {}, stop?: Effect.Effect<void>) =>
    withLogs(
      Wire.raw((handler) => Composition.layer({ domain, settings: ScheduleConfig.layer(settings) }, handler), stop)
    )
  /** A client that is ready and takes deliveries. */
  const client = Effect.fnUntraced(function* (
    ready: object = {},
    settings: Partial<ScheduleConfig.Settings> = {},
    stop?: Effect.Effect<void>
  ) {
    const client = yield* connect(settings, stop)
    yield* client.result("sdk.ready", ready)
    yield* client.result("sdk.deliveries")
    return client
  })
  return {
    domain,
    logs,
    /** Keeps what an effect logs. */
    withLogs,
    connect,
    client,
    stored: Context.get(store, ScheduleDomain).catalog
  }
})
