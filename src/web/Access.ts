/**
 * Who may call a Host over HTTP: the decision, without any server.
 *
 * @since 0.1.0
 */
import * as Proof from "./Proof.ts"
import * as Token from "./Token.ts"

/**
 * What the decision needs of a request. Header names are in lower case.
 *
 * @since 0.1.0
 * @category models
 */
export interface AccessRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface AccessPolicy {
  readonly token: string
  readonly cookie: string
  /** A name that this Host may be called by besides `localhost` and every literal address, such as that of `--host`. */
  readonly hostname: string
  /** The largest body in bytes. */
  readonly maxBody: number
}

/**
 * Granted, or refused with a status and what the caller should do.
 *
 * @since 0.1.0
 * @category models
 */
export type AccessDecision =
  | { readonly _tag: "Granted" }
  | { readonly _tag: "Refused"; readonly status: number; readonly code: string; readonly message: string }

/**
 * The name of the browser's cookie.
 *
 * @since 0.1.0
 * @category constants
 */
export const cookieName = "host_schedule"

/**
 * Decides in this order, so that a page of another site learns nothing:
 *
 * 1. the `Host` must be a literal address or a name of this Host, which a rebinding name is not;
 * 2. an `Origin`, which browsers send with every cross-site call that could do harm, must be this Host's;
 * 3. `GET /healthz`, `GET /login` and `GET /proof` are open;
 * 4. the rest needs the token as Bearer, or the cookie;
 * 5. a body states its length, and keeps to the bound.
 *
 * @since 0.1.0
 * @category decisions
 */
export const decide = (request: AccessRequest, policy: AccessPolicy): AccessDecision => {
  const { headers } = request
  if (!isOwnHost(headers.host, policy.hostname)) {
    return refused(403, "forbidden_host", "this Host does not answer to that name; call it by its address")
  }
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) {
    return refused(403, "forbidden_origin", "calls from other sites are refused")
  }
  const path = request.url.split("?", 1)[0]
  const isOpen = request.method === "GET" && (path === "/healthz" || path === "/login" || path === Proof.path)
  if (!isOpen && !isAuthorized(request, policy)) {
    return refused(
      401,
      "unauthorized",
      "send the token of the Host's home directory as `Authorization: Bearer`, or open the URL that the Host printed"
    )
  }
  const length = headers["content-length"]
  if (length === undefined ? headers["transfer-encoding"] !== undefined : !/^\d{1,15}$/.test(length)) {
    return refused(411, "length_required", "send the body with a Content-Length")
  }
  if (length !== undefined && Number(length) > policy.maxBody) {
    return refused(413, "body_too_large", `a body has at most ${policy.maxBody} bytes`)
  }
  return { _tag: "Granted" }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const refused = (status: number, code: string, message: string): AccessDecision => ({
  _tag: "Refused",
  status,
  code,
  message
})

const isOwnHost = (host: string | undefined, own: string): boolean => {
  const name = /^(\[[0-9a-f:.]+\]|[^:@/\\?#\s]+)(?::\d{1,5})?$/i.exec(host ?? "")?.[1]?.toLowerCase()
  return (
    name !== undefined &&
    (name === "localhost" || name === own.toLowerCase() || name.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(name))
  )
}

const isAuthorized = ({ cookies, headers }: AccessRequest, policy: AccessPolicy): boolean => {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1]
  if (bearer !== undefined) return Token.equals(bearer, policy.token)
  const cookie = cookies[cookieName]
  return cookie !== undefined && Token.equals(cookie, policy.cookie)
}
