/**
 * The management half of the service: create, update, delete, and what {@link Reading} reads.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { v7 as uuid } from "uuid"
import * as Creation from "../domain/Creation.ts"
import { ScheduleId, type SessionId } from "../domain/Identifiers.ts"
import { ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { ScheduleTask } from "../domain/ScheduleTask.ts"
import * as Update from "../domain/Update.ts"
import type { ScheduleDomain } from "../storage/ScheduleDomain.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { ArchiveRegistry } from "./ArchiveRegistry.ts"
import type { Fifo } from "./Fifo.ts"
import * as Reading from "./Reading.ts"
import * as RowWrites from "./RowWrites.ts"
import type { Settings } from "./ScheduleConfig.ts"
import type { ScheduleService, TaskAddress, UpdateAnswer } from "./ScheduleService.ts"
import type { ServiceStopping } from "./ServiceStopping.ts"
import type { SessionHeaders, SessionUnreadable } from "./SessionHeaders.ts"

/**
 * What management works with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly domain: ScheduleDomain["Type"]
  readonly fifo: Fifo
  readonly headers: SessionHeaders["Type"]
  readonly settings: Settings
  /** Announces `schedule/changed`. */
  readonly publish: Effect.Effect<void>
  /** Asks the Host timer for a drive. */
  readonly drive: Effect.Effect<void>
  /** Ends the wait of a Session's deliveries that are to be retried: what was wrong may be what was changed. */
  readonly retry: (sessionId: SessionId) => Effect.Effect<void>
  /** As `drive`, and ends every such wait. */
  readonly retryAll: Effect.Effect<void>
}

/**
 * The methods of {@link ScheduleService} but `changes`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Omit<ScheduleService["Type"], "changes"> => {
  const { domain, fifo, headers, settings } = options
  const committed = Effect.zipRight(options.publish, options.drive)

  const refuseDelegated = Effect.fnUntraced(function* (sessionId: SessionId) {
    if ((yield* headers.delegationDepth(sessionId)) > 0) {
      return yield* new ScheduleInputError({
        code: "subagent_session",
        message: "the Session belongs to a delegated child, which can keep no reminders"
      })
    }
  })

  /** The task, if it is there and bound to this Session. */
  const find = ({ id, sessionId }: TaskAddress) =>
    Effect.map(
      domain.get(id),
      Option.filter((task) => task.sessionId === sessionId)
    )

  // Creations that wait together share one write; the failure of one row stays with its own caller.
  const putTogether = fifo.share<ScheduleTask, void, StorageError>({
    limit: 256,
    write: (tasks) =>
      RowWrites.attempt(domain.put, tasks).pipe(
        Effect.tap((failures) => (failures.size < tasks.length ? committed : Effect.void)),
        Effect.map((failures) =>
          tasks.map((task) => {
            const failure = failures.get(task)
            return failure === undefined ? Exit.void : Exit.fail(failure)
          })
        )
      )
  })

  const create = Effect.fn("ScheduleService.create")(function* (sessionId: SessionId, request: unknown) {
    yield* Effect.annotateCurrentSpan({ sessionId })
    const now = yield* Clock.currentTimeMillis
    yield* refuseDelegated(sessionId)
    // of version 7: ids that ascend with time keep tasks that were made together together in every index
    const id = ScheduleId.make(`schedule-${uuid()}`)
    const record = yield* Creation.createRecord(request, { id, now })
    yield* Effect.annotateCurrentSpan({ id })
    const task: ScheduleTask = {
      sessionId,
      record,
      status: "active",
      deliveryHistory: { records: [], earlierRecordsUnavailable: false }
    }
    yield* putTogether(Effect.succeed(task))
    yield* options.retry(sessionId)
    return record
  })

  const update = Effect.fn("ScheduleService.update")(function* (
    request: Parameters<ScheduleService["Type"]["update"]>[0]
  ): Effect.fn.Return<UpdateAnswer, StorageError | ServiceStopping | SessionUnreadable> {
    const { id, sessionId, ...edit } = request
    yield* Effect.annotateCurrentSpan({ sessionId, id })
    const decide = Effect.gen(function* () {
      const task = Option.getOrUndefined(yield* find({ sessionId, id }))
      if (task === undefined) return { id, updated: false, code: "schedule_not_found" } as const
      if (task.status === "inactive") return { id, updated: false, code: "schedule_ended" } as const
      const decision = yield* Update.resolveUpdate(task.record, edit, yield* Clock.currentTimeMillis)
      if (decision.updated) {
        yield* Effect.all([domain.replaceRecord(decision.record), committed, options.retry(sessionId)], {
          discard: true
        })
      }
      return { id, ...decision }
    })
    return yield* refuseDelegated(sessionId).pipe(
      Effect.zipRight(fifo.run(decide)),
      Effect.catchTag("ScheduleInputError", ({ code, message }) =>
        Effect.succeed({ id, updated: false, code, message } as const)
      )
    )
  })

  const delete_ = Effect.fn("ScheduleService.delete")(function* (address: TaskAddress) {
    const { id, sessionId } = address
    yield* Effect.annotateCurrentSpan({ sessionId, id })
    const remove = Effect.gen(function* () {
      if (Option.isNone(yield* find(address))) return { id, deleted: false, code: "schedule_not_found" } as const
      yield* Effect.zipRight(domain.remove(id), committed)
      return { id, deleted: true } as const
    })
    return yield* fifo.run(remove)
  })

  // Any rejection may have left rows removed, so it is announced too.
  const deleteInactive = Effect.fn("ScheduleService.deleteInactive")(() =>
    fifo.run(Effect.ensuring(domain.removeInactive, options.publish))
  )

  const reopen = Effect.fn("ScheduleService.reopen")(() =>
    fifo.run(Effect.all([domain.reopen, options.publish, options.retryAll], { discard: true }))
  )

  const activity = (sessionId: SessionId) =>
    Effect.map(domain.activeOf(sessionId), (tasks) => tasks.map(({ record: { id, title } }) => ({ id, label: title })))

  // Deletes the rows directly: the public delete would wait for this very slot. Every row is tried, the first failure is told.
  const stop = (sessionId: SessionId) =>
    fifo.run(
      Effect.gen(function* () {
        const tasks = yield* domain.activeOf(sessionId)
        const removals = yield* Effect.forEach(tasks, ({ record }) => Effect.either(domain.remove(record.id)))
        const failure = removals.find(Either.isLeft)
        if (removals.some(Either.isRight)) yield* committed
        if (failure !== undefined) return yield* Effect.fail(failure.left)
      })
    )

  const archiveAdmission = Effect.flatMap(ArchiveRegistry, ({ register }) =>
    register({ family: "schedule", activity, stop })
  )

  return {
    create,
    ...Reading.make(domain, settings),
    update,
    delete: delete_,
    deleteInactive,
    archiveAdmission,
    reopen
  }
}
