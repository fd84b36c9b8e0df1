import { Context, Deferred, Effect, Layer, Option, Queue } from "effect"
import { AgentDriver, type DriverFailure, type Turn, type TurnAnswer } from "../../src/session/AgentDriver.ts"
import * as Disk from "../../src/session/Disk.ts"
import * as InboxDriver from "../../src/session/InboxDriver.ts"
import { SessionController } from "../../src/session/SessionController.ts"
import { SessionId } from "../../src/session/SessionHeader.ts"
import * as SessionsOnDisk from "../../src/session/SessionsOnDisk.ts"
import * as WorkspaceRegistry from "../../src/session/WorkspaceRegistry.ts"

export const sessionId = (id: string) => SessionId.make(id)

/** Sessions in a home directory, until the scope closes. */
export const start = (
  home: string,
  {
    driver = InboxDriver.layer,
    disk = Disk.layer
  }: {
    readonly driver?: Layer.Layer<AgentDriver>
    readonly disk?: Layer.Layer<Disk.Disk>
  } = {}
) =>
  SessionsOnDisk.layerDisk({ home, idleAfter: "5 minutes" }).pipe(
    Layer.provideMerge(Layer.mergeAll(WorkspaceRegistry.layer, driver, disk)),
    Layer.build,
    Effect.map((context) => ({
      sessions: Context.get(context, SessionController),
      workspace: Context.get(context, WorkspaceRegistry.WorkspaceRegistry)
    }))
  )

/** A driver whose turns end when the test says so. */
export const scriptedDriver = Effect.gen(function* () {
  const turns = yield* Queue.unbounded<{
    readonly turn: Turn
    readonly end: Deferred.Deferred<TurnAnswer, DriverFailure>
    readonly interrupted: () => boolean
  }>()
  const run = (turn: Turn) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<TurnAnswer, DriverFailure>()
      let interrupted = false
      yield* Queue.offer(turns, { turn, end, interrupted: () => interrupted })
      return yield* Effect.onInterrupt(Deferred.await(end), () =>
        Effect.sync(() => {
          interrupted = true
        })
      )
    })
  return {
    layer: Layer.succeed(AgentDriver, { name: "scripted", turn: Option.some(run) }),
    /** The next turn that began, once it has. */
    next: Queue.take(turns),
    /** How many turns began that nobody took. */
    waiting: Queue.size(turns)
  }
})

export const answer = (text: string): TurnAnswer => ({ text: Option.some(text), truncated: false })
