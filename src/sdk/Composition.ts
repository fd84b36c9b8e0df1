/**
 * The Host behind an SDK client: storage and the schedule service, without Sessions of its own.
 *
 * @since 0.1.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ScheduleClient } from "../remote/ScheduleClient.ts"
import * as ScheduleHandlers from "../remote/ScheduleHandlers.ts"
import { SessionAdmission } from "../remote/SessionAdmission.ts"
import * as AgentResolver from "../runtime/AgentResolver.ts"
import { ScheduleConfig, type Settings } from "../runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../runtime/ScheduleRuntime.ts"
import * as SelfHealing from "../runtime/SelfHealing.ts"
import type { ScheduleDomain } from "../storage/ScheduleDomain.ts"
import type { OpenError } from "../storage/StorageError.ts"
import * as DelegationDepth from "./DelegationDepth.ts"
import * as ScheduleMethods from "./ScheduleMethods.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Parts {
  readonly domain: Layer.Layer<ScheduleDomain, OpenError>
  readonly settings: Layer.Layer<ScheduleConfig, ConfigError>
  /** Whether a store that is quarantined is opened again without being asked; see `SelfHealing`. Default: no. */
  readonly heals?: boolean | undefined
}

/**
 * What the connection works with.
 *
 * @since 0.1.0
 * @category models
 */
export type Mounted = ScheduleClient | AgentResolver.AgentResolver | ScheduleConfig

/**
 * The client's handler is registered before the service starts, so that its first drive finds it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  { domain, heals = false, settings }: Parts,
  handler: (settings: Settings) => AgentResolver.Handler
): Layer.Layer<Mounted, OpenError | ConfigError> => {
  const registered = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { register } = yield* AgentResolver.AgentResolver
      yield* register(handler(yield* ScheduleConfig))
    })
  )
  return Layer.merge(ScheduleHandlers.layerClient, heals ? SelfHealing.layer : Layer.empty).pipe(
    Layer.provide(Layer.succeed(SessionAdmission, ScheduleMethods.admit)),
    Layer.provide(ScheduleRuntime.layer),
    Layer.provide([DelegationDepth.layerHeaders, domain]),
    Layer.provideMerge(Layer.provideMerge(registered, AgentResolver.layer)),
    Layer.provideMerge(settings)
  )
}
