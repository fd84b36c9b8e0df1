/**
 * Serving a client over the SDK protocol on stdio.
 *
 * @since 0.1.0
 */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as LogLevel from "effect/LogLevel"
import * as Composition from "../sdk/Composition.ts"
import * as SdkServer from "../sdk/SdkServer.ts"
import * as Storage from "../storage/Storage.ts"
import * as Backends from "../web/Backends.ts"
import * as Home from "../web/Home.ts"
import * as HostConfig from "../web/HostConfig.ts"
import * as Output from "./Output.ts"

/**
 * Serves until the input ends or the first signal comes. The home is looked at when the client is ready, and locked from
 * then on.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = (options: Backends.Flags & { readonly home: string }) =>
  Effect.gen(function* () {
    const home = yield* Home.open(options.home)
    const config = yield* HostConfig.load(home)
    const storage = yield* Backends.choose(home, Backends.wanted(options, config))
    const parts = {
      domain: Storage.layer(storage),
      settings: HostConfig.layerSettings(config),
      heals: storage.kind === "postgres"
    }
    yield* SdkServer.run({
      mount: (handler) => Composition.layer(parts, handler),
      version: yield* Output.Version,
      stdin: NodeStream.stdin,
      stdout: NodeSink.stdout,
      stop: yield* Output.Signal
    })
  }).pipe(Output.withLogs(LogLevel.Warning))
