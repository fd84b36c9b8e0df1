/**
 * The four tools as a server of the Model Context Protocol, without a transport.
 *
 * @since 0.1.0
 */
import * as Tool from "@effect/ai/Tool"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as JsonRpc from "./JsonRpc.ts"
import { ScheduleToolkit } from "./ScheduleToolkit.ts"
import { ScheduleTools } from "./ScheduleTools.ts"
import * as ToolSchemas from "./ToolSchemas.ts"

/**
 * Answers one client's messages; the calling Session comes from `CallingSession`. It keeps no state between messages, so one
 * server is enough for any number of clients.
 *
 * @since 0.1.0
 * @category services
 */
export class McpServer extends Context.Tag("host-schedule/tools/McpServer")<
  McpServer,
  {
    /**
     * The answer to a JSON value that a client sent, a message or a batch of them; none when nothing in it is to be answered.
     * Never fails: whatever goes wrong is an answer. Interrupting it withdraws a call that has not begun to write.
     */
    readonly answer: (value: unknown) => Effect.Effect<Option.Option<Answer>>
  }
>() {}

/**
 * @since 0.1.0
 * @category models
 */
export type Answer = JsonRpc.Response | ReadonlyArray<JsonRpc.Response>

/**
 * The versions of the protocol that are spoken, the newest first. A client that asks for another is offered the newest.
 *
 * @since 0.1.0
 * @category constants
 */
export const protocolVersions: ReadonlyArray<string> = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07"
]

/**
 * `version` is that of the program, as clients show it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: { readonly version: string }): Layer.Layer<McpServer, never, ScheduleTools> =>
  Layer.effect(
    McpServer,
    Effect.map(ScheduleTools, (tools) => {
      const call = calls(tools)

      const request = ({ id, method, params }: JsonRpc.Message & { readonly _tag: "Request" }) => {
        switch (method) {
          case "initialize":
            return Effect.succeed(initialize(id, params, options.version))
          case "ping":
            return Effect.succeed(JsonRpc.success(id, {}))
          case "tools/list":
            return Effect.succeed(listTools(id, params))
          case "tools/call":
            return callTool(id, params, call)
          default:
            return Effect.succeed(JsonRpc.failure(id, JsonRpc.codes.methodNotFound, "the method is not known here"))
        }
      }

      const one = (value: unknown): Effect.Effect<Option.Option<JsonRpc.Response>> => {
        const message = JsonRpc.decode(value)
        switch (message._tag) {
          case "Request":
            return request(message).pipe(Effect.catchAllDefect(internalError(message.id)), Effect.asSome)
          case "Invalid":
            return Effect.succeedSome(JsonRpc.failure(message.id, message.error.code, message.error.message))
          case "Notification":
          case "Answer":
            return Effect.succeedNone
        }
      }

      // Only 2025-03-26 has batches, whose members may be answered in any order; here they run in theirs.
      const batch = (values: ReadonlyArray<unknown>) =>
        Effect.map(Effect.forEach(values, one), (answers) => {
          const responses = Array.getSomes(answers)
          return responses.length === 0 ? Option.none() : Option.some(responses)
        })

      return McpServer.of({
        answer: (value) => (isBatch(value) && value.length > 0 ? batch(value) : one(value))
      })
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const isBatch = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const instructions =
  "Reminders for this conversation. What they say comes back here as a message when they are due; the host keeps them across restarts."

const initialize = (id: JsonRpc.Id, { protocolVersion }: JsonRpc.Params, version: string): JsonRpc.Response =>
  typeof protocolVersion === "string"
    ? JsonRpc.success(id, {
        protocolVersion: protocolVersions.includes(protocolVersion) ? protocolVersion : protocolVersions[0],
        capabilities: { tools: {} },
        serverInfo: { name: "host-schedule", title: "Reminders", version },
        instructions
      })
    : JsonRpc.failure(id, JsonRpc.codes.invalidParams, "params.protocolVersion must be a string")

const listTools = (id: JsonRpc.Id, { cursor }: JsonRpc.Params): JsonRpc.Response =>
  cursor === undefined
    ? JsonRpc.success(id, { tools: declarations })
    : JsonRpc.failure(id, JsonRpc.codes.invalidParams, "params.cursor is not one of this server, which has one page")

type Call = (args: unknown) => Effect.Effect<unknown, ToolSchemas.ToolFailure>

const calls = (tools: ScheduleTools["Type"]): ReadonlyMap<unknown, Call> =>
  new Map<unknown, Call>([
    ["schedule_create", tools.create],
    ["schedule_list", tools.list],
    ["schedule_update", tools.update],
    ["schedule_delete", tools.delete]
  ])

const callTool = (
  id: JsonRpc.Id,
  { name, arguments: args = {} }: JsonRpc.Params,
  calls: ReadonlyMap<unknown, Call>
): Effect.Effect<JsonRpc.Response> => {
  const call = calls.get(name)
  return call === undefined
    ? Effect.succeed(
        JsonRpc.failure(id, JsonRpc.codes.invalidParams, `params.name must be one of ${[...calls.keys()].join(", ")}`)
      )
    : Effect.match(call(args), {
        onFailure: (failure) => JsonRpc.success(id, { ...content(failure), isError: true }),
        onSuccess: (value) => JsonRpc.success(id, content(value))
      })
}

/** Structured content must be an object, so a list goes under a name; the text is the value alone. */
const content = (value: unknown) => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: isBatch(value) ? { reminders: value } : value
})

const answerSchemas: Readonly<Record<keyof typeof ScheduleToolkit.tools, Schema.Schema.Any>> = {
  schedule_create: ScheduleToolkit.tools.schedule_create.successSchema,
  schedule_list: Schema.Struct({ reminders: ScheduleToolkit.tools.schedule_list.successSchema }),
  schedule_update: ScheduleToolkit.tools.schedule_update.successSchema,
  schedule_delete: ScheduleToolkit.tools.schedule_delete.successSchema
}

const title = (annotations: Context.Context<never>) => Option.getOrUndefined(Context.getOption(annotations, Tool.Title))

const declarations = Object.values(ScheduleToolkit.tools).map((tool) => ({
  name: tool.name,
  title: title(tool.annotations),
  description: tool.description,
  inputSchema: Tool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast),
  // A failed call's content is structured as well, and clients hold it against the same schema.
  outputSchema: {
    type: "object",
    ...ToolSchemas.jsonSchema(Schema.Union(answerSchemas[tool.name], ToolSchemas.ToolFailure))
  },
  annotations: {
    title: title(tool.annotations),
    readOnlyHint: Context.get(tool.annotations, Tool.Readonly),
    destructiveHint: Context.get(tool.annotations, Tool.Destructive),
    idempotentHint: Context.get(tool.annotations, Tool.Idempotent),
    openWorldHint: Context.get(tool.annotations, Tool.OpenWorld)
  }
}))

const internalError = (id: JsonRpc.Id) => (defect: unknown) =>
  Effect.logError("MCP request died", Cause.die(defect)).pipe(
    Effect.annotateLogs({ module: "McpServer" }),
    Effect.as(JsonRpc.failure(id, JsonRpc.codes.internalError, "the request failed"))
  )
