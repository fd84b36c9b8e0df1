/**
 * The Sessions of a cluster, managed from every Host.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as ScheduleUnavailable from "../remote/ScheduleUnavailable.ts"
import { SessionClient } from "../remote/SessionClient.ts"
import type { SessionRefused } from "../remote/SessionRefused.ts"
import type { SessionSummary } from "../remote/SessionRpcs.ts"
import type { OwnerError } from "../runtime/OwnerError.ts"
import * as Shard from "../storage/Shard.ts"
import { Owners, type Work } from "./Owners.ts"
import { Shards } from "./Shards.ts"

/**
 * What of the namespace any Host can answer from the logs.
 *
 * @since 0.1.0
 * @category models
 */
export type Reads = Pick<SessionClient["Type"], "list" | "show" | "delegationDepth">

/**
 * What changes a Session goes to the owner of its shard, which alone writes its log; `reads` are answered from the logs on this
 * Host.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (reads: Reads): Layer.Layer<SessionClient, never, Owners | Shards> =>
  Layer.effect(
    SessionClient,
    Effect.gen(function* () {
      const owners = yield* Owners
      const shards = yield* Shards
      const call = (id: string, work: Work<SessionSummary, Failure>) =>
        Effect.catchIf(owners.call<SessionSummary, Failure>(Shard.of(id, shards.count), work), isOwnerError, (error) =>
          Effect.fail(ScheduleUnavailable.fromService(error))
        )
      return SessionClient.of({
        list: reads.list,
        show: reads.show,
        delegationDepth: reads.delegationDepth,
        create: ({ id = randomUUID(), ...rest }) =>
          call(id, {
            here: ({ sessions }) => sessions.create({ id, ...rest }),
            there: (client, ticket) => client.newSession({ ...ticket, request: { id, ...rest } })
          }),
        rename: (request) =>
          call(request.id, {
            here: ({ sessions }) => sessions.rename(request),
            there: (client, ticket) => client.renameSession({ ...ticket, request })
          }),
        archive: (request) =>
          call(request.id, {
            here: ({ sessions }) => sessions.archive(request),
            there: (client, ticket) => client.archiveSession({ ...ticket, request })
          }),
        unarchive: (request) =>
          call(request.id, {
            here: ({ sessions }) => sessions.unarchive(request),
            there: (client, ticket) => client.unarchiveSession({ ...ticket, request })
          })
      })
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Failure = SessionRefused | ScheduleUnavailable.ScheduleUnavailable | OwnerError

const isOwnerError = (error: Failure): error is OwnerError =>
  Predicate.isTagged(error, "OwnerUnavailable") || Predicate.isTagged(error, "OutcomeUnknown")
