/** A proxy between a client and a server that a test cuts. */
import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

export interface TcpProxy {
  readonly port: number
  /**
   * Cuts the next connection on which the client sends a text: before the server gets it, or when the server has answered it,
   * before the client gets the answer. Or it lets neither through any more, and says nothing, not even to the server when the client has
   * given up.
   */
  readonly cutAt: (text: RegExp, when: "before" | "after" | "silently") => void
  /** Cuts all connections, and while `on` is false refuses new ones. */
  readonly serve: (on: boolean) => void
}

/** A proxy to a port of this machine, for the life of the scope. */
export const tcpProxy = (port: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof listen>>((resume) => {
        const proxy = listen(port, () => resume(Effect.succeed(proxy)))
      }),
      ({ close }) => Effect.async<void>((resume) => close(() => resume(Effect.void)))
    ),
    ({ proxy }): TcpProxy => proxy()
  )

const listen = (port: number, ready: () => void) => {
  let on = true
  let pending: { readonly text: RegExp; readonly when: "before" | "after" | "silently" } | undefined
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    if (!on) return client.destroy()
    const upstream = connect(port, "127.0.0.1")
    let mode: "open" | "answer" | "silent" = "open"
    const end = () => {
      client.destroy()
      if (mode !== "silent") upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on("error", end)
      socket.on("close", () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on("data", (bytes) => {
      if (pending?.text.test(bytes.toString("latin1")) === true) {
        const { when } = pending
        pending = undefined
        if (when === "before") return end()
        mode = when === "after" ? "answer" : "silent"
      }
      if (mode !== "silent") upstream.write(bytes)
    })
    upstream.on("data", (bytes) => {
      if (mode === "answer") return end()
      if (mode === "open") client.write(bytes)
    })
  })
  server.listen(0, "127.0.0.1", ready)
  return {
    close: (done: () => void) => {
      cut()
      server.close(done)
    },
    proxy: (): TcpProxy => {
      const address = server.address()
      return {
        port: typeof address === "object" && address !== null ? address.port : 0,
        cutAt: (text, when) => {
          pending = { text, when }
        },
        serve: (serving) => {
          on = serving
          cut()
        }
      }
    }
  }
}
