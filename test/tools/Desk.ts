import { Context, Effect, Layer, Option } from "effect"
import { SessionId } from "../../src/domain/Identifiers.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { SessionHeaders, SessionUnreadable } from "../../src/runtime/SessionHeaders.ts"
import { CallingSession } from "../../src/tools/CallingSession.ts"
import * as ScheduleTools from "../../src/tools/ScheduleTools.ts"
import type { ToolFailure } from "../../src/tools/ToolSchemas.ts"
import * as World from "../runtime/World.ts"

export const session = SessionId.make("session-1")
export const other = SessionId.make("session-2")
export const child = SessionId.make("child-1")
export const unreadable = SessionId.make("unreadable-1")

/** A Host in memory with the tools on it; `child` is a delegated child's Session. */
export const make = Effect.gen(function* () {
  const world = yield* World.make
  world.depths.set(child, 1)
  const host = yield* world.start()
  const context = yield* Layer.build(
    ScheduleTools.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.succeed(ScheduleService, host.service),
          Layer.succeed(SessionHeaders, {
            delegationDepth: (sessionId) =>
              sessionId === unreadable
                ? new SessionUnreadable({ message: "/secret/path is broken" })
                : Effect.succeed(world.depths.get(sessionId) ?? 0)
          })
        )
      )
    )
  )
  return { world, service: host.service, context, tools: Context.get(context, ScheduleTools.ScheduleTools) }
})

/** The tools over a service that misbehaves. */
export const over = (service: ScheduleService["Type"]) =>
  ScheduleTools.layer.pipe(
    Layer.provide([
      Layer.succeed(ScheduleService, service),
      Layer.succeed(SessionHeaders, { delegationDepth: () => Effect.succeed(0) })
    ]),
    Layer.build,
    Effect.map(Context.get(ScheduleTools.ScheduleTools))
  )

/** Calls as a Session's Agent. */
export const as = (sessionId: SessionId) => Effect.provideService(CallingSession, Option.some(sessionId))

/** The value, or `code: message`. */
export const said = (call: Effect.Effect<unknown, ToolFailure>): Effect.Effect<unknown> =>
  Effect.merge(Effect.mapError(call, ({ code, message }) => `${code}: ${message}`))
