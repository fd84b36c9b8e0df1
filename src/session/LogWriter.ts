/**
 * The writing half of a Session's log: lines are appended to memory, and a flush makes them durable.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { LogFiles } from "./LogFiles.ts"

/**
 * Invariants:
 * 1. the file is the durable prefix, then at most one batch that is being written or that failed;
 * 2. lines reach the file in the order in which they were appended, each once;
 * 3. a flush answers true only when one sync that began after its lines were written ended well;
 * 4. after a failed write or sync nothing of that batch counts as written: the file is opened anew, cut to its durable prefix,
 *    and the batch is written again, because the system may have dropped the bytes it could not store;
 * 5. one sync runs at a time; flushes that come in the meantime share the next one.
 *
 * @since 0.1.0
 * @category models
 */
export class LogWriter {
  readonly path: string
  private readonly files: LogFiles
  /** The length of the file without what is not durable yet. */
  private size: number
  /** Lines that are not durable, oldest first; the first `inFlight` of them are being written. */
  private lines: Array<string> = []
  private inFlight = 0
  /** How many lines were ever appended, and how many of them are durable. */
  private appended = 0
  private durable = 0
  /** Whether the system is known to have stored what was in the file when it was opened. */
  private opened = false
  private broken: boolean
  private failure: unknown
  private syncing = false
  private closing = false
  private waiters: Array<Waiter> = []

  /** `size` is the length of what was read from the file; anything behind it is cut before the first write. */
  constructor(path: string, files: LogFiles, size: number, cut: boolean) {
    this.path = path
    this.files = files
    this.size = size
    this.broken = cut
  }

  /** Appends a line, which ends in a line feed, to memory. */
  append(line: string): void {
    this.lines.push(line)
    this.appended++
  }

  /** Whether anything was appended that is not known to be on disk. */
  get dirty(): boolean {
    return this.durable < this.appended
  }

  /** How many of the appended lines are on disk. */
  get durableLines(): number {
    return this.durable
  }

  /** Whether what was in the file before is known to be on disk: after the first true flush. */
  get synced(): boolean {
    return this.opened
  }

  /** What the last failed write or sync was about. */
  get lastFailure(): unknown {
    return this.failure
  }

  /** What is on disk and what is not, at one instant: the length of the durable file and the lines that follow it. */
  snapshot(): { readonly size: number; readonly lines: ReadonlyArray<string> } {
    return { size: this.size, lines: this.lines.slice() }
  }

  /** Whether everything appended so far is on disk. Never fails; what it could not do the next flush does again. */
  readonly flush: Effect.Effect<boolean> = Effect.async((resume) => {
    if (!this.dirty && this.opened) return resume(Effect.succeed(true))
    const waiter: Waiter = { target: this.appended, resume: (done) => resume(Effect.succeed(done)) }
    this.waiters.push(waiter)
    if (!this.syncing) this.write()
    return Effect.sync(() => {
      this.waiters = this.waiters.filter((other) => other !== waiter)
    })
  })

  /** Closes the file, once a sync that runs is over. What is not durable by then is dropped. */
  close(): void {
    this.closing = true
    if (!this.syncing) this.files.discard(this.path)
  }

  private write(): void {
    this.syncing = true
    this.inFlight = this.lines.length
    const target = this.appended
    let written = 0
    try {
      const file = this.files.acquire(this.path)
      if (this.broken) this.files.disk.truncate(file, this.size)
      if (this.inFlight > 0) written = this.writeAll(file, Buffer.from(this.lines.join("")))
      this.files.disk.sync(file, (error) =>
        error === null ? this.succeeded(target, written) : this.failed(target, error)
      )
    } catch (error) {
      this.failed(target, error)
    }
  }

  private writeAll(file: number, bytes: Buffer): number {
    let taken = 0
    while (taken < bytes.length) {
      const count = this.files.disk.write(file, bytes.subarray(taken), this.size + taken)
      if (count <= 0) throw new Error("the disk took no bytes")
      taken += count
    }
    return taken
  }

  private succeeded(target: number, written: number): void {
    this.files.release(this.path)
    this.size += written
    this.lines = this.lines.slice(this.inFlight)
    this.durable = target
    this.opened = true
    this.broken = false
    this.settle(target, true)
  }

  private failed(target: number, error: unknown): void {
    this.files.discard(this.path)
    this.failure = error
    this.broken = true
    this.settle(target, false)
  }

  private settle(target: number, done: boolean): void {
    this.inFlight = 0
    this.syncing = false
    const settled = this.waiters.filter((waiter) => waiter.target <= target)
    this.waiters = this.waiters.filter((waiter) => waiter.target > target)
    for (const waiter of settled) waiter.resume(done)
    if (this.waiters.length > 0) this.write()
    else if (this.closing) this.files.discard(this.path)
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface Waiter {
  readonly target: number
  readonly resume: (done: boolean) => void
}
