/**
 * The typed client of the `sessions` namespace.
 *
 * @since 0.1.0
 */
import type * as RpcClient from "@effect/rpc/RpcClient"
import type { RpcClientError } from "@effect/rpc/RpcClientError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ScheduleUnavailable } from "./ScheduleUnavailable.ts"
import type { SessionRefused } from "./SessionRefused.ts"
import type { SessionDetail, SessionList, SessionRpcs, SessionSummary } from "./SessionRpcs.ts"
import * as Transport from "./Transport.ts"

type Answer<A> = Effect.Effect<A, SessionRefused | ScheduleUnavailable>

/**
 * The Sessions of a Host as its callers see them.
 *
 * @since 0.1.0
 * @category services
 */
export class SessionClient extends Context.Tag("host-schedule/remote/SessionClient")<
  SessionClient,
  {
    /** Creates a Session, with a fresh id unless one is given; durable when it returns. */
    readonly create: (session: {
      readonly id?: string
      readonly title?: string
      readonly cwd?: string
    }) => Answer<SessionSummary>

    /** Every Session that can be read, newest activity first, and why each other one cannot. */
    readonly list: () => Effect.Effect<SessionList, ScheduleUnavailable>

    /** A Session with its events `from ≤ seq`, at most `limit` of them; defaults: all. */
    readonly show: (query: {
      readonly id: string
      readonly from?: number
      readonly limit?: number
    }) => Answer<SessionDetail>

    /** How deep a Session was delegated: 0 for a top-level one. Reads the first line of its log alone. */
    readonly delegationDepth: (request: { readonly id: string }) => Answer<number>

    /** Gives a Session another title. */
    readonly rename: (request: { readonly id: string; readonly title: string }) => Answer<SessionSummary>

    /** Archives a Session; refused with the list while something runs there, unless `stopActivity`. */
    readonly archive: (request: { readonly id: string; readonly stopActivity?: boolean }) => Answer<SessionSummary>

    /** Takes a Session back from the archive; what archiving stopped stays stopped. */
    readonly unarchive: (request: { readonly id: string }) => Answer<SessionSummary>
  }
>() {}

/**
 * @since 0.1.0
 * @category constructors
 */
export const fromRpc = ({ sessions }: RpcClient.FromGroup<typeof SessionRpcs, RpcClientError>) =>
  SessionClient.of({
    create: (session) => Transport.contain(sessions.new(session)),
    list: () => Transport.contain(sessions.list()),
    show: (query) => Transport.contain(sessions.show(query)),
    delegationDepth: (request) => Transport.contain(sessions.delegationDepth(request)),
    rename: (request) => Transport.contain(sessions.rename(request)),
    archive: (request) => Transport.contain(sessions.archive(request)),
    unarchive: (request) => Transport.contain(sessions.unarchive(request))
  })
