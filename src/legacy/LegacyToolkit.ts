/**
 * The three tools of the Session-local system as an `@effect/ai` Toolkit, for the Agent of one Session.
 *
 * @since 0.1.0
 */
import * as Tool from "@effect/ai/Tool"
import * as Toolkit from "@effect/ai/Toolkit"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Input from "../domain/Input.ts"
import * as Request from "../domain/Request.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import { minEverySeconds } from "./LegacyRecord.ts"
import { LegacyView } from "./LegacyView.ts"
import type { ManagementError, SessionLocalOwner } from "./SessionLocalOwner.ts"

/**
 * A refused or failed call: correct what `message` names and call again; after `persistence_uncertain` list the reminders
 * first.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LegacyToolFailure = Schema.Struct({
  code: Schema.Literal(
    "invalid_prompt",
    "invalid_selector",
    "invalid_rule",
    "invalid_time_zone",
    "not_future",
    "time_out_of_range",
    "frequency_too_high",
    "corrupt_schedule_log",
    "persistence_uncertain",
    "internal_error"
  ),
  message: Schema.String,
  operation: Schema.optionalWith(Schema.Literal("create", "list", "delete"), { exact: true }),
  id: Schema.optionalWith(Schema.String, { exact: true })
})

/**
 * @since 0.1.0
 * @category models
 */
export type LegacyToolFailure = typeof LegacyToolFailure.Type

/** What is sent instead of these arguments reaches the tool, too, which answers with a code. */
const unchecked = (schema: Schema.Schema.AnyNoContext) => {
  const { $schema: _, ...jsonSchema } = JSONSchema.make(schema)
  return Schema.Struct({}, { key: Schema.String, value: Schema.Unknown }).annotations({ jsonSchema })
}

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/**
 * @since 0.1.0
 * @category tools
 */
export const Create = Tool.make("schedule_create", {
  description: `Create a reminder that comes back in this conversation while it is open. Give exactly one timing: after_seconds, at or every_seconds (${minEverySeconds} at least). After a pause a repeating reminder comes once, for its latest missed time.`,
  success: LegacyView,
  failure: LegacyToolFailure,
  failureMode: "return"
}).setParameters(
  unchecked(
    Schema.Struct({
      prompt: Request.Prompt,
      after_seconds: optional(Request.AfterSeconds),
      at: optional(Request.At),
      every_seconds: optional(
        Schema.Number.annotations({
          description: "Again and again, at this fixed interval in seconds, counted from now.",
          jsonSchema: { type: "integer", minimum: minEverySeconds }
        })
      )
    })
  )
)

/**
 * @since 0.1.0
 * @category tools
 */
export const List = Tool.make("schedule_list", {
  description: "List the active reminders of this conversation, oldest first.",
  success: Schema.Array(LegacyView),
  failure: LegacyToolFailure,
  failureMode: "return"
}).setParameters(unchecked(Schema.Struct({}).annotations({ jsonSchema: { type: "object", properties: {} } })))

/**
 * @since 0.1.0
 * @category tools
 */
export const Delete = Tool.make("schedule_delete", {
  description: "Delete an active reminder of this conversation. Messages that it has already sent stay.",
  success: Schema.Union(
    Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
    Schema.Struct({ id: Schema.String, deleted: Schema.Literal(false), code: Schema.Literal("schedule_not_found") })
  ),
  failure: LegacyToolFailure,
  failureMode: "return"
}).setParameters(unchecked(Schema.Struct({ id: Schema.String })))

/**
 * @since 0.1.0
 * @category toolkits
 */
export const LegacyToolkit = Toolkit.make(Create, List, Delete)

/**
 * The tools of one Agent. What is not the caller's to mend is logged with its cause and answered as `internal_error`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (owner: SessionLocalOwner): Layer.Layer<Tool.HandlersFor<typeof LegacyToolkit.tools>> =>
  LegacyToolkit.toLayer(
    LegacyToolkit.of({
      schedule_create: (args) => contained(owner.create(args)),
      schedule_list: (args) => contained(Effect.zipRight(members(args, []), owner.list)),
      schedule_delete: (args) => contained(Effect.flatMap(members(args, ["id"]), ({ id }) => owner.delete(id)))
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const members = (args: unknown, allowed: ReadonlyArray<string>): Effect.Effect<Input.Fields, ScheduleInputError> => {
  const fields = Input.snapshot(args)
  if (!Input.isFields(fields)) return refuse("invalid_rule", "the arguments must be an object")
  const unknown = Input.unknownKey(fields, allowed)
  return unknown === undefined ? Effect.succeed(fields) : refuse("invalid_rule", `unknown key ${unknown}`)
}

const contained = <A>(
  call: Effect.Effect<A, ScheduleInputError | ManagementError>
): Effect.Effect<A, LegacyToolFailure> =>
  call.pipe(
    Effect.catchAll((error) => {
      switch (error._tag) {
        case "ScheduleInputError":
          // delegated children have no owner, and so nothing to be refused by
          return error.code === "subagent_session"
            ? internal(Cause.fail(error))
            : Effect.fail<LegacyToolFailure>({ code: error.code, message: error.message })
        case "ScheduleLogError":
          return Effect.fail<LegacyToolFailure>({ code: error.code, message: error.message })
        case "PersistenceUncertain": {
          const { code, id, message, operation } = error
          return Effect.fail<LegacyToolFailure>({ code, message, operation, ...(id === undefined ? {} : { id }) })
        }
        case "AgentReleased":
          return internal(Cause.fail(error))
      }
    }),
    Effect.catchAllDefect((defect) => internal(Cause.die(defect))),
    Effect.annotateLogs({ module: "LegacyToolkit" })
  )

const internal = (cause: Cause.Cause<unknown>): Effect.Effect<never, LegacyToolFailure> =>
  Effect.zipRight(
    Effect.logError("a schedule tool failed", cause),
    Effect.fail<LegacyToolFailure>({ code: "internal_error", message: "The schedule operation failed." })
  )
