/**
 * The Host without its server: storage, Sessions and the schedule service over one home directory.
 *
 * @since 0.1.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LoadWarning from "../legacy/LoadWarning.ts"
import * as SessionLocalSchedule from "../legacy/SessionLocalSchedule.ts"
import * as SessionHandlers from "../remote/SessionHandlers.ts"
import * as AgentResolver from "../runtime/AgentResolver.ts"
import type { ScheduleConfig } from "../runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../runtime/ScheduleRuntime.ts"
import * as SelfHealing from "../runtime/SelfHealing.ts"
import type { AgentDriver } from "../session/AgentDriver.ts"
import * as SessionsOnDisk from "../session/SessionsOnDisk.ts"
import * as WorkspaceRegistry from "../session/WorkspaceRegistry.ts"
import { ScheduleDomain } from "../storage/ScheduleDomain.ts"
import type { OpenError } from "../storage/StorageError.ts"
import * as SessionBridge from "./SessionBridge.ts"

/**
 * What a Host is made of.
 *
 * @since 0.1.0
 * @category models
 */
export interface Parts {
  readonly home: string
  readonly domain: Layer.Layer<ScheduleDomain, OpenError>
  readonly driver: Layer.Layer<AgentDriver>
  readonly settings: Layer.Layer<ScheduleConfig, ConfigError>
  /** Whether due reminders are delivered to the Sessions of this home. */
  readonly delivers: boolean
  /** Whether a store that is quarantined is opened again without being asked; see `SelfHealing`. Default: no. */
  readonly heals?: boolean | undefined
  /** Whether historical reminders come in their live Sessions, in place of a warning about them. Default: no. */
  readonly legacyLocal?: boolean | undefined
  /** Which Sessions and where, asked once the domain is open. Default: all, in `sessions/` of the home. */
  readonly sessions?: (() => SessionsOnDisk.Options) | undefined
}

/**
 * Layers close in reverse: the service drains first, while Sessions and storage still work for it; storage, whose lock keeps
 * other processes out of the home, closes last.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (parts: Parts) => {
  const { delivers, domain, driver, heals = false, home, legacyLocal = false, settings } = parts
  // nothing may touch the Sessions of a home before its lock is held
  const onDisk = Layer.unwrapEffect(
    Effect.map(ScheduleDomain, () => SessionsOnDisk.layer(parts.sessions?.() ?? { home }))
  )
  const history = legacyLocal ? Layer.discard(SessionLocalSchedule.layer) : LoadWarning.layer
  const sessions = Layer.provideMerge(history, onDisk)
  const resolver = delivers ? Layer.provideMerge(SessionBridge.layerResolver, AgentResolver.layer) : AgentResolver.layer
  return Layer.merge(SessionBridge.layerArchiveAdmission, heals ? SelfHealing.layer : Layer.empty).pipe(
    Layer.provideMerge(ScheduleRuntime.layer),
    Layer.provide([resolver, SessionBridge.layerHeaders, settings]),
    Layer.provideMerge(sessions),
    Layer.provide(driver),
    Layer.provideMerge(WorkspaceRegistry.layer),
    Layer.provideMerge(domain)
  )
}

/**
 * A Host that is alone, as it serves.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerServing = (parts: Omit<Parts, "delivers">) =>
  Layer.provideMerge(SessionHandlers.layerClient, layer({ ...parts, delivers: true }))
