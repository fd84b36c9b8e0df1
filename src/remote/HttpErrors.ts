/**
 * How the namespaces' plain HTTP form says that a call did not do what was asked.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { InputCode, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import { type ScheduleUnavailable, UnavailableCode } from "./ScheduleUnavailable.ts"
import { SessionRefused } from "./SessionRefused.ts"

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

/**
 * What a call can fail with.
 *
 * @since 0.1.0
 * @category models
 */
export type Failure = InvalidCall | ScheduleInputError | SessionRefused | ScheduleUnavailable

/**
 * The status of an error.
 *
 * @since 0.1.0
 * @category getters
 */
export const statusOf = ({ _tag, code }: Pick<Failure, "_tag" | "code">): number => {
  switch (_tag) {
    case "InvalidCall":
    case "ScheduleInputError":
      return 400
    case "SessionRefused":
      return code === "session_not_found" ? 404 : code === "invalid_session" ? 400 : 409
    case "ScheduleUnavailable":
      return code === "internal_error" ? 500 : 503
  }
}

/**
 * The errors of one status: what its body can be.
 *
 * @since 0.1.0
 * @category models
 */
export interface Described {
  readonly status: number
  readonly schema: Schema.Schema.Any
}

/** What a client says of a Host, and no Host of itself. */
const ofClients: ReadonlyArray<UnavailableCode> = ["host_unreachable", "unauthorized", "too_large"]

/**
 * What any call can fail with.
 *
 * @since 0.1.0
 * @category constants
 */
export const always: ReadonlyArray<Described> = [
  ...described("InvalidCall", InvalidCall.fields.code.literals),
  ...described(
    "ScheduleUnavailable",
    UnavailableCode.literals.filter((code) => !ofClients.includes(code))
  )
]

/**
 * Refused input.
 *
 * @since 0.1.0
 * @category constants
 */
export const input: ReadonlyArray<Described> = described("ScheduleInputError", InputCode.literals)

/**
 * Refused Sessions, with those codes that a method has.
 *
 * @since 0.1.0
 * @category constructors
 */
export const sessions = (...codes: ReadonlyArray<SessionRefused["code"]>): ReadonlyArray<Described> =>
  described("SessionRefused", codes)

/**
 * What keeps a caller out before any method is looked at, and with `withBody` what keeps a body out.
 *
 * @since 0.1.0
 * @category constructors
 */
export const access = ({ withBody }: { readonly withBody: boolean }): ReadonlyArray<Described> =>
  [
    { status: 401, codes: ["unauthorized"] },
    { status: 403, codes: ["forbidden_host", "forbidden_origin"] },
    ...(withBody
      ? [
          { status: 411, codes: ["length_required"] },
          { status: 413, codes: ["body_too_large"] }
        ]
      : [])
  ].map(({ codes, status }) => ({
    status,
    schema: Schema.Struct({ code: Schema.Literal(...codes), message: Schema.String })
  }))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

function body(tag: string, codes: ReadonlyArray<string>): Schema.Schema.Any {
  const fields = { _tag: Schema.Literal(tag), code: Schema.Literal(...codes), message: Schema.String }
  return codes.includes("session_active")
    ? Schema.Struct({ ...fields, activity: SessionRefused.fields.activity })
    : Schema.Struct(fields)
}

function described<Tag extends Failure["_tag"]>(
  tag: Tag,
  codes: ReadonlyArray<Extract<Failure, { readonly _tag: Tag }>["code"]>
): ReadonlyArray<Described> {
  const byStatus = new Map<number, Array<string>>()
  for (const code of codes) {
    const status = statusOf({ _tag: tag, code })
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Array.from(byStatus, ([status, codes]) => ({ status, schema: body(tag, codes) }))
}
