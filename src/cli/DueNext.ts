/**
 * What is due next, as it changes: from the running Host, or from the store while none runs.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Instant from "../domain/Instant.ts"
import type { ScheduleTask, TaskSummary } from "../domain/ScheduleTask.ts"
import { ScheduleClient } from "../remote/ScheduleClient.ts"
import type { ScheduleUnavailable } from "../remote/ScheduleUnavailable.ts"
import * as Storage from "../storage/Storage.ts"
import * as Validation from "../storage/Validation.ts"
import * as Home from "../web/Home.ts"
import * as Connection from "./Connection.ts"
import * as StoreFiles from "./StoreFiles.ts"

/**
 * The active reminders with the earliest targets, at most as many as were asked for, in that order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Snapshot {
  /** The URL of the Host, none when the store was read. */
  readonly host: string | undefined
  readonly tasks: ReadonlyArray<TaskSummary>
}

/**
 * One snapshot at once, then one whenever it differs from the one before. A Host that stops is followed by the store, and a
 * Host that starts by itself, within a second or so. The store is read without its lock, so that a Host can start meanwhile.
 *
 * @since 0.1.0
 * @category streams
 */
export const snapshots = (options: Connection.Options, limit: number) => {
  const home = Home.at(options.home)
  const follow = Effect.gen(function* () {
    const host = yield* Connection.find(home)
    return Option.isSome(host) ? ofHost(host.value, limit) : yield* ofStore(options, home, limit)
  })
  return Stream.unwrap(follow).pipe(Stream.repeat(Schedule.spaced("500 millis")), Stream.changesWith(isSame))
}

/**
 * Those of all tasks that are active and have the earliest targets, by target and id.
 *
 * @since 0.1.0
 * @category queries
 */
export const earliest = <E>(
  tasks: Stream.Stream<ReadonlyArray<ScheduleTask>, E>,
  limit: number
): Effect.Effect<ReadonlyArray<TaskSummary>, E> =>
  Stream.runFold(tasks, [] as ReadonlyArray<TaskSummary>, (first, piece) =>
    [...first, ...piece.map(summary).filter(({ status }) => status === "active")].sort(byTarget).slice(0, limit)
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Ends when the Host does. */
const ofHost = (host: Connection.Host, limit: number): Stream.Stream<Snapshot, ScheduleUnavailable> =>
  Stream.unwrapScoped(
    Effect.map(Layer.build(Connection.layerHost(host)), (context) => {
      const client = Context.get(context, ScheduleClient)
      return Stream.mapEffect(client.changes, () => client.catalogPage({ limit, status: "active" }))
    })
  ).pipe(
    Stream.map(({ tasks }): Snapshot => ({ host: host.url, tasks })),
    Stream.catchTag("ScheduleInputError", (error) => Stream.die(error)),
    Stream.catchTag("ScheduleUnavailable", (error) =>
      error.code === "host_unreachable" || error.code === "host_stopping" ? Stream.empty : Stream.fail(error)
    )
  )

/** Ends when a file of the home has changed, which can be that of a Host. */
const ofStore = Effect.fnUntraced(function* (options: Connection.Options, home: Home.Home, limit: number) {
  const before = yield* stateOf(home)
  const { inspect, name } = Storage.driver(yield* StoreFiles.storageOf(options))
  const tasks = yield* Effect.scoped(
    Effect.flatMap(inspect, ({ abridged }) => earliest(Validation.tasks(name, abridged), limit))
  )
  const changed = Effect.repeat(stateOf(home), {
    schedule: Schedule.spaced("500 millis"),
    until: (state) => state !== before
  })
  return Stream.concat(
    Stream.succeed<Snapshot>({ host: undefined, tasks }),
    // a store that is no file of the home is read again all the same
    Stream.drain(Stream.fromEffect(Effect.timeoutOption(changed, "30 seconds")))
  )
})

const stateOf = (home: Home.Home) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem
    const files = [home.host, home.sqlite, `${home.sqlite}-wal`, home.json, home.config]
    const states = yield* Effect.forEach(files, (file) =>
      Effect.option(Effect.map(fs.stat(file), ({ ino, mtime, size }) => [ino, mtime, size]))
    )
    return JSON.stringify(states, (_, value) => (typeof value === "bigint" ? String(value) : value))
  })

const summary = ({ lastDelivery, record, sessionId, status = "active" }: ScheduleTask): TaskSummary => ({
  sessionId,
  record,
  status,
  ...(lastDelivery === undefined ? {} : { lastDelivery })
})

const byTarget = (a: TaskSummary, b: TaskSummary) =>
  Instant.toMillis(a.record.scheduledAt) - Instant.toMillis(b.record.scheduledAt) ||
  (a.record.id < b.record.id ? -1 : a.record.id > b.record.id ? 1 : 0)

const isSame = (a: Snapshot, b: Snapshot) => JSON.stringify(a) === JSON.stringify(b)
