/**
 * What callers over HTTP send, for whoever reads the description. The calls themselves take more, and answer what they refuse
 * with codes.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Request from "../domain/Request.ts"
import { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import { TaskStatus } from "../domain/ScheduleTask.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const sessionId = Schema.String.annotations({ description: "The Session whose reminder it is." })
const id = Schema.String.annotations({ description: "The id of the reminder." })

const integer = (minimum: number, maximum: number) =>
  Schema.Number.annotations({ jsonSchema: { type: "integer", minimum, maximum } })

const selectors = {
  after_seconds: Request.AfterSeconds,
  at: Request.At,
  every_seconds: Request.EverySeconds,
  daily: Request.Daily,
  weekly: Request.Weekly,
  cron: Request.Cron
}

/** One member for each selector, so that exactly one is there. */
const withSelector = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Union(
    ...Object.entries(selectors).map(([name, schema]) =>
      Schema.make(Schema.Struct({ ...fields, [name]: Schema.make(schema.ast) }).ast)
    )
  )

/**
 * @since 0.1.0
 * @category schemas
 */
export const Create = Schema.Struct({
  sessionId,
  request: withSelector({ title: Request.Title, prompt: Request.Prompt })
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const CatalogPage = Schema.Struct({
  limit: integer(1, 1000),
  after: optional(Schema.String.annotations({ description: "The nextAfter of the page before." })),
  status: optional(TaskStatus)
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const History = Schema.Struct({
  sessionId,
  id,
  limit: integer(1, 100),
  before: optional(Schema.String.annotations({ description: "A message's id: only older deliveries come." }))
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const Update = Schema.Struct({
  sessionId,
  id,
  expected: ScheduleRecord,
  title: optional(Request.Title),
  prompt: optional(Request.Prompt),
  change: optional(
    Schema.Union(
      Schema.Struct({ kind: Schema.Literal("at"), at: Request.At }),
      Schema.Struct({ kind: Schema.Literal("every"), every_seconds: Request.EverySeconds }),
      Schema.Struct({ kind: Schema.Literal("daily"), daily: Request.Daily }),
      Schema.Struct({ kind: Schema.Literal("weekly"), weekly: Request.Weekly }),
      Schema.Struct({ kind: Schema.Literal("cron"), cron: Request.Cron })
    )
  )
})

/**
 * @since 0.1.0
 * @category schemas
 */
export const Preview = Schema.Struct({
  request: withSelector({
    from: optional(
      Schema.Union(Schema.String, Schema.Number).annotations({
        description: "An instant with Z or an offset, or epoch milliseconds; default now."
      })
    ),
    count: optional(integer(1, 100))
  })
})
