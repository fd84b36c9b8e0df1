/**
 * The four tools as an `@effect/ai` Toolkit.
 *
 * @since 0.1.0
 */
import * as Tool from "@effect/ai/Tool"
import * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ScheduleView } from "../domain/View.ts"
import { ScheduleTools } from "./ScheduleTools.ts"
import * as ToolSchemas from "./ToolSchemas.ts"

/**
 * @since 0.1.0
 * @category tools
 */
export const Create = Tool.make("schedule_create", {
  description: `Create a reminder for this conversation. When it is due, its prompt comes back here as a message, even if the conversation was closed or the host restarted in between. Give exactly one timing: after_seconds, at, every_seconds, daily, weekly or cron. A local time that a clock change skips does not occur that day (at refuses it); one that it repeats occurs once, the first time. After downtime a repeating reminder comes once, for its latest missed time.`,
  success: ScheduleView,
  failure: ToolSchemas.ToolFailure,
  failureMode: "return"
})
  .setParameters(ToolSchemas.unchecked(ToolSchemas.CreateArguments))
  .annotate(Tool.Title, "Create a reminder")
  .annotate(Tool.Readonly, false)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, false)
  .annotate(Tool.OpenWorld, false)

/**
 * @since 0.1.0
 * @category tools
 */
export const List = Tool.make("schedule_list", {
  description:
    "List the active reminders of this conversation, oldest first, with their ids, rules and next times. A reminder that was given once and has come is no longer listed.",
  success: Schema.Array(ScheduleView),
  failure: ToolSchemas.ToolFailure,
  failureMode: "return"
})
  .setParameters(ToolSchemas.unchecked(ToolSchemas.ListArguments))
  .annotate(Tool.Title, "List reminders")
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

/**
 * @since 0.1.0
 * @category tools
 */
export const Update = Tool.make("schedule_update", {
  description:
    "Change a reminder of this conversation: its title, its prompt, its timing, or several of these. What is left out stays. At most one timing: at, every_seconds, daily, weekly or cron; it replaces the old one, of whichever kind, and counts from now. The answer is the changed reminder, or why nothing was changed: schedule_not_found, schedule_ended, or schedule_conflict (something else changed it; try again).",
  success: ToolSchemas.UpdateValue,
  failure: ToolSchemas.ToolFailure,
  failureMode: "return"
})
  .setParameters(ToolSchemas.unchecked(ToolSchemas.UpdateArguments))
  .annotate(Tool.Title, "Change a reminder")
  .annotate(Tool.Readonly, false)
  .annotate(Tool.Destructive, true)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

/**
 * @since 0.1.0
 * @category tools
 */
export const Delete = Tool.make("schedule_delete", {
  description:
    "Delete a reminder of this conversation with the record of its deliveries. Messages that it has already sent stay.",
  success: ToolSchemas.DeleteValue,
  failure: ToolSchemas.ToolFailure,
  failureMode: "return"
})
  .setParameters(ToolSchemas.unchecked(ToolSchemas.DeleteArguments))
  .annotate(Tool.Title, "Delete a reminder")
  .annotate(Tool.Readonly, false)
  .annotate(Tool.Destructive, true)
  .annotate(Tool.Idempotent, true)
  .annotate(Tool.OpenWorld, false)

/**
 * The toolkit that a language model is given. Its failures come as results, `{code, message}`, so that the model can mend
 * its call; provide `CallingSession` around the model's turn.
 *
 * @since 0.1.0
 * @category toolkits
 */
export const ScheduleToolkit = Toolkit.make(Create, List, Update, Delete)

/**
 * The toolkit's handlers.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  Tool.HandlersFor<typeof ScheduleToolkit.tools>,
  never,
  ScheduleTools
> = ScheduleToolkit.toLayer(
  Effect.map(ScheduleTools, (tools) =>
    ScheduleToolkit.of({
      schedule_create: tools.create,
      schedule_list: tools.list,
      schedule_update: tools.update,
      schedule_delete: tools.delete
    })
  )
)
