/**
 * The memory backend: a real one in all but durability. It serialises what it stores.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { DriverConnection, ScheduleDriver } from "./ScheduleDriver.ts"
import { DomainAlreadyOpen } from "./StorageError.ts"
import { type Change, TaskTable } from "./TaskTable.ts"

/**
 * A driver with its own empty medium, which lives as long as the driver: a domain that is closed and opened again finds its
 * rows there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (): ScheduleDriver => {
  const table = new TaskTable()
  let owned = false
  return {
    name: "memory",
    lock: Effect.acquireRelease(
      Effect.suspend(() => {
        if (owned) return new DomainAlreadyOpen({ message: "this memory store is open already in this process" })
        owned = true
        return Effect.void
      }),
      () =>
        Effect.sync(() => {
          owned = false
        })
    ),
    inspect: Effect.sync(() => ({
      total: table.counts().active + table.counts().inactive,
      rows: storedRows(table),
      abridged: storedRows(table),
      integrity: Effect.succeed([]),
      discard: (rows) => Effect.sync(() => table.apply(new Map(rows.map(({ key }) => [key, undefined])))),
      connect: Effect.succeed(connection(table, () => Effect.void))
    }))
  }
}

/**
 * The operations on a table in memory; `persist` makes a change durable before it is published.
 *
 * @since 0.1.0
 * @category constructors
 */
export const connection = (
  table: TaskTable,
  persist: (change: Change) => ReturnType<DriverConnection["put"]>
): DriverConnection => {
  const write = (change: () => Change) =>
    Effect.flatMap(Effect.sync(change), (change) =>
      change.size === 0
        ? Effect.succeed(0)
        : Effect.map(persist(change), () => {
            table.apply(change)
            return change.size
          })
    )
  return {
    get: (id) => Effect.sync(() => table.get(id)),
    activeOf: (sessionId) => Effect.sync(() => table.activeOf(sessionId)),
    catalogPage: (query) => Effect.sync(() => table.catalogPage(query)),
    dueSessions: (until) => Effect.sync(() => table.dueSessions(until)),
    dueOf: (sessionId, until, limit) => Effect.sync(() => table.dueOf(sessionId, until, limit)),
    earliestTarget: (after) => Effect.sync(() => table.earliestTarget(after)),
    historyPage: (id, query) => Effect.sync(() => table.historyPage(id, query)),
    counts: Effect.sync(() => table.counts()),
    rows: storedRows(table),
    put: (tasks) => write(() => table.put(tasks)),
    replaceRecord: (record) => write(() => table.replaceRecord(record)),
    commit: (deliveries, bounds) => write(() => table.commit(deliveries, bounds)),
    remove: (id) =>
      Effect.map(
        write(() => table.remove(id)),
        (removed) => removed > 0
      ),
    removeActiveOf: (sessionId) => write(() => table.removeActiveOf(sessionId)),
    removeInactive: write(() => table.removeInactive()),
    load: (rows) =>
      Effect.flatMap(Stream.runCollect(Stream.flattenIterables(rows)), (tasks) =>
        Effect.uninterruptible(write(() => table.put(Chunk.toReadonlyArray(tasks))))
      )
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const storedRows = (table: TaskTable) =>
  Stream.sync(() => Array.from(table.rows(), ([key, value]) => ({ table: "tasks", key, value })))
