/**
 * What the four tools do.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { ScheduleId, type SessionId } from "../domain/Identifiers.ts"
import * as Input from "../domain/Input.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import * as View from "../domain/View.ts"
import { ScheduleClient } from "../remote/ScheduleClient.ts"
import { SessionClient } from "../remote/SessionClient.ts"
import { type DeleteAnswer, ScheduleService, type TaskAddress, type UpdateAnswer } from "../runtime/ScheduleService.ts"
import { SessionHeaders } from "../runtime/SessionHeaders.ts"
import { CallingSession } from "./CallingSession.ts"
import * as ToolArguments from "./ToolArguments.ts"
import type { DeleteValue, ToolFailure, UpdateValue } from "./ToolSchemas.ts"

/**
 * The four tools, for the Session that `CallingSession` names. Arguments may be anything. Checked in this order: the calling
 * Session (none: `internal_error`; a delegated child's: `subagent_session`), keys and number of selectors, the id, title,
 * prompt, the rule, and then the stored task. What is not the caller's to mend is logged with its cause and answered as
 * `internal_error`.
 *
 * @since 0.1.0
 * @category services
 */
export class ScheduleTools extends Context.Tag("host-schedule/tools/ScheduleTools")<
  ScheduleTools,
  {
    /** Arguments: `title`, `prompt` and one selector. Answers the new task's view. */
    readonly create: (args: unknown) => Effect.Effect<View.ScheduleView, ToolFailure>

    /** No arguments. Answers the views of the Session's active tasks, in creation order. */
    readonly list: (args: unknown) => Effect.Effect<ReadonlyArray<View.ScheduleView>, ToolFailure>

    /** Arguments: `id`, and any of `title`, `prompt` and one selector but `after_seconds`. Answers the committed view. */
    readonly update: (args: unknown) => Effect.Effect<UpdateValue, ToolFailure>

    /** Arguments: `id`. */
    readonly delete: (args: unknown) => Effect.Effect<DeleteValue, ToolFailure>
  }
>() {}

/**
 * What the tools need of a Host, be it in this process or another.
 *
 * @since 0.1.0
 * @category models
 */
export interface Host<E> {
  readonly delegationDepth: (sessionId: SessionId) => Effect.Effect<number, E>
  readonly create: (sessionId: SessionId, request: unknown) => Effect.Effect<ScheduleRecord, ScheduleInputError | E>
  readonly list: (query: { readonly sessionId: SessionId }) => Effect.Effect<ReadonlyArray<ScheduleRecord>, E>
  readonly update: (
    request: TaskAddress & { readonly expected: unknown; readonly [edited: string]: unknown }
  ) => Effect.Effect<UpdateAnswer, E>
  readonly delete: (address: TaskAddress) => Effect.Effect<DeleteAnswer, E>
}

