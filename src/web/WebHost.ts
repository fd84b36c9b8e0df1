/**
 * The Web composition: a whole Host behind an HTTP server.
 *
 * @since 0.1.0
 */
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SessionClient } from "../remote/SessionClient.ts"
import * as SessionHandlers from "../remote/SessionHandlers.ts"
import { ScheduleService } from "../runtime/ScheduleService.ts"
import type { SessionController } from "../session/SessionController.ts"
import type { Home } from "./Home.ts"
import * as HostFile from "./HostFile.ts"
import * as Login from "./Login.ts"
import * as Page from "./Page.ts"
import * as Routes from "./Routes.ts"
import * as Token from "./Token.ts"
import * as WebServer from "./WebServer.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options<E, R> extends WebServer.Options {
  readonly home: Home
  /** Of this program, as clients show it. */
  readonly version: string
  /** What is served: a Host that is alone, or one of a cluster. */
  readonly services: Layer.Layer<ScheduleService | SessionClient | SessionController, E, R>
  /** The directory of the built page. */
  readonly page: string
}

/**
 * A Host that answers when the layer is built. Closing it stops answering first, then drains what was accepted.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>({ home, page, services, version, ...listen }: Options<E, R>) =>
  Layer.unwrapEffect(
    Effect.map(Token.load(home), (token) => {
      const routes = Layer.merge(Routes.layer({ token, hostname: listen.host, version }), Page.layer(page)).pipe(
        Layer.provide(SessionHandlers.layerAdmission)
      )
      return Layer.scopedDiscard(Effect.flatMap(WebServer.url(listen.host), (url) => HostFile.publish(home, url))).pipe(
        Layer.provideMerge(HttpLayerRouter.serve(routes, { disableLogger: true, disableListenLog: true })),
        Layer.provideMerge(Login.layer),
        // storage opens before the port does, so that a Host that is locked out never answers
        Layer.provideMerge(Layer.unwrapEffect(Effect.as(ScheduleService, WebServer.layer(listen)))),
        Layer.provideMerge(services)
      )
    })
  )
