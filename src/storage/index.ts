/**
 * The `schedule` storage domain, its backends, and its failures.
 *
 * @since 0.1.0
 */
export * as Check from "./Check.ts"
export * as OwnerLock from "./OwnerLock.ts"
export * as ScheduleDomain from "./ScheduleDomain.ts"
export type * as ScheduleDriver from "./ScheduleDriver.ts"
export * as Storage from "./Storage.ts"
export * from "./StorageError.ts"
export * as Transfer from "./Transfer.ts"
