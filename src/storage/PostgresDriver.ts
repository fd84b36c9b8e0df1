/**
 * The PostgreSQL backend.
 *
 * @since 0.1.0
 */
import type { PostgresDatabase } from "./PostgresDatabase.ts"
import type { ScheduleDriver } from "./ScheduleDriver.ts"
import { StorageFailure } from "./StorageError.ts"

/**
 * Which rows of a database a driver has: those of the shard `index` of `count`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShardOf {
  readonly index: number
  readonly count: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly database: PostgresDatabase
  /**
   * The shard, for one of several Hosts that divide the shards among them; default all rows, for a Host that is alone. Opening takes
   * the shard from whoever has it. `removeInactive` goes beyond it: it removes the inactive rows of all shards.
   */
  readonly shard?: ShardOf | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ database }: Options): ScheduleDriver => ({
  name: database.name,
  lock: notYet,
  inspect: notYet
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const notYet = new StorageFailure({ message: "PostgreSQL is not supported yet" })
