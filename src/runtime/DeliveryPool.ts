/**
 * Deliveries side by side, one at a time for each Session.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { SessionId } from "../domain/Identifiers.ts"
import type { Deliver } from "./Delivery.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface DeliveryPool {
  /**
   * Starts a delivery to a Session, at once or when one of the others has ended. While one to the same Session is under way,
   * it is followed by one more.
   */
  readonly request: (sessionId: SessionId) => Effect.Effect<void>
}

/**
 * A pool whose deliveries are interrupted when the scope closes. A failed delivery is logged and does nothing else.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly deliver: Deliver
  readonly concurrency: number
  /** Run after every delivery, whatever its outcome. */
  readonly onEnd: Effect.Effect<void>
}): Effect.Effect<DeliveryPool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<void>()
    const permits = yield* Effect.makeSemaphore(options.concurrency)
    const running = new Map<SessionId, { again: boolean }>()

    const deliverOnce = (sessionId: SessionId) =>
      options.deliver(sessionId).pipe(
        Effect.catchTags({
          ServiceStopping: () => Effect.void,
          DeliveryFailed: ({ cause, message, taskIds }) =>
            Effect.logWarning(
              `Delivery failed, and its tasks stay: ${message}`,
              ...(cause === undefined ? [] : [cause])
            ).pipe(Effect.annotateLogs({ taskIds: taskIds.join(" ") }))
        }),
        Effect.catchAllCause((cause) => Effect.logWarning("Delivery failed, and its tasks stay.", cause)),
        Effect.zipRight(options.onEnd),
        Effect.annotateLogs({ module: "Delivery", sessionId }),
        permits.withPermits(1)
      )

    // The last look at `again` and the leaving are one step, so that no request falls between them.
    const deliver = (sessionId: SessionId, state: { again: boolean }): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!state.again) {
          running.delete(sessionId)
          return Effect.void
        }
        state.again = false
        return Effect.zipRight(deliverOnce(sessionId), deliver(sessionId, state))
      })

    return {
      request: (sessionId) =>
        Effect.suspend(() => {
          const state = running.get(sessionId)
          if (state !== undefined) {
            state.again = true
            return Effect.void
          }
          const started = { again: true }
          running.set(sessionId, started)
          return Effect.asVoid(FiberSet.run(fibers, deliver(sessionId, started)))
        })
    }
  })
