import { connect, createServer, type Server, type Socket } from "node:net"

/** A way to a TCP server that can be cut: nothing passes any more, and nobody is told. */
export class Proxy {
  private readonly server: Server
  private readonly pairs = new Set<readonly [Socket, Socket]>()
  private isCut = false

  private constructor(server: Server) {
    this.server = server
  }

  static async to(port: number): Promise<Proxy> {
    const server = createServer()
    const proxy = new Proxy(server)
    server.on("connection", (near) => proxy.join(near, connect(port, "127.0.0.1")))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return proxy
  }

  get port(): number {
    const address = this.server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }

  cut(): void {
    this.isCut = true
    for (const [near, far] of this.pairs) {
      near.pause()
      far.pause()
    }
  }

  /** Lets new connections through; those that were cut are gone for good. */
  heal(): void {
    this.isCut = false
    for (const [near, far] of this.pairs) {
      near.destroy()
      far.destroy()
    }
  }

  close(): void {
    this.heal()
    this.server.close()
  }

  private join(near: Socket, far: Socket): void {
    const pair = [near, far] as const
    this.pairs.add(pair)
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on("data", (bytes) => to.write(bytes))
      from.on("error", () => {})
      from.on("close", () => {
        to.destroy()
        this.pairs.delete(pair)
      })
    }
    if (this.isCut) {
      near.pause()
      far.pause()
    }
  }
}
