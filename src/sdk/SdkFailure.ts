/**
 * How a call over the SDK protocol fails.
 *
 * @since 0.1.0
 */
import * as ConfigError from "effect/ConfigError"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { ScheduleUnavailable } from "../remote/ScheduleUnavailable.ts"
import * as JsonRpc from "../tools/JsonRpc.ts"

/**
 * The stable codes of calls that are no answers: those of JSON-RPC itself, those of the protocol's order, and why a store
 * does not open. The codes of `ScheduleUnavailable` come beside them.
 *
 * - `parse_error`, `invalid_request`, `method_not_found`, `invalid_params`: correct the message.
 * - `not_ready`: call `sdk.ready` first; `already_ready`: it was called already.
 * - `cancelled`: the caller withdrew the call.
 * - `store_locked`: stop the process that owns the home; `store_malformed`, `store_version`: mend the file, or open it with
 *   the program that wrote it; `invalid_config`: correct the setting that the log names. Then call `sdk.ready` again.
 * - `client_gone`: the other side has gone.
 * - `unsupported_protocol`: the Host speaks another version of the protocol; use a client of its version.
 *
 * @since 0.1.0
 * @category models
 */
export type SdkCode = keyof typeof numbers | ScheduleUnavailable["code"]

/**
 * A call that failed: `status` is the number of JSON-RPC, `code` the stable name, `message` a fixed text for people that
 * carries nothing of a backend.
 *
 * @since 0.1.0
 * @category errors
 */
export class SdkFailure extends Schema.TaggedError<SdkFailure>("host-schedule/sdk/SdkFailure")("SdkFailure", {
  status: Schema.Number,
  code: Schema.String,
  message: Schema.String
}) {}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (code: SdkCode, message: string): SdkFailure =>
  new SdkFailure({ status: Object.hasOwn(numbers, code) ? numbers[code as keyof typeof numbers] : own, code, message })

/**
 * @since 0.1.0
 * @category conversions
 */
export const fromUnavailable = ({ code, message }: ScheduleUnavailable): SdkFailure => make(code, message)

/**
 * Why the store of a home did not open, without what its backend said of it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromOpening = (error: unknown): SdkFailure => {
  if (ConfigError.isConfigError(error)) {
    return make("invalid_config", "A setting is wrong; the log on stderr names it.")
  }
  const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : ""
  const [code, message] = opening[tag] ?? (["internal_error", "The schedule operation failed."] as const)
  return make(code, message)
}

/**
 * The failure as an answer's `error`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toResponse = (id: JsonRpc.Id | null, { code, message, status }: SdkFailure): JsonRpc.Response =>
  JsonRpc.failure(id, status, message, { code })

/**
 * The failure in the `error` of an answer, whoever wrote it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromResponse = (error: unknown): SdkFailure => {
  const field = (of: unknown, name: string) => (Predicate.hasProperty(of, name) ? of[name] : undefined)
  const text = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise)
  const status = field(error, "code")
  return new SdkFailure({
    status: typeof status === "number" ? status : own,
    code: text(field(field(error, "data"), "code"), "internal_error"),
    message: text(field(error, "message"), "the call failed")
  })
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** What JSON-RPC leaves to servers. */
const own = -32000

const numbers = {
  parse_error: JsonRpc.codes.parseError,
  invalid_request: JsonRpc.codes.invalidRequest,
  method_not_found: JsonRpc.codes.methodNotFound,
  invalid_params: JsonRpc.codes.invalidParams,
  internal_error: JsonRpc.codes.internalError,
  not_ready: own,
  already_ready: own,
  cancelled: own,
  store_locked: own,
  store_malformed: own,
  store_version: own,
  invalid_config: own,
  client_gone: own,
  unsupported_protocol: own
} as const

const opening: Readonly<Record<string, readonly [SdkCode, string]>> = {
  DomainAlreadyOpen: ["store_locked", "Another process owns the reminders of this home; stop it, or use its Host."],
  DomainMalformed: ["store_malformed", "The store of this home cannot be read; the log on stderr says why."],
  ScheduleLogError: ["store_malformed", "The store of this home holds a row that is none; the log on stderr names it."],
  DomainVersionMismatch: ["store_version", "The store of this home was written by another version of this program."],
  StorageFailure: ["storage_failed", "The store of this home did not open; the log on stderr says why."]
}
