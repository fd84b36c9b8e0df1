/**
 * The warning about reminders that only the Session-local system would deliver.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { type OpenObserver, SessionController } from "../session/SessionController.ts"
import { eventType } from "./ScheduleChange.ts"
import { foldScheduleEvents } from "./ScheduleFold.ts"

/**
 * Logs one warning when a Session is opened whose own events hold active historical reminders, which tells to create them
 * anew, and one when they cannot be read. It never stops a Session from opening.
 *
 * @since 0.1.0
 * @category observers
 */
export const observer: OpenObserver = {
  types: [eventType],
  opened: (header, events) =>
    Either.match(foldScheduleEvents(events), {
      onLeft: ({ message }) =>
        Effect.logWarning(`the historical reminders of this Session cannot be read and will not come: ${message}`),
      onRight: ({ active }) =>
        active.length === 0
          ? Effect.void
          : Effect.logWarning(
              `this Session has ${active.length} historical reminder${active.length === 1 ? "" : "s"} that will not come; recreate with schedule_create`
            ).pipe(Effect.annotateLogs({ reminders: active.map(({ id }) => id).join(", ") }))
    }).pipe(Effect.annotateLogs({ module: "LoadWarning", session: header.id }))
}

/**
 * Watches every Session of the controller.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never, never, SessionController> = Layer.scopedDiscard(
  Effect.flatMap(SessionController, ({ onOpen }) => onOpen(observer))
)
