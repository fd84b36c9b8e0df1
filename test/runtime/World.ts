import { Context, Effect, Exit, Layer, Logger, Scope, TestClock } from "effect"
import { MessageId, type ScheduleId, type SessionId } from "../../src/domain/Identifiers.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../src/runtime/ScheduleRuntime.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import { SessionHeaders } from "../../src/runtime/SessionHeaders.ts"
import { layerMemory, ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import type { StorageError } from "../../src/storage/StorageError.ts"

/** A message in a Session's inbox. */
export interface Received extends AgentResolver.FollowUp {
  readonly messageId: MessageId
}

/**
 * What surrounds the service in its tests: Sessions whose Agents misbehave when told to, a store that fails when told to,
 * and everything that was logged. It outlives the service, so that a test can stop one Host and start another.
 */
export class World {
  readonly domain: ScheduleDomain["Type"]
  constructor(domain: ScheduleDomain["Type"]) {
    this.domain = domain
  }
  readonly inboxes = new Map<SessionId, Array<Received>>()
  readonly depths = new Map<SessionId, number>()
  readonly logs: Array<string> = []
  readonly activations: Array<SessionId> = []
  /** Runs before a Session's Agent is answered. */
  onResolve: (sessionId: SessionId) => Effect.Effect<void, AgentResolver.AgentUnavailable> = () => Effect.void
  onFollowup: (sessionId: SessionId, text: string) => Effect.Effect<void, AgentResolver.AgentUnavailable> = () =>
    Effect.void
  onFlush: (sessionId: SessionId) => Effect.Effect<boolean, AgentResolver.AgentUnavailable> = () => Effect.succeed(true)
  /** Runs before the store does. */
  onCommit: (ids: ReadonlyArray<ScheduleId>) => Effect.Effect<void, StorageError> = () => Effect.void
  onPut: (titles: ReadonlyArray<string>) => Effect.Effect<void, StorageError> = () => Effect.void
  onRemove: (id: ScheduleId) => Effect.Effect<void, StorageError> = () => Effect.void
  onRemoveInactive: () => Effect.Effect<void, StorageError> = () => Effect.void
  /** Whether Agents can tell which occurrences they hold. */
  knowsKeys = true
  commits = 0

  readonly inbox = (sessionId: SessionId): ReadonlyArray<Received> => this.inboxes.get(sessionId) ?? []
  readonly texts = (sessionId: SessionId): ReadonlyArray<string> => this.inbox(sessionId).map(({ text }) => text)

  readonly handler: AgentResolver.Handler = (sessionId) =>
    Effect.suspend(() => {
      this.activations.push(sessionId)
      return Effect.as(this.onResolve(sessionId), this.agent(sessionId))
    })

  private readonly agent = (sessionId: SessionId): AgentResolver.ResolvedAgent => ({
    followup: (message) =>
      Effect.map(this.onFollowup(sessionId, message.text), () => {
        const inbox = this.inboxes.get(sessionId) ?? []
        this.inboxes.set(sessionId, inbox)
        const messageId = MessageId.make(`${sessionId}-message-${inbox.length + 1}`)
        inbox.push({ ...message, messageId })
        return messageId
      }),
    flush: Effect.suspend(() => this.onFlush(sessionId)),
    ...(this.knowsKeys && {
      heldKeys: (keys: ReadonlyArray<string>) =>
        Effect.sync(
          () =>
            new Map(
              this.inbox(sessionId).flatMap((message) =>
                message.keys.filter((key) => keys.includes(key)).map((key) => [key, message.messageId] as const)
              )
            )
        )
    })
  })

  private readonly faulty = (domain: ScheduleDomain["Type"]): ScheduleDomain["Type"] => ({
    ...domain,
    put: (tasks) => Effect.zipRight(this.onPut(tasks.map(({ record }) => record.title)), domain.put(tasks)),
    remove: (id) => Effect.zipRight(this.onRemove(id), domain.remove(id)),
    removeInactive: Effect.zipRight(
      Effect.suspend(() => this.onRemoveInactive()),
      domain.removeInactive
    ),
    commit: (deliveries, bounds) =>
      Effect.suspend(() => {
        this.commits++
        return this.onCommit(deliveries.map(({ id }) => id))
      }).pipe(Effect.zipRight(domain.commit(deliveries, bounds)))
  })

  /** Starts a Host over the store; the caller's scope stops it if `stop` was not called. */
  readonly start = Effect.fnUntraced(function* (this: World, settings: HostSettings = {}) {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const { handler = true, ...config } = settings
    const registered = Layer.scopedDiscard(
      Effect.flatMap(AgentResolver.AgentResolver, (resolver) =>
        handler ? resolver.registerController(this.handler) : Effect.void
      )
    )
    const context = yield* ScheduleRuntime.layer.pipe(
      Layer.provideMerge(registered),
      Layer.provideMerge(AgentResolver.layer),
      Layer.provide([
        ScheduleConfig.layer(config),
        Layer.succeed(ScheduleDomain, this.faulty(this.domain)),
        Layer.succeed(SessionHeaders, {
          delegationDepth: (sessionId) => Effect.sync(() => this.depths.get(sessionId) ?? 0)
        })
      ]),
      Layer.provide(Logger.replace(Logger.defaultLogger, this.logger)),
      Layer.buildWithScope(scope)
    )
    yield* settle
    return {
      service: Context.get(context, ScheduleService),
      resolver: Context.get(context, AgentResolver.AgentResolver),
      stop: Scope.close(scope, Exit.void)
    }
  })

  private readonly logger = Logger.make(({ annotations, logLevel, message }) => {
    const notes = [...annotations].map(([key, value]) => `${key}=${value}`).join(" ")
    this.logs.push(`${logLevel.label} ${[message].flat().join(" ")} ${notes}`)
  })
}

/** A world with an empty store in memory. */
export const make = Effect.map(Layer.build(layerMemory), (context) => new World(Context.get(context, ScheduleDomain)))

/** Lets every fiber run until it waits for the clock or for something else. */
export const settle = TestClock.adjust(0)

/** What a Host of the tests is started with. */
export interface HostSettings extends Partial<ScheduleConfig.Settings> {
  /** Whether the Session controller's handler is registered; default true. */
  readonly handler?: boolean
}
