import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { Workload } from "../chaos/Workload.ts"
import type { Machine, Machines } from "./Machines.ts"

/** The lease of the Hosts, in seconds: shorter than usual, so that more faults fit into a test. */
export const lease = 3

/** What happens to a Host, and for how long: longer than a lease, so that others take its shards over. */
export const faults = ["kill", "pause", "cut", "stop"] as const

export type Fault = (typeof faults)[number]

/** Hosts under callers that keep them busy, while one Host after the other has a fault. */
export class ClusterChaos extends Workload {
  readonly counts: Record<Fault, number> = { kill: 0, pause: 0, cut: 0, stop: 0 }
  private readonly cluster: Machines
  private done = false

  constructor(cluster: Machines, sessions: ReadonlyArray<string>, seed: number) {
    super(sessions, seed)
    this.cluster = cluster
  }

  /** Works on all Hosts until that many faults have been survived. */
  async run(faults: ReadonlyArray<Fault>): Promise<void> {
    const callers = this.cluster.machines.flatMap((machine, i) => [
      this.caller(machine, 2 * i),
      this.caller(machine, 2 * i + 1)
    ])
    for (const fault of faults) {
      await this.suffer(this.pick(this.cluster.machines), fault)
      this.counts[fault]++
      await sleep(500 + this.random() * 2_000)
    }
    this.done = true
    await Promise.all(callers)
  }

  private async suffer(machine: Machine, fault: Fault): Promise<void> {
    const beyondLease = lease * 1_000 + 1_000 + this.random() * 2_000
    switch (fault) {
      case "kill":
        await machine.stop("SIGKILL")
        // now and then it is back before anybody noticed
        await sleep(this.random() < 0.3 ? 200 : beyondLease)
        return machine.start()
      case "pause":
        machine.host?.signal("SIGSTOP")
        await sleep(beyondLease)
        machine.host?.signal("SIGCONT")
        return
      case "cut":
        machine.proxy.cut()
        await sleep(beyondLease)
        machine.proxy.heal()
        return
      case "stop": {
        const ended = await machine.stop("SIGTERM")
        if (ended !== "0") this.problems.push(`a Host that was stopped ended with ${ended}`)
        await sleep(this.random() * beyondLease)
        return machine.start()
      }
    }
  }

  /** Calls one Host again and again; what fails stays open. */
  private async caller(machine: Machine, number: number): Promise<void> {
    while (!this.done) {
      if (machine.isUp) await machine.run(Effect.ignore(this.step(number))).catch(() => {})
      await sleep(20 + this.random() * 60)
    }
  }
}
