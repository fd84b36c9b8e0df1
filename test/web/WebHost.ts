import { FileSystem } from "@effect/platform"
import * as HttpServer from "@effect/platform/HttpServer"
import { NodeFileSystem } from "@effect/platform-node"
import { Context, Effect, Layer, Redacted } from "effect"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as InboxDriver from "../../src/session/InboxDriver.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import * as Composition from "../../src/web/Composition.ts"
import * as Home from "../../src/web/Home.ts"
import * as Token from "../../src/web/Token.ts"
import * as WebHost from "../../src/web/WebHost.ts"

export class Host extends Context.Tag("test/Host")<
  Host,
  { readonly home: Home.Home; readonly token: string; readonly origin: string; readonly port: number }
>() {}

/** A Host on any free port of loopback, its tasks in memory and its Sessions in a temporary home. */
export const layer = Layer.unwrapScoped(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const home = yield* Home.open(yield* fs.makeTempDirectoryScoped())
    const token = Redacted.value(yield* Token.load(home))
    const host = WebHost.layer({
      home,
      version: "0.0.0",
      host: "127.0.0.1",
      port: 0,
      page: home.dir,
      services: Composition.layerServing({
        home: home.dir,
        domain: ScheduleDomain.layerMemory,
        driver: InboxDriver.layer,
        settings: ScheduleConfig.layer()
      })
    })
    const about = Layer.effect(
      Host,
      HttpServer.addressWith((address) => {
        const port = address._tag === "TcpAddress" ? address.port : 0
        return Effect.succeed({ home, token, port, origin: `http://127.0.0.1:${port}` })
      })
    )
    return Layer.provideMerge(about, host)
  })
).pipe(Layer.provideMerge(NodeFileSystem.layer))
