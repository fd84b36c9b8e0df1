/**
 * The schedule service of a cluster, the same on every Host.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import type { SessionId } from "../domain/Identifiers.ts"
import { ArchiveRegistry } from "../runtime/ArchiveRegistry.ts"
import * as Reading from "../runtime/Reading.ts"
import { ScheduleConfig } from "../runtime/ScheduleConfig.ts"
import { ScheduleService } from "../runtime/ScheduleService.ts"
import * as Shard from "../storage/Shard.ts"
import { ChangeBus } from "./ChangeBus.ts"
import { Owners } from "./Owners.ts"
import { Shards } from "./Shards.ts"

/**
 * What changes a Session's reminders goes to the owner of its shard; what reads comes from the store itself, which has only
 * committed rows, so that a Host that is up can always list. `deleteInactive` goes to the owner of shard 0, which deletes over
 * all shards in one write: an inactive row is final, and no owner touches it but to delete it. `changes` are those of all
 * Hosts. A quarantined shard is opened again by its owner, so `reopen` has nothing to do.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  rows: Reading.Rows
): Layer.Layer<ScheduleService, never, Owners | Shards | ChangeBus | ScheduleConfig> =>
  Layer.scoped(
    ScheduleService,
    Effect.gen(function* () {
      const owners = yield* Owners
      const shards = yield* Shards
      const bus = yield* ChangeBus
      const reading = Reading.make(rows, yield* ScheduleConfig)
      const shardOf = (sessionId: SessionId) => Shard.of(sessionId, shards.count)

      const changed = yield* PubSub.sliding<void>(1)
      const publish = Effect.asVoid(PubSub.publish(changed, undefined))
      // Others hear of changes at most once in a while: whoever hears of one reads them all.
      yield* Stream.runForEach(shards.changes, () =>
        Effect.zipRight(publish, Effect.zipRight(bus.announce, Effect.sleep(quiet)))
      ).pipe(Effect.forkScoped)
      yield* Stream.runForEach(bus.others, () => publish).pipe(Effect.forkScoped)

      const service = ScheduleService.of({
        ...reading,
        create: (sessionId, request) =>
          owners.call(shardOf(sessionId), {
            here: ({ schedule }) => schedule.create(sessionId, request),
            there: (client, ticket) => client.create({ ...ticket, request: { sessionId, request } })
          }),
        update: (request) =>
          owners.call(shardOf(request.sessionId), {
            here: ({ schedule }) => schedule.update(request),
            there: (client, ticket) => client.update({ ...ticket, request })
          }),
        delete: (address) =>
          owners.call(shardOf(address.sessionId), {
            here: ({ schedule }) => schedule.delete(address),
            there: (client, ticket) => client.delete({ ...ticket, request: address })
          }),
        deleteInactive: () =>
          owners.call(0, {
            here: ({ schedule }) => schedule.deleteInactive(),
            there: (client, ticket) => client.deleteInactive(ticket)
          }),
        archiveAdmission: Effect.flatMap(ArchiveRegistry, ({ register }) =>
          register({
            family: "schedule",
            activity: (sessionId) =>
              Effect.map(reading.list({ sessionId }), (records) =>
                records.map(({ id, title }) => ({ id, label: title }))
              ),
            stop: (sessionId) =>
              Effect.flatMap(reading.list({ sessionId }), (records) =>
                Effect.forEach(records, ({ id }) => service.delete({ sessionId, id }), { discard: true })
              )
          })
        ),
        changes: Stream.fromPubSub(changed),
        reopen: () => Effect.void
      })
      return service
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

/** Between two announcements to other Hosts. */
const quiet = Duration.millis(50)
