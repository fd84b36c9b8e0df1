/**
 * The OpenAPI description of the namespaces' plain HTTP form.
 *
 * @since 0.1.0
 */
import type * as Rpc from "@effect/rpc/Rpc"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as HttpErrors from "./HttpErrors.ts"
import * as HttpPayloads from "./HttpPayloads.ts"
import * as ScheduleRpcs from "./ScheduleRpcs.ts"
import * as SessionRpcs from "./SessionRpcs.ts"

/**
 * The path under which the methods are.
 *
 * @since 0.1.0
 * @category constants
 */
export const basePath = "/api"

/**
 * @since 0.1.0
 * @category getters
 */
export const pathOf = <Tag extends string>(tag: Tag) => `${basePath}/${tag}` as const

/**
 * A call as OpenAPI describes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
}

/**
 * Schemas by media type.
 *
 * @since 0.1.0
 * @category models
 */
export type Content = Readonly<Record<string, { readonly schema: object }>>

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const definitions: Record<string, JSONSchema.JsonSchema7> = {}

const schemaOf = ({ ast }: Schema.Schema.Any): object =>
  JSONSchema.fromAST(ast, { definitions, definitionPath: "#/components/schemas/", target: "openApi3.1" })

const json = (schema: Schema.Schema.Any): Content => ({ "application/json": { schema: schemaOf(schema) } })

const meanings: Readonly<Record<number, string>> = {
  400: "The call is not made as described, or its input is refused.",
  401: "The call has no token, or another one.",
  403: "The call is from another site, or by a name that is not this Host's.",
  404: "There is no such Session.",
  409: "The Session is in a state that forbids the call.",
  411: "The body does not state its length.",
  413: "The body is too long.",
  500: "A bug; the Host's log says more.",
  503: "The Host cannot answer now."
}

/** One response for each status, with all that it can hold. */
const errors = (described: ReadonlyArray<HttpErrors.Described>): Operation["responses"] =>
  Object.fromEntries(
    Object.entries(meanings).flatMap(([status, description]) => {
      const schemas = described.filter((one) => String(one.status) === status).map(({ schema }) => schema)
      return schemas.length === 0 ? [] : [[status, { description, content: json(Schema.Union(...schemas)) }]]
    })
  )

const about = (method: string, description: string) => ({
  operationId: method,
  summary: method,
  description,
  tags: method.split(".", 1)
})

interface Parts {
  readonly payload?: Schema.Schema.Any
  readonly errors?: ReadonlyArray<HttpErrors.Described>
}

const post = <Tag extends string, P, PI, A, AI, E, EI>(
  rpc: Rpc.Rpc<Tag, Schema.Schema<P, PI>, Schema.Schema<A, AI>, Schema.Schema<E, EI>>,
  description: string,
  { errors: own = [], payload }: Parts = {}
): readonly [path: string, item: { readonly post: Operation }] => [
  pathOf(rpc._tag),
  {
    post: {
      ...about(rpc._tag, description),
      // what takes nothing may be called without a body
      ...(rpc.payloadSchema.ast._tag === "VoidKeyword"
        ? {}
        : { requestBody: { required: true, content: json(payload ?? rpc.payloadSchema) } }),
      responses: {
        200: { description: "The answer.", content: json(rpc.successSchema) },
        ...errors([...HttpErrors.access({ withBody: true }), ...HttpErrors.always, ...own])
      }
    }
  }
]

const changed: Operation = {
  ...about(
    ScheduleRpcs.Changed._tag,
    "Server-sent events without data: `changed` when the stream opens, and after every change; a slow reader gets one for several."
  ),
  responses: {
    200: { description: "The events.", content: { "text/event-stream": { schema: schemaOf(Schema.String) } } },
    ...errors(HttpErrors.access({ withBody: false }))
  }
}

const { input, sessions } = HttpErrors

/**
 * The description, made of the schemas of the methods and of their errors.
 *
 * @since 0.1.0
 * @category constants
 */
export const openApi = {
  openapi: "3.1.0",
  info: {
    title: "host-schedule",
    version: "1",
    description:
      "Durable reminders for agent Sessions. Every call carries the Host's token as `Authorization: Bearer`, or the cookie that the sign-in link leaves."
  },
  paths: Object.fromEntries<{ readonly post?: Operation; readonly get?: Operation }>([
    post(ScheduleRpcs.Create, "Stores a reminder of a Session.", {
      payload: HttpPayloads.Create,
      errors: [...input, ...sessions("session_not_found", "session_archived", "session_corrupt")]
    }),
    post(ScheduleRpcs.List, "The active records of a Session, in creation order."),
    post(ScheduleRpcs.Catalog, "Every task, active and inactive, by target; never its history."),
    post(ScheduleRpcs.CatalogPage, "A page of the catalog.", { payload: HttpPayloads.CatalogPage, errors: input }),
    post(ScheduleRpcs.History, "Saved deliveries of a task, newest first.", {
      payload: HttpPayloads.History,
      errors: input
    }),
    post(
      ScheduleRpcs.Update,
      "Changes an active task whose stored record equals expected; refused input, misses and conflicts are answers.",
      { payload: HttpPayloads.Update }
    ),
    post(ScheduleRpcs.Delete, "Deletes a task with its history."),
    post(ScheduleRpcs.DeleteInactive, "Deletes every inactive task; answers how many."),
    post(ScheduleRpcs.Preview, "The next occurrences of a rule; nothing is stored.", {
      payload: HttpPayloads.Preview,
      errors: input
    }),
    [pathOf(ScheduleRpcs.Changed._tag), { get: changed }],
    post(SessionRpcs.New, "Creates a Session, with a fresh id unless one is given.", {
      errors: sessions("invalid_session", "session_exists", "session_corrupt")
    }),
    post(SessionRpcs.List, "Every Session that can be read, and why each other one cannot."),
    post(SessionRpcs.Show, "A Session with its events from ≤ seq, at most limit.", {
      errors: sessions("session_not_found", "session_corrupt")
    }),
    post(SessionRpcs.DelegationDepth, "How deep a Session was delegated: 0 for a top-level one.", {
      errors: sessions("session_not_found", "session_corrupt")
    }),
    post(SessionRpcs.Rename, "Gives a Session another title.", {
      errors: sessions("invalid_session", "session_not_found", "session_corrupt")
    }),
    post(SessionRpcs.Archive, "Archives a Session; refused while something runs there, unless stopActivity.", {
      errors: sessions("session_not_found", "session_active", "session_corrupt")
    }),
    post(SessionRpcs.Unarchive, "Takes a Session back from the archive.", {
      errors: sessions("session_not_found", "session_corrupt")
    })
  ]),
  components: {
    schemas: definitions,
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      cookie: { type: "apiKey", in: "cookie", name: "host_schedule" }
    }
  },
  security: [{ token: [] }, { cookie: [] }]
} as const
