/**
 * What the four tools do.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ScheduleId, type SessionId } from "../domain/Identifiers.ts"
import * as Input from "../domain/Input.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import * as Selector from "../domain/Selector.ts"
import * as View from "../domain/View.ts"
import { ScheduleService } from "../runtime/ScheduleService.ts"
import { SessionHeaders } from "../runtime/SessionHeaders.ts"
import { CallingSession } from "./CallingSession.ts"
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
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<ScheduleTools, never, ScheduleService | SessionHeaders> = Layer.effect(
  ScheduleTools,
  Effect.gen(function* () {
    const service = yield* ScheduleService
    const headers = yield* SessionHeaders

    /** Runs a call for the calling Session, and turns every failure into one that a model may see. */
    const forCaller = <A, E>(tool: string, call: (sessionId: SessionId) => Effect.Effect<A, E | ScheduleInputError>) =>
      Effect.gen(function* () {
        const sessionId = Option.getOrUndefined(yield* CallingSession)
        if (sessionId === undefined) return yield* Effect.dieMessage("a tool was called without a calling Session")
        if ((yield* headers.delegationDepth(sessionId)) > 0) {
          return yield* refuse(
            "subagent_session",
            "reminders can be kept by top-level Sessions only, not by a delegated child"
          )
        }
        return yield* call(sessionId)
      }).pipe(
        Effect.catchAll((error) =>
          isInputError(error)
            ? Effect.fail<ToolFailure>({ code: error.code, message: error.message })
            : internalError(Cause.fail(error))
        ),
        Effect.catchAllDefect((defect) => internalError(Cause.die(defect))),
        Effect.annotateLogs({ module: "ScheduleTools", tool })
      )

    return ScheduleTools.of({
      create: (args) =>
        forCaller("schedule_create", (sessionId) =>
          Effect.gen(function* () {
            const record = yield* service.create(sessionId, args)
            return View.scheduleView(record, yield* Clock.currentTimeMillis)
          })
        ),

      list: (args) =>
        forCaller("schedule_list", (sessionId) =>
          Effect.gen(function* () {
            yield* membersOf(args ?? {}, [])
            const records = yield* service.list({ sessionId })
            const now = yield* Clock.currentTimeMillis
            return records.map((record) => View.scheduleView(record, now))
          })
        ),

      update: (args) =>
        forCaller("schedule_update", (sessionId) =>
          Effect.gen(function* () {
            const { edit, id } = yield* decodeUpdate(args)
            if (!isScheduleId(id)) return { id, updated: false, code: "schedule_not_found" } as const
            const expected = (yield* service.list({ sessionId })).find((record) => record.id === id)
            const answer = yield* service.update({ sessionId, id, expected, ...edit })
            if ("record" in answer) return View.scheduleView(answer.record, yield* Clock.currentTimeMillis)
            return "message" in answer ? yield* refuse(answer.code, answer.message) : answer
          })
        ),

      delete: (args) =>
        forCaller("schedule_delete", (sessionId) =>
          Effect.gen(function* () {
            const id = yield* idOf(yield* membersOf(args, ["id"]))
            if (!isScheduleId(id)) return { id, deleted: false, code: "schedule_not_found" } as const
            return yield* service.delete({ sessionId, id })
          })
        )
    })
  })
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const isScheduleId = Schema.is(ScheduleId)

const isInputError = (error: unknown): error is ScheduleInputError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "ScheduleInputError"

const internalError = (cause: Cause.Cause<unknown>) =>
  Effect.zipRight(
    Effect.logError("tool call failed", cause),
    Effect.fail<ToolFailure>({ code: "internal_error", message: "The schedule operation failed." })
  )

type Decoded<A> = Either.Either<A, ScheduleInputError>

const membersOf = (args: unknown, keys: ReadonlyArray<string>): Decoded<Input.Fields> => {
  const input = Input.snapshot(args)
  if (!Input.isFields(input)) return refuse("invalid_selector", "the arguments must be an object")
  const unknown = Input.unknownKey(input, keys)
  return unknown === undefined
    ? Either.right(input)
    : refuse("invalid_selector", `unknown key ${unknown}: allowed are ${keys.length === 0 ? "none" : keys.join(", ")}`)
}

const idOf = ({ id }: Input.Fields): Decoded<string> =>
  typeof id === "string" && id.length > 0 && id.trim() === id
    ? Either.right(id)
    : refuse("invalid_rule", "id must be the id of a reminder, without surrounding spaces")

const changeKinds = { at: "at", every_seconds: "every", daily: "daily", weekly: "weekly", cron: "cron" } as const
const changeNames = Object.keys(changeKinds) as ReadonlyArray<keyof typeof changeKinds>
const editable = ["title", "prompt", ...changeNames]

/** The id and what `ScheduleService.update` takes beside it, with everything refused that can be without the stored task. */
const decodeUpdate = (args: unknown) =>
  Either.gen(function* () {
    const members = yield* membersOf(args, ["id", ...editable])
    const [name, second] = changeNames.filter((name) => name in members)
    if (second !== undefined) {
      return yield* refuse("invalid_selector", `at most one timing is wanted: ${name} and ${second} were both given`)
    }
    if (!editable.some((key) => key in members)) {
      return yield* refuse("invalid_selector", `at least one of ${editable.join(", ")} is wanted: none was given`)
    }
    const id = yield* idOf(members)
    if ("title" in members) yield* Input.title(members.title)
    if ("prompt" in members) yield* Input.prompt(members.prompt)
    const { prompt, title } = members
    if (name === undefined) return { id, edit: { title, prompt } }
    yield* Selector.decode({ name, value: members[name] })
    return { id, edit: { title, prompt, change: { kind: changeKinds[name], [name]: members[name] } } }
  })
