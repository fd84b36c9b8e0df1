import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Access from "../../src/web/Access.ts"

const policy: Access.AccessPolicy = { token: "t0ken-t0ken-t0ken", cookie: "c00kie", hostname: "box.lan", maxBody: 1024 }

const decide = (request: Partial<Access.AccessRequest> & { readonly headers?: Record<string, string | undefined> }) =>
  Access.decide(
    { method: "GET", url: "/rpc", cookies: {}, ...request, headers: { host: "127.0.0.1:7345", ...request.headers } },
    policy
  )

const outcome = (decision: Access.AccessDecision) =>
  decision._tag === "Granted" ? "granted" : `${decision.status} ${decision.code}`

const bearer = { authorization: `Bearer ${policy.token}` }

describe("Access", () => {
  it.each([
    // [what, request, outcome]
    ["no token", {}, "401 unauthorized"],
    ["the token as Bearer", { headers: bearer }, "granted"],
    ["lower-case scheme", { headers: { authorization: `bearer ${policy.token}` } }, "granted"],
    ["another token", { headers: { authorization: "Bearer t0ken-t0ken-t0kex" } }, "401 unauthorized"],
    ["a prefix of the token", { headers: { authorization: "Bearer t0ken" } }, "401 unauthorized"],
    ["the token with another scheme", { headers: { authorization: `Basic ${policy.token}` } }, "401 unauthorized"],
    ["the token in the query", { url: `/rpc?token=${policy.token}` }, "401 unauthorized"],
    ["the cookie", { cookies: { host_schedule: policy.cookie } }, "granted"],
    ["the token as cookie", { cookies: { host_schedule: policy.token } }, "401 unauthorized"],
    ["another cookie", { cookies: { host_schedule: "" } }, "401 unauthorized"],
    [
      "a wrong Bearer beside the cookie",
      { cookies: { host_schedule: policy.cookie }, headers: { authorization: "Bearer x" } },
      "401 unauthorized"
    ],
    ["health without a token", { url: "/healthz" }, "granted"],
    ["health with a query", { url: "/healthz?x=/metrics" }, "granted"],
    ["sign-in without a token", { url: "/login?code=x" }, "granted"],
    ["asking for a proof without a token", { url: "/proof?nonce=x" }, "granted"],
    ["a path that only begins like that", { url: "/proof/x" }, "401 unauthorized"],
    ["asking for a sign-in code without a token", { url: "/login", method: "POST" }, "401 unauthorized"],
    ["a path that only begins like health", { url: "/healthz/../metrics" }, "401 unauthorized"],
    ["readiness without a token", { url: "/readyz" }, "401 unauthorized"],
    ["metrics without a token", { url: "/metrics" }, "401 unauthorized"],
    ["a path that is not there", { url: "/nothing" }, "401 unauthorized"],
    ["its own origin", { headers: { ...bearer, origin: "http://127.0.0.1:7345" } }, "granted"],
    ["another port's origin", { headers: { ...bearer, origin: "http://127.0.0.1:8080" } }, "403 forbidden_origin"],
    [
      "another site's origin with the cookie",
      { cookies: { host_schedule: policy.cookie }, headers: { origin: "https://evil.example" } },
      "403 forbidden_origin"
    ],
    ["an opaque origin", { headers: { ...bearer, origin: "null" } }, "403 forbidden_origin"],
    [
      "another site's origin at health",
      { url: "/healthz", headers: { origin: "https://evil.example" } },
      "403 forbidden_origin"
    ],
    ["a rebinding name", { headers: { ...bearer, host: "evil.example:7345" } }, "403 forbidden_host"],
    ["a rebinding name at health", { url: "/healthz", headers: { host: "evil.example" } }, "403 forbidden_host"],
    [
      "a rebinding name with a matching origin",
      { headers: { ...bearer, host: "evil.example", origin: "http://evil.example" } },
      "403 forbidden_host"
    ],
    ["a name that ends like localhost", { headers: { ...bearer, host: "evil-localhost" } }, "403 forbidden_host"],
    ["a name under localhost", { headers: { ...bearer, host: "evil.localhost:7345" } }, "403 forbidden_host"],
    [
      "a name that begins with an address",
      { headers: { ...bearer, host: "127.0.0.1.evil.example" } },
      "403 forbidden_host"
    ],
    ["no host", { headers: { ...bearer, host: undefined } }, "403 forbidden_host"],
    ["an empty host", { headers: { ...bearer, host: "" } }, "403 forbidden_host"],
    ["a host with a user", { headers: { ...bearer, host: "localhost@evil.example" } }, "403 forbidden_host"],
    ["localhost", { headers: { ...bearer, host: "localhost:7345" } }, "granted"],
    ["LOCALHOST without a port", { headers: { ...bearer, host: "LOCALHOST" } }, "granted"],
    ["an IPv6 address", { headers: { ...bearer, host: "[::1]:7345" } }, "granted"],
    ["the name that it was told to listen on", { headers: { ...bearer, host: "box.lan:7345" } }, "granted"],
    ["a body within the bound", { method: "POST", headers: { ...bearer, "content-length": "1024" } }, "granted"],
    [
      "a body over the bound",
      { method: "POST", headers: { ...bearer, "content-length": "1025" } },
      "413 body_too_large"
    ],
    [
      "a body over the bound without a token",
      { method: "POST", headers: { "content-length": "9999" } },
      "401 unauthorized"
    ],
    [
      "a body of unknown length",
      { method: "POST", headers: { ...bearer, "transfer-encoding": "chunked" } },
      "411 length_required"
    ],
    [
      "a length that is no number",
      { method: "POST", headers: { ...bearer, "content-length": "1e9" } },
      "411 length_required"
    ]
  ] as const)("%s", (_, request, expected) => {
    assert.strictEqual(outcome(decide(request)), expected)
  })

  it.prop("no name but its own gets in", [FastCheck.domain()], ([name]) => {
    assert.strictEqual(outcome(decide({ headers: { ...bearer, host: name } })), "403 forbidden_host")
  })

  it.prop("no text but the token gets in", [FastCheck.string()], ([text]) => {
    if (text === policy.token) return
    assert.strictEqual(outcome(decide({ headers: { authorization: `Bearer ${text}` } })), "401 unauthorized")
    assert.strictEqual(outcome(decide({ cookies: { host_schedule: text } })), "401 unauthorized")
  })
})
