/**
 * What the four tools take and answer.
 *
 * @since 0.1.0
 */
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as Request from "../domain/Request.ts"
import { InputCode } from "../domain/ScheduleInputError.ts"
import { ScheduleView } from "../domain/View.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Id = Schema.String.annotations({ description: "The id of the reminder, as schedule_list shows it." })

/**
 * @since 0.1.0
 * @category schemas
 */
export const CreateArguments = Schema.Struct({
  title: Request.Title,
  prompt: Request.Prompt,
  after_seconds: optional(Request.AfterSeconds),
  at: optional(Request.At),
  every_seconds: optional(Request.EverySeconds),
  daily: optional(Request.Daily),
  weekly: optional(Request.Weekly),
  cron: optional(Request.Cron)
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const ListArguments = Schema.Struct({}).annotations({
  jsonSchema: { type: "object", properties: {}, additionalProperties: false }
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const UpdateArguments = Schema.Struct({
  id: Id,
  title: optional(Request.Title),
  prompt: optional(Request.Prompt),
  at: optional(Request.At),
  every_seconds: optional(Request.EverySeconds),
  daily: optional(Request.Daily),
  weekly: optional(Request.Weekly),
  cron: optional(Request.Cron)
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const DeleteArguments = Schema.Struct({ id: Id })

/**
 * The committed view, or why nothing was changed.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UpdateValue = Schema.Union(
  ...ScheduleView.members,
  Schema.Struct({
    id: Schema.String,
    updated: Schema.Literal(false),
    code: Schema.Literal("schedule_not_found", "schedule_ended", "schedule_conflict")
  })
)

/**
 * @since 0.1.0
 * @category models
 */
export type UpdateValue = typeof UpdateValue.Type

/**
 * @since 0.1.0
 * @category schemas
 */
export const DeleteValue = Schema.Union(
  Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
  Schema.Struct({ id: Schema.String, deleted: Schema.Literal(false), code: Schema.Literal("schedule_not_found") })
)

/**
 * @since 0.1.0
 * @category models
 */
export type DeleteValue = typeof DeleteValue.Type

/**
 * A refused or failed call: correct what `message` names and call again, except after `internal_error` and
 * `subagent_session`, where the call itself cannot work.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ToolFailure = Schema.Struct({
  code: Schema.Literal(...InputCode.literals, "internal_error"),
  message: Schema.String
})

/**
 * @since 0.1.0
 * @category models
 */
export type ToolFailure = typeof ToolFailure.Type

/**
 * Any arguments at all under the JSON Schema of `schema`: models are told what is wanted, and what they send instead reaches
 * the tool, which answers with a code that they can act on.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unchecked = (schema: Schema.Schema.Any) =>
  Schema.Struct({}, { key: Schema.String, value: Schema.Unknown }).annotations({ jsonSchema: jsonSchema(schema) })

/**
 * The JSON Schema of a schema, without a dialect: the same text each time.
 *
 * @since 0.1.0
 * @category conversions
 */
export const jsonSchema = (schema: Schema.Schema.Any): Readonly<Record<string, unknown>> => {
  const { $schema: _, ...rest } = JSONSchema.make(Schema.make(schema.ast))
  return rest
}
