/**
 * The OpenAPI description of the namespaces' plain HTTP form.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as Rpc from "@effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { ScheduleInputError } from "../domain/ScheduleInputError.ts"
import * as ScheduleRpcs from "./ScheduleRpcs.ts"
import { ScheduleUnavailable } from "./ScheduleUnavailable.ts"
import { SessionRefused } from "./SessionRefused.ts"
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
 * A call that is not made as its description says: correct it. What the service refuses has its own codes.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCall extends Schema.TaggedError<InvalidCall>("host-schedule/remote/InvalidCall")("InvalidCall", {
  code: Schema.Literal("invalid_json", "invalid_payload"),
  message: Schema.String
}) {}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const endpoint = <Tag extends string, P, PI, A, AI, E, EI>(
  rpc: Rpc.Rpc<Tag, Schema.Schema<P, PI>, Schema.Schema<A, AI>, Schema.Schema<E, EI>>,
  description: string
) =>
  HttpApiEndpoint.post(rpc._tag, pathOf(rpc._tag))
    .setPayload(rpc.payloadSchema)
    .addSuccess(rpc.successSchema)
    .addError(InvalidCall, { status: 400 })
    .addError(ScheduleUnavailable, { status: 503 })
    .annotate(OpenApi.Summary, rpc._tag)
    .annotate(OpenApi.Description, description)

const input = { status: 400 }
const refusal = { status: 409 }

const schedule = HttpApiGroup.make("schedule")
  .add(
    endpoint(ScheduleRpcs.Create, "Stores a reminder of a Session. The request is {title, prompt, <one selector>}.")
      .addError(ScheduleInputError, input)
      .addError(SessionRefused, refusal)
  )
  .add(endpoint(ScheduleRpcs.List, "The active records of a Session, in creation order."))
  .add(endpoint(ScheduleRpcs.Catalog, "Every task, active and inactive, by target; never its history."))
  .add(
    endpoint(
      ScheduleRpcs.CatalogPage,
      "A page of the catalog: limit 1 to 1000, after the nextAfter of the page before."
    ).addError(ScheduleInputError, input)
  )
  .add(
    endpoint(
      ScheduleRpcs.History,
      "Saved deliveries of a task, newest first: limit 1 to 100, before an exclusive message id."
    ).addError(ScheduleInputError, input)
  )
  .add(
    endpoint(
      ScheduleRpcs.Update,
      "Changes an active task whose stored record equals expected; misses and conflicts are answers."
    )
  )
  .add(endpoint(ScheduleRpcs.Delete, "Deletes a task with its history."))
  .add(endpoint(ScheduleRpcs.DeleteInactive, "Deletes every inactive task; answers how many."))
  .add(
    endpoint(ScheduleRpcs.Preview, "The next occurrences of {<one selector>, from?, count?}.").addError(
      ScheduleInputError,
      input
    )
  )

const sessions = HttpApiGroup.make("sessions")
  .add(
    endpoint(SessionRpcs.New, "Creates a Session, with a fresh id unless one is given.").addError(
      SessionRefused,
      refusal
    )
  )
  .add(endpoint(SessionRpcs.List, "Every Session that can be read, and why each other one cannot."))
  .add(
    endpoint(SessionRpcs.Show, "A Session with its events from ≤ seq, at most limit.").addError(SessionRefused, refusal)
  )
  .add(endpoint(SessionRpcs.Rename, "Gives a Session another title.").addError(SessionRefused, refusal))
  .add(
    endpoint(
      SessionRpcs.Archive,
      "Archives a Session; refused while something runs there, unless stopActivity."
    ).addError(SessionRefused, refusal)
  )
  .add(endpoint(SessionRpcs.Unarchive, "Takes a Session back from the archive.").addError(SessionRefused, refusal))

/**
 * The description, made of the schemas of the methods themselves.
 *
 * @since 0.1.0
 * @category constants
 */
export const openApi = OpenApi.fromApi(
  HttpApi.make("host-schedule")
    .add(schedule)
    .add(sessions)
    .annotate(OpenApi.Title, "host-schedule")
    .annotate(
      OpenApi.Description,
      "Durable reminders for agent Sessions. Every call carries the Host's token as `Authorization: Bearer`. `GET /api/schedule.changed` is a stream of server-sent events, one when it opens and one after every change."
    )
    .annotate(OpenApi.Transform, (spec) => ({
      ...spec,
      components: { ...Object(spec.components), securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }]
    }))
)