/**
 * The tools over the service of this process.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<ScheduleTools, never, ScheduleService | SessionHeaders> = Layer.effect(
  ScheduleTools,
  Effect.gen(function* () {
    const { delegationDepth } = yield* SessionHeaders
    return fromHost({ ...(yield* ScheduleService), delegationDepth })
  })
)

/**
 * The tools over a Host's Remote namespaces.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<ScheduleTools, never, ScheduleClient | SessionClient> = Layer.effect(
  ScheduleTools,
  Effect.gen(function* () {
    const sessions = yield* SessionClient
    return fromHost({ ...(yield* ScheduleClient), delegationDepth: (id) => sessions.delegationDepth({ id }) })
  })
)

/**
 * The tools that a layer gives, built for each call and closed after it, one call at a time: for a process that lives long
 * and must not keep a store to itself meanwhile. A layer that cannot be built is an `internal_error` of the call.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPerCall = <E, R>(tools: Layer.Layer<ScheduleTools, E, R>): Layer.Layer<ScheduleTools, never, R> =>
  Layer.effect(
    ScheduleTools,
    Effect.gen(function* () {
      const turns = yield* Effect.makeSemaphore(1)
      const context = yield* Effect.context<R>()
      const acquired = Layer.build(Layer.fresh(tools)).pipe(
        Effect.map(Context.get(ScheduleTools)),
        Effect.mapInputContext((scope: Context.Context<Scope.Scope>) => Context.merge(context, scope)),
        contained
      )
      const call = <A>(
        name: keyof ScheduleTools["Type"],
        use: (tools: ScheduleTools["Type"]) => Effect.Effect<A, ToolFailure>
      ) => Effect.flatMap(acquired, use).pipe(Effect.scoped, turns.withPermits(1), logged(name))
      return ScheduleTools.of({
        create: (args) => call("create", (tools) => tools.create(args)),
        list: (args) => call("list", (tools) => tools.list(args)),
        update: (args) => call("update", (tools) => tools.update(args)),
        delete: (args) => call("delete", (tools) => tools.delete(args))
      })
    })
  )

/**
 * The tools over any {@link Host}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromHost = <E>(host: Host<E>): ScheduleTools["Type"] => {
  /** Runs a call for the calling Session, and turns every failure into one that a model may see. */
  const forCaller = <A>(
    name: keyof ScheduleTools["Type"],
    call: (sessionId: SessionId) => Effect.Effect<A, E | ScheduleInputError>
  ) =>
    Effect.gen(function* () {
      const sessionId = Option.getOrUndefined(yield* CallingSession)
      if (sessionId === undefined) return yield* Effect.dieMessage("a tool was called without a calling Session")
      if ((yield* host.delegationDepth(sessionId)) > 0) {
        return yield* refuse(
          "subagent_session",
          "only top-level Sessions keep reminders, and this is a delegated child's"
        )
      }
      return yield* call(sessionId)
    }).pipe(contained, logged(name))

  return {
    create: (args) =>
      forCaller("create", (sessionId) =>
        Effect.gen(function* () {
          // a copy, because a Host elsewhere could not even be called with every value
          const record = yield* host.create(sessionId, Input.snapshot(args))
          return View.scheduleView(record, yield* Clock.currentTimeMillis)
        })
      ),

    list: (args) =>
      forCaller("list", (sessionId) =>
        Effect.gen(function* () {
          yield* ToolArguments.members(args ?? {}, [])
          const records = yield* host.list({ sessionId })
          const now = yield* Clock.currentTimeMillis
          return records.map((record) => View.scheduleView(record, now))
        })
      ),

    update: (args) =>
      forCaller("update", (sessionId) =>
        Effect.gen(function* () {
          const { edit, id } = yield* ToolArguments.update(args)
          if (!isScheduleId(id)) return { id, updated: false, code: "schedule_not_found" } as const
          const expected = (yield* host.list({ sessionId })).find((record) => record.id === id)
          const answer = yield* host.update({ sessionId, id, expected, ...edit })
          if ("record" in answer) return View.scheduleView(answer.record, yield* Clock.currentTimeMillis)
          return "message" in answer ? yield* refuse(answer.code, answer.message) : answer
        })
      ),

    delete: (args) =>
      forCaller("delete", (sessionId) =>
        Effect.gen(function* () {
          const id = yield* ToolArguments.id(yield* ToolArguments.members(args, ["id"]))
          if (!isScheduleId(id)) return { id, deleted: false, code: "schedule_not_found" } as const
          return yield* host.delete({ sessionId, id })
        })
      )
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// What is no id of a task is a miss, and never reaches a store, not all of which take any text.
const isScheduleId = Schema.is(ScheduleId)

const isInputError = (error: unknown): error is ScheduleInputError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "ScheduleInputError"

const logged = (name: keyof ScheduleTools["Type"]) =>
  Effect.annotateLogs({ module: "ScheduleTools", tool: `schedule_${name}` })

/** Input errors as they are; everything else is not for a model to see. */
const contained = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, ToolFailure, R> =>
  call.pipe(
    Effect.catchAll((error) =>
      isInputError(error)
        ? Effect.fail<ToolFailure>({ code: error.code, message: error.message })
        : internalError(Cause.fail(error))
    ),
    Effect.catchAllDefect((defect) => internalError(Cause.die(defect)))
  )

const internalError = (cause: Cause.Cause<unknown>): Effect.Effect<never, ToolFailure> =>
  Effect.zipRight(
    Effect.logError("tool call failed", cause),
    Effect.fail<ToolFailure>({ code: "internal_error", message: "The schedule operation failed." })
  )
