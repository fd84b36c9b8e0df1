/**
 * Archive admission: who is asked what still runs in a Session before it is archived, and who stops it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { SessionId } from "./SessionHeader.ts"

/**
 * What one family of activity, such as `schedule` or `agent`, still has running in a Session.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ActivityFamily = Schema.Struct({
  family: Schema.String,
  items: Schema.Array(Schema.Struct({ id: Schema.String, label: Schema.String }))
})

/**
 * @since 0.1.0
 * @category models
 */
export type ActivityFamily = typeof ActivityFamily.Type

/**
 * A provider could not say what runs in a Session, so it was not archived. Try again, or archive with `stopActivity`.
 *
 * @since 0.1.0
 * @category errors
 */
export class ActivityUnknown extends Schema.TaggedError<ActivityUnknown>("host-schedule/session/ActivityUnknown")(
  "ActivityUnknown",
  { sessionId: Schema.String, family: Schema.String, cause: Schema.Defect }
) {
  override get message() {
    return `it is not known what ${this.family} runs in Session ${JSON.stringify(this.sessionId)}`
  }
}

/**
 * One family's answers, for every Session. Both may fail with anything: a failing `activity` refuses the archive, a failing
 * `stop` is logged and the archive stays.
 *
 * @since 0.1.0
 * @category models
 */
export interface ActivityProvider {
  readonly family: string
  /** `workspace/session-activity`: what runs there now; nothing adds no family. */
  readonly activity: (sessionId: SessionId) => Effect.Effect<ActivityFamily["items"], unknown>
  /** `workspace/session-stop`: stops all of it. The Session is archived durably by then. */
  readonly stop: (sessionId: SessionId) => Effect.Effect<void, unknown>
}

/**
 * @since 0.1.0
 * @category services
 */
export class WorkspaceRegistry extends Context.Tag("host-schedule/session/WorkspaceRegistry")<
  WorkspaceRegistry,
  {
    /** Registers a provider until the scope closes. */
    readonly register: (provider: ActivityProvider) => Effect.Effect<void, never, Scope.Scope>

    /** Every family with something running; each provider comes before those that were registered earlier. */
    readonly activity: (sessionId: SessionId) => Effect.Effect<ReadonlyArray<ActivityFamily>, ActivityUnknown>

    /** Asks every provider to stop, whether or not others fail; failures are logged. */
    readonly stop: (sessionId: SessionId) => Effect.Effect<void>
  }
>() {}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<WorkspaceRegistry> = Layer.sync(WorkspaceRegistry, () => {
  // The latest first.
  let providers: ReadonlyArray<ActivityProvider> = []

  return WorkspaceRegistry.of({
    register: (provider) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          providers = [provider, ...providers]
        }),
        () =>
          Effect.sync(() => {
            providers = providers.filter((other) => other !== provider)
          })
      ),
    activity: (sessionId) =>
      Effect.forEach(providers, ({ family, activity }) =>
        activity(sessionId).pipe(
          Effect.map((items) => ({ family, items })),
          Effect.mapError((cause) => new ActivityUnknown({ sessionId, family, cause }))
        )
      ).pipe(Effect.map((families) => families.filter(({ items }) => items.length > 0))),
    stop: (sessionId) =>
      Effect.forEach(
        providers,
        ({ family, stop }) =>
          stop(sessionId).pipe(
            Effect.sandbox,
            Effect.catchAll((cause) => Effect.logError("an archived Session was not stopped", cause)),
            Effect.annotateLogs({ session: sessionId, family })
          ),
        { discard: true }
      )
  })
})
