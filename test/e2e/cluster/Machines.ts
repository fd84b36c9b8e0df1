import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Effect } from "effect"
import type { ScheduleClient } from "../../../src/remote/ScheduleClient.ts"
import type { SessionClient } from "../../../src/remote/SessionClient.ts"
import { freePort } from "../../PostgresProcess.ts"
import { type Host, logIn, type SessionEvent, TestHome } from "../Command.ts"
import { connect } from "../chaos/Chaos.ts"
import { Proxy } from "./Proxy.ts"

/** One Host of the cluster with its own home and its own way to the database. */
export class Machine {
  readonly home = new TestHome()
  readonly proxy: Proxy
  private readonly flags: ReadonlyArray<string>
  host: Host | undefined
  private client: Awaited<ReturnType<typeof connect>> | undefined

  constructor(proxy: Proxy, flags: ReadonlyArray<string>) {
    this.proxy = proxy
    this.flags = flags
  }

  async start(): Promise<void> {
    this.host = await this.home.serve(...this.flags)
    this.client = await connect(this.home, this.host)
  }

  /** Makes calls to the Host. */
  run<A, E>(calls: Effect.Effect<A, E, ScheduleClient | SessionClient>): Promise<A> {
    if (this.client === undefined) throw new Error("the Host is not running")
    return this.client.runPromise(calls)
  }

  get isUp(): boolean {
    return this.client !== undefined
  }

  /** Ends the Host; answers its exit code, and what it logged when that is not 0. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<string> {
    const { client, host } = this
    this.client = undefined
    this.host = undefined
    if (host === undefined) return "0"
    const { code, stderr } = await host.stop(signal)
    await client?.dispose()
    return code === 0 ? "0" : `${code}: ${stderr}`
  }
}

/** Hosts on one machine, each with a home of its own, over one database and one directory of Sessions. */
export class Machines {
  readonly machines: ReadonlyArray<Machine>
  readonly sessions: string

  private constructor(machines: ReadonlyArray<Machine>, sessions: string) {
    this.machines = machines
    this.sessions = sessions
  }

  /** `url` is the database's; each Host reaches it through a proxy. */
  static async make(count: number, url: string, ...flags: ReadonlyArray<string>): Promise<Machines> {
    const sessions = mkdtempSync(join(tmpdir(), "host-schedule-sessions-"))
    const machines = []
    for (let i = 0; i < count; i++) {
      const database = new URL(url)
      const proxy = await Proxy.to(Number(database.port))
      database.port = String(proxy.port)
      const cluster = ["--cluster", "--database-url", database.href, "--cluster-port", String(await freePort())]
      machines.push(new Machine(proxy, [...cluster, "--sessions", sessions, ...flags]))
    }
    return new Machines(machines, sessions)
  }

  async [Symbol.asyncDispose]() {
    for (const { home, proxy } of this.machines) {
      await home[Symbol.asyncDispose]()
      proxy.close()
    }
    rmSync(this.sessions, { recursive: true, force: true })
  }

  log(sessionId: string): ReadonlyArray<SessionEvent> {
    return logIn(this.sessions, sessionId)
  }

  /** Some Host that runs, but not this one. */
  other(than: Machine): Machine {
    const found = this.machines.find((machine) => machine !== than && machine.isUp)
    if (found === undefined) throw new Error("no other Host runs")
    return found
  }
}
