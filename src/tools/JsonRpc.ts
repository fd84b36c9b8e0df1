/**
 * JSON-RPC 2.0 messages, as the Model Context Protocol restricts them.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export type Id = string | number

/**
 * What a peer sends: a request to answer, a notification not to answer, an answer to a request of ours, or nothing that the
 * protocol knows, which is answered with `error` under `id`, if there is one.
 *
 * @since 0.1.0
 * @category models
 */
export type Message =
  | { readonly _tag: "Request"; readonly id: Id; readonly method: string; readonly params: Params }
  | { readonly _tag: "Notification"; readonly method: string; readonly params: Params }
  | { readonly _tag: "Answer" }
  | { readonly _tag: "Invalid"; readonly id: Id | null; readonly error: RpcError }

/**
 * @since 0.1.0
 * @category models
 */
export type Params = Readonly<Record<string, unknown>>

/**
 * @since 0.1.0
 * @category models
 */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * @since 0.1.0
 * @category models
 */
export type Response =
  | { readonly jsonrpc: "2.0"; readonly id: Id | null; readonly result: unknown }
  | { readonly jsonrpc: "2.0"; readonly id: Id | null; readonly error: RpcError }

/**
 * @since 0.1.0
 * @category constants
 */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603
} as const

/**
 * @since 0.1.0
 * @category constructors
 */
export const success = (id: Id, result: unknown): Response => ({ jsonrpc: "2.0", id, result })

/**
 * @since 0.1.0
 * @category constructors
 */
export const failure = (id: Id | null, code: number, message: string, data?: unknown): Response => ({
  jsonrpc: "2.0",
  id,
  error: data === undefined ? { code, message } : { code, message, data }
})

/**
 * The answer to text that is not JSON.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parseError: Response = failure(null, codes.parseError, "the message is not JSON")

/**
 * What a parsed JSON value is.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = (value: unknown): Message => {
  if (!isObject(value)) return invalid(null, "a message must be a JSON object")
  const id = typeof value.id === "string" || typeof value.id === "number" ? value.id : null
  if (value.jsonrpc !== "2.0") return invalid(id, 'a message must have jsonrpc "2.0"')
  const { method, params = {} } = value
  if (method === undefined && id !== null && ("result" in value || "error" in value)) return { _tag: "Answer" }
  if (typeof method !== "string") return invalid(id, "a message must have a method, which is a string")
  if ("id" in value && id === null) return invalid(null, "an id must be a string or a number")
  if (!isObject(params)) {
    return { _tag: "Invalid", id, error: { code: codes.invalidParams, message: "params must be an object" } }
  }
  return id === null ? { _tag: "Notification", method, params } : { _tag: "Request", id, method, params }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const invalid = (id: Id | null, message: string): Message => ({
  _tag: "Invalid",
  id,
  error: { code: codes.invalidRequest, message }
})
