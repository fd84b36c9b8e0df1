/**
 * The `schedule` namespace as methods of the SDK protocol: the params and answers of its RPC group.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SessionId } from "../domain/Identifiers.ts"
import type { ScheduleInputError } from "../domain/ScheduleInputError.ts"
import * as FirstIssue from "../remote/FirstIssue.ts"
import type { ScheduleClient } from "../remote/ScheduleClient.ts"
import * as Rpcs from "../remote/ScheduleRpcs.ts"
import type { ScheduleUnavailable } from "../remote/ScheduleUnavailable.ts"
import type { SessionAdmission } from "../remote/SessionAdmission.ts"
import { SessionRefused } from "../remote/SessionRefused.ts"
import type * as JsonRpc from "../tools/JsonRpc.ts"
import { DelegationDepth } from "./DelegationDepth.ts"
import * as SdkFailure from "./SdkFailure.ts"
import * as SdkProtocol from "./SdkProtocol.ts"

/**
 * From a method's params to its answer. Input errors and refused Sessions are answers `{code, message}`, as misses and
 * conflicts are.
 *
 * @since 0.1.0
 * @category models
 */
export type Method = (params: JsonRpc.Params) => Effect.Effect<unknown, SdkFailure.SdkFailure>

/**
 * Every method of the namespace but `schedule.changed`, which is a subscription.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: ScheduleClient["Type"]): Readonly<Record<string, Method>> => ({
  "schedule.create": method(
    Schema.Struct({ ...Rpcs.Create.payloadSchema.fields, delegationDepth: SdkProtocol.delegationDepth }),
    Rpcs.Create.successSchema,
    ({ delegationDepth, request, sessionId }) => atDepth(delegationDepth, client.create(sessionId, request))
  ),
  "schedule.list": method(Rpcs.List.payloadSchema, Rpcs.List.successSchema, client.list),
  "schedule.catalog": method(Nothing, Rpcs.Catalog.successSchema, client.catalog),
  "schedule.catalogPage": method(Rpcs.CatalogPage.payloadSchema, Rpcs.CatalogPage.successSchema, (query) =>
    client.catalogPage({ limit: undefined, ...query })
  ),
  "schedule.history": method(Rpcs.History.payloadSchema, Rpcs.History.successSchema, (query) =>
    client.history({ limit: undefined, ...query })
  ),
  "schedule.update": method(
    Schema.Struct({ ...Rpcs.Update.payloadSchema.fields, delegationDepth: SdkProtocol.delegationDepth }),
    Rpcs.Update.successSchema,
    ({ delegationDepth, ...request }) => atDepth(delegationDepth, client.update({ expected: undefined, ...request }))
  ),
  "schedule.delete": method(Rpcs.Delete.payloadSchema, Rpcs.Delete.successSchema, client.delete),
  "schedule.deleteInactive": method(Nothing, Rpcs.DeleteInactive.successSchema, client.deleteInactive),
  "schedule.preview": method(Rpcs.Preview.payloadSchema, Rpcs.Preview.successSchema, ({ request }) =>
    client.preview(request)
  )
})

/**
 * Params that are exactly those of a schema; else `invalid_params`, naming the field.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeParams = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(schema, { onExcessProperty: "error" })
  return (params: JsonRpc.Params): Effect.Effect<A, SdkFailure.SdkFailure> =>
    Effect.mapError(decode(params), (error) => {
      const { message, path } = FirstIssue.of(error)
      return SdkFailure.make("invalid_params", `${path === "" ? "params" : path}: ${message}`)
    })
}

/**
 * The params of a method that takes none.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Nothing = Schema.Record({ key: Schema.String, value: Schema.Never })

/**
 * Admits what can be a Session's id. Which Sessions there are, the client alone knows.
 *
 * @since 0.1.0
 * @category services
 */
export const admit: SessionAdmission["Type"] = (sessionId) =>
  isSessionId(sessionId) && !/\p{Surrogate}/u.test(sessionId)
    ? Effect.void
    : Effect.fail(
        new SessionRefused({
          code: "invalid_session",
          message: "a Session's id must be non-empty text without surrounding whitespace"
        })
      )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Failure = ScheduleInputError | SessionRefused | ScheduleUnavailable

const method = <P, PI, A, I>(
  payload: Schema.Schema<P, PI>,
  success: Schema.Schema<A, I>,
  call: (payload: P) => Effect.Effect<A, Failure>
): Method => {
  const decode = decodeParams(payload)
  const encode = Schema.encode(success)
  return (params) =>
    Effect.flatMap(decode(params), (payload) =>
      Effect.matchEffect(call(payload), {
        onSuccess: (answer) => Effect.mapError(encode(answer), unencodable),
        onFailure: (error) =>
          error._tag === "ScheduleUnavailable" ? SdkFailure.fromUnavailable(error) : Effect.succeed(refusal(error))
      })
    )
}

const atDepth = <A, E>(depth: number | undefined, call: Effect.Effect<A, E>) =>
  Effect.provideService(call, DelegationDepth, depth ?? 0)

const refusal = (error: ScheduleInputError | SessionRefused) => ({ code: error.code, message: error.message })

const unencodable = () => SdkFailure.make("internal_error", "The schedule operation failed.")

const isSessionId = Schema.is(SessionId)
