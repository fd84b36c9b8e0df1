/** Every task of the Host. */
import * as Effect from "effect/Effect"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { Host } from "./Host.ts"
import { live } from "./Live.ts"

/** The tasks in the order in which people look for them: what comes next first, what has ended last. */
export const catalog = live(
  Effect.flatMap(Host, (client) => client("schedule.catalog", undefined)).pipe(Effect.map(inOrder))
)

/** The page's order of tasks: active by target, then ended ones, the latest first. */
export function inOrder(tasks: ReadonlyArray<TaskSummary>): ReadonlyArray<TaskSummary> {
  const active = tasks.filter((task) => task.status === "active")
  const ended = tasks.filter((task) => task.status === "inactive")
  // the Host answers by target
  return [...active, ...ended.reverse()]
}
