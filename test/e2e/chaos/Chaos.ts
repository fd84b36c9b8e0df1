import { readFileSync, watch } from "node:fs"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { RpcClient } from "@effect/rpc"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as RemoteClient from "../../../src/remote/RemoteClient.ts"
import * as RpcLines from "../../../src/remote/RpcLines.ts"
import { rpcPath } from "../../../src/web/Paths.ts"
import type { Host, TestHome } from "../Command.ts"
import { Workload } from "./Workload.ts"

/** A client of a running Host. It does not come back: once the Host is gone, every call fails. */
export const connect = async (home: TestHome, host: Host) => {
  const { url } = await host.ready
  const token = readFileSync(home.path("token"), "utf8").trim()
  return ManagedRuntime.make(
    RemoteClient.layer.pipe(
      Layer.provide(
        RpcClient.layerProtocolHttp({
          url: url + rpcPath,
          transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
        })
      ),
      Layer.provide([FetchHttpClient.layer, RpcLines.layerClient])
    )
  )
}

/** A Host under a client that keeps it busy, killed again and again; and all that the client knows. */
export class Chaos extends Workload {
  kills = 0
  private readonly home: TestHome

  constructor(home: TestHome, sessions: ReadonlyArray<string>, seed: number) {
    super(sessions, seed)
    this.home = home
  }

  /** Starts a Host, works on it for a random while, and kills it. */
  async round(storage: "sqlite" | "json"): Promise<void> {
    const host = await this.home.serve("--storage", storage)
    const client = await connect(this.home, host)
    const working = client.runPromise(this.work)
    await this.momentToKill()
    await host.stop("SIGKILL")
    this.kills++
    await working
    await client.dispose()
  }

  /** Any time; and every other time right when a Session's log grows, between a message and its receipt. */
  private async momentToKill(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 20 + this.random() * 700))
    if (this.random() < 0.5) return
    const patience = AbortSignal.timeout(1_000)
    await new Promise<void>((resolve) => {
      const watcher = watch(this.home.path("sessions"), { recursive: true, signal: patience })
      watcher.once("change", () => watcher.close())
      watcher.once("error", () => resolve())
      watcher.once("close", () => resolve())
    })
  }

  /** Starts a Host once more, lets it deliver what is due, and stops it in order. */
  async settle(storage: "sqlite" | "json"): Promise<void> {
    const host = await this.home.serve("--storage", storage)
    const client = await connect(this.home, host)
    await client.runPromise(this.delivered)
    await client.dispose()
    const { code, stderr } = await host.stop("SIGTERM")
    if (code !== 0) this.problems.push(`the last Host ended with ${code}: ${stderr}`)
  }

  /** Four callers at once, until the Host is gone. */
  private get work() {
    const caller = (number: number) => Effect.forever(Effect.suspend(() => this.step(number)))
    return Effect.all(
      [1, 2, 3, 4].map((number) => Effect.ignore(caller(number))),
      { concurrency: "unbounded" }
    )
  }
}
