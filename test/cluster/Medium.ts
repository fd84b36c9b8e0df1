import { Effect, Option } from "effect"
import { decodeSummary } from "../../src/domain/ScheduleTask.ts"
import type { Rows } from "../../src/runtime/Reading.ts"
import * as MemoryDriver from "../../src/storage/MemoryDriver.ts"
import type { DriverConnection, ScheduleDriver } from "../../src/storage/ScheduleDriver.ts"
import * as Shard from "../../src/storage/Shard.ts"
import { StorageOwnershipLost } from "../../src/storage/StorageError.ts"
import { TaskTable } from "../../src/storage/TaskTable.ts"

/** A store that Hosts share, in memory: tables by shard, each with the token of its latest owner. */
export class Medium {
  readonly count: number
  private readonly tables: ReadonlyArray<TaskTable>
  readonly tokens: Array<number>

  constructor(count: number) {
    this.count = count
    this.tables = Array.from({ length: count }, () => new TaskTable())
    this.tokens = Array.from({ length: count }, () => 0)
  }

  /** Takes the shard from whoever has it. */
  driver(index: number): ScheduleDriver {
    let token = 0
    const table = this.tables[index]!
    const checked = Effect.suspend(() =>
      this.tokens[index] === token ? Effect.void : new StorageOwnershipLost({ message: `shard ${index} was taken` })
    )
    const fenced = (table: TaskTable) => MemoryDriver.connection(table, () => checked)
    const removeInactive = Effect.map(
      Effect.forEach(this.tables, (table) => fenced(table).removeInactive),
      (counts) => counts.reduce((sum, count) => sum + count, 0)
    )
    const connection: DriverConnection = { ...fenced(table), removeInactive }
    const plain = MemoryDriver.make()
    return {
      ...plain,
      name: `shard ${index}`,
      lock: Effect.sync(() => {
        token = ++this.tokens[index]!
      }),
      inspect: Effect.map(plain.inspect, (inspection) => ({
        ...inspection,
        total: table.counts().active + table.counts().inactive,
        rows: connection.rows,
        abridged: connection.rows,
        connect: Effect.succeed(connection)
      }))
    }
  }

  get rows(): Rows {
    const merged = (query: Parameters<DriverConnection["catalogPage"]>[0]) =>
      Effect.sync(() =>
        this.tables
          .flatMap((table) => table.catalogPage(query))
          .sort((a, b) =>
            `${a.record.scheduledAt} ${a.record.id}` < `${b.record.scheduledAt} ${b.record.id}` ? -1 : 1
          )
          .slice(0, query.limit)
      )
    return {
      get: (id) =>
        Effect.sync(() => Option.firstSomeOf(this.tables.map((table) => table.get(id)))).pipe(
          Effect.flatMap(Effect.transposeMapOption((row) => Effect.orDie(decodeSummary(row))))
        ),
      activeOf: (sessionId) => Effect.sync(() => this.tables[Shard.of(sessionId, this.count)]!.activeOf(sessionId)),
      catalog: merged({ limit: Number.MAX_SAFE_INTEGER }),
      catalogPage: merged,
      historyPage: (id, query) =>
        Effect.sync(
          () => this.tables.find((table) => Option.isSome(table.get(id)))?.historyPage(id, query) ?? Option.none()
        )
    }
  }
}
