/**
 * A home without a Host: its reminders and Sessions, managed in this process. Nothing is delivered.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ScheduleHandlers from "../remote/ScheduleHandlers.ts"
import * as SessionHandlers from "../remote/SessionHandlers.ts"
import * as InboxDriver from "../session/InboxDriver.ts"
import * as Storage from "../storage/Storage.ts"
import * as Backends from "./Backends.ts"
import * as Composition from "./Composition.ts"
import * as Home from "./Home.ts"
import * as HostConfig from "./HostConfig.ts"

/**
 * The clients of a home that no Host runs on. It is locked while the layer lives.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (directory: string, flags: Backends.Flags) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const home = yield* Home.open(directory)
      const config = yield* HostConfig.load(home)
      const backend = yield* Backends.choose(home, Backends.wanted(flags, config))
      return Layer.mergeAll(ScheduleHandlers.layerClient, SessionHandlers.layerClient).pipe(
        Layer.provide(SessionHandlers.layerAdmission),
        Layer.provide(
          Composition.layer({
            home: home.dir,
            domain: Storage.layer(backend),
            driver: InboxDriver.layer,
            settings: HostConfig.layerSettings(config),
            delivers: false
          })
        )
      )
    })
  )
