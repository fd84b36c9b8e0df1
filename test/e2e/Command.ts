import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const program = join(import.meta.dirname, "../../dist/bin/host-schedule.js")

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Nothing of the tester's own environment or home reaches a command. */
export const environment = (home: string, extra: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  HOST_SCHEDULE_HOME: home,
  ...extra
})

/** A home directory that is there until the test ends. */
export class TestHome {
  readonly dir = mkdtempSync(join(tmpdir(), "host-schedule-"))
  private readonly hosts = new Set<Host>()

  async [Symbol.asyncDispose]() {
    for (const host of this.hosts) await host.stop("SIGKILL")
    rmSync(this.dir, { recursive: true, force: true })
  }

  path(...names: ReadonlyArray<string>) {
    return join(this.dir, ...names)
  }

  /** Runs a command to its end. */
  run(args: ReadonlyArray<string>, options: { readonly stdin?: string; readonly env?: Record<string, string> } = {}) {
    const child = spawn(process.execPath, [program, ...args], {
      env: environment(this.dir, options.env),
      cwd: this.dir
    })
    child.stdin.end(options.stdin ?? "")
    return ended(child)
  }

  /** Runs a command that must succeed, and answers what it printed. */
  async ok(...args: ReadonlyArray<string>): Promise<string> {
    const { code, stderr, stdout } = await this.run(args)
    if (code !== 0) throw new Error(`host-schedule ${args.join(" ")}: ${code} ${stderr}`)
    return stdout.trimEnd()
  }

  /** {@link ok} with `--json`. */
  async json<A>(...args: ReadonlyArray<string>): Promise<A> {
    return JSON.parse(await this.ok(...args, "--json"))
  }

  /** Starts a Host on any free port and waits until it says that it is ready. */
  async serve(...args: ReadonlyArray<string>): Promise<Host> {
    const port = args.includes("--port") ? [] : ["--port", "0"]
    const child = spawn(process.execPath, [program, "serve", ...port, "--json", ...args], {
      env: environment(this.dir),
      cwd: this.dir
    })
    const host = new Host(child, this)
    this.hosts.add(host)
    await host.ready
    return host
  }

  /** The events of a Session's log, as they are on disk. */
  log(sessionId: string): ReadonlyArray<SessionEvent> {
    return logIn(this.path("sessions"), sessionId)
  }

  /** The texts of the messages that were put into a Session's inbox. */
  messages(sessionId: string): ReadonlyArray<string> {
    return this.log(sessionId).flatMap(({ data, type }) => (type === "message/user" ? [String(data.text)] : []))
  }

  /** Waits until something is true of the home, looking again whenever a file in it changes. */
  async until<A>(what: string, look: () => A | undefined | false, seconds = 20): Promise<A> {
    const deadline = Date.now() + seconds * 1000
    const watcher = watch(this.dir, { recursive: true })
    try {
      while (true) {
        const found = look()
        if (found !== undefined && found !== false) return found
        if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`)
        await new Promise<void>((resolve) => {
          // a change that comes between the look and the wait is seen by the next look at the latest
          const timer = setTimeout(done, 100)
          function done() {
            clearTimeout(timer)
            watcher.off("change", done)
            resolve()
          }
          watcher.once("change", done)
        })
      }
    } finally {
      watcher.close()
    }
  }
}

/** The events of a Session's log in a directory of logs. */
export const logIn = (directory: string, sessionId: string): ReadonlyArray<SessionEvent> => {
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    const file = join(directory, name, "session.jsonl")
    if (!existsSync(file)) continue
    const [header, ...events] = readFileSync(file, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    if (header.id === sessionId) return events
  }
  return []
}

export interface SessionEvent {
  readonly seq: number
  readonly type: string
  readonly data: Record<string, unknown>
}

export class Host {
  readonly ready: Promise<{ readonly url: string; readonly signIn: string; readonly pid: number }>
  readonly ended: Promise<Outcome>
  private readonly child: ChildProcess
  private readonly home: TestHome
  private stderr = ""

  constructor(child: ChildProcess, home: TestHome) {
    this.child = child
    this.home = home
    child.stderr?.on("data", (data) => (this.stderr += String(data)))
    this.ended = ended(child)
    this.ready = new Promise((resolve, reject) => {
      child.stdout?.once("data", (line) => resolve(JSON.parse(String(line))))
      this.ended.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject)
    })
  }

  /** Calls a method of the Remote namespaces: a hundred calls take less time than a command takes to start. */
  async call<A>(tag: string, payload: object | null): Promise<A> {
    const { url } = await this.ready
    const authorization = `Bearer ${readFileSync(this.home.path("token"), "utf8").trim()}`
    const body = JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [] })
    const response = await fetch(`${url}/rpc`, { method: "POST", body, headers: { authorization } })
    const { exit } = JSON.parse(await response.text())
    if (exit?._tag !== "Success") throw new Error(`${tag}: ${JSON.stringify(exit)}`)
    return exit.value
  }

  /** Sends a signal that does not end it, such as SIGSTOP. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.child.kill(signal)
  }

  /** What it has written to stderr so far. */
  get log(): string {
    return this.stderr
  }

  /** Sends a signal and waits for the end. */
  stop(signal: "SIGTERM" | "SIGINT" | "SIGKILL" = "SIGTERM"): Promise<Outcome> {
    this.child.kill(signal)
    return this.ended
  }
}

/** Waits for the end of a process, with all that it printed. */
export const ended = (child: ChildProcess): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    let stdout = ""
    let stderr = ""
    child.stdout?.on("data", (data) => (stdout += String(data)))
    child.stderr?.on("data", (data) => (stderr += String(data)))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, stdout, stderr }))
  })
