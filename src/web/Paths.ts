/**
 * Where a Host answers what over HTTP.
 *
 * @since 0.1.0
 */

/**
 * The Remote namespaces: `POST` for calls over HTTP, `GET` to upgrade to a WebSocket. Messages are lines of JSON.
 *
 * @since 0.1.0
 * @category constants
 */
export const rpcPath = "/rpc"
