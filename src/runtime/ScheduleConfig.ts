/**
 * The settings of the runtime.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { HistoryBounds } from "../domain/ScheduleTask.ts"

/**
 * When a failed delivery is tried again: after `min`, then twice as long each time up to `max`, each with jitter. Kept in
 * memory, Session by Session.
 *
 * @since 0.1.0
 * @category models
 */
export interface RetryPolicy {
  readonly min: Duration.Duration
  readonly max: Duration.Duration
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  /** How many days of delivery history an append keeps, 1–3650. Default 30. */
  readonly deliveryHistoryDays: number
  /** How many records of delivery history an append keeps, 1–10 000. Default 200. */
  readonly deliveryHistoryRecords: number
  /** The longest nap of the Host timer, 1 ms to 24 days. Default 30 s: a clock that jumped is noticed within it. */
  readonly maxSleep: Duration.Duration
  /** How long activating a Session may take, at least 1 ms. Default 30 s. */
  readonly activationTimeout: Duration.Duration
  /** How long a Session may take to have its messages on disk, at least 1 ms. Default 10 s. */
  readonly flushTimeout: Duration.Duration
  /** How many Sessions are delivered to at once, 1–10 000. Default 16. */
  readonly deliveryConcurrency: number
  /** How failed deliveries are retried. Default `undefined`: when something else wakes the drive. */
  readonly deliveryRetry: RetryPolicy | undefined
}

/**
 * @since 0.1.0
 * @category services
 */
export class ScheduleConfig extends Context.Tag("host-schedule/runtime/ScheduleConfig")<ScheduleConfig, Settings>() {}

/**
 * @since 0.1.0
 * @category constants
 */
export const defaults: Settings = {
  deliveryHistoryDays: 30,
  deliveryHistoryRecords: 200,
  maxSleep: Duration.seconds(30),
  activationTimeout: Duration.seconds(30),
  flushTimeout: Duration.seconds(10),
  deliveryConcurrency: 16,
  deliveryRetry: undefined
}

/**
 * The retry policy of the shipped compositions: 1 s to 5 min.
 *
 * @since 0.1.0
 * @category constants
 */
export const compositionRetry: RetryPolicy = { min: Duration.seconds(1), max: Duration.minutes(5) }

/**
 * The defaults with some settings replaced; fails naming the field and its range.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (settings: Partial<Settings> = {}): Layer.Layer<ScheduleConfig, ConfigError.ConfigError> =>
  Layer.effect(ScheduleConfig, validate({ ...defaults, ...settings }))

/**
 * Every setting by its own name, the given ones and the defaults where it is absent. Durations are written like
 * `30 seconds`; `deliveryRetryMin` and `deliveryRetryMax` turn retries on, and `deliveryRetry: false` turns them off.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (settings: Partial<Settings> = {}): Layer.Layer<ScheduleConfig, ConfigError.ConfigError> =>
  Layer.effect(ScheduleConfig, Effect.flatMap(config({ ...defaults, ...settings }), validate))

/**
 * As {@link layerConfig}, from environment variables such as `HOST_SCHEDULE_DELIVERY_HISTORY_DAYS`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFromEnv = (settings: Partial<Settings> = {}): Layer.Layer<ScheduleConfig, ConfigError.ConfigError> =>
  Layer.provide(
    layerConfig(settings),
    Layer.setConfigProvider(
      ConfigProvider.fromEnv().pipe(ConfigProvider.nested("HOST_SCHEDULE"), ConfigProvider.constantCase)
    )
  )

/**
 * The bounds that history appends prune to.
 *
 * @since 0.1.0
 * @category getters
 */
export const historyBounds = (settings: Settings): HistoryBounds => ({
  days: settings.deliveryHistoryDays,
  records: settings.deliveryHistoryRecords
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const config = (fallback: Settings): Config.Config<Settings> =>
  Config.all({
    deliveryHistoryDays: Config.integer("deliveryHistoryDays").pipe(Config.withDefault(fallback.deliveryHistoryDays)),
    deliveryHistoryRecords: Config.integer("deliveryHistoryRecords").pipe(
      Config.withDefault(fallback.deliveryHistoryRecords)
    ),
    maxSleep: Config.duration("maxSleep").pipe(Config.withDefault(fallback.maxSleep)),
    activationTimeout: Config.duration("activationTimeout").pipe(Config.withDefault(fallback.activationTimeout)),
    flushTimeout: Config.duration("flushTimeout").pipe(Config.withDefault(fallback.flushTimeout)),
    deliveryConcurrency: Config.integer("deliveryConcurrency").pipe(Config.withDefault(fallback.deliveryConcurrency)),
    retries: Config.boolean("deliveryRetry").pipe(Config.withDefault(fallback.deliveryRetry !== undefined)),
    min: Config.duration("deliveryRetryMin").pipe(Config.withDefault((fallback.deliveryRetry ?? compositionRetry).min)),
    max: Config.duration("deliveryRetryMax").pipe(Config.withDefault((fallback.deliveryRetry ?? compositionRetry).max))
  }).pipe(
    Config.map(({ max, min, retries, ...rest }) => ({ ...rest, deliveryRetry: retries ? { min, max } : undefined }))
  )

const validate = (settings: Settings): Either.Either<Settings, ConfigError.ConfigError> => {
  const problems = [
    integer("deliveryHistoryDays", settings.deliveryHistoryDays, 1, 3650),
    integer("deliveryHistoryRecords", settings.deliveryHistoryRecords, 1, 10_000),
    integer("deliveryConcurrency", settings.deliveryConcurrency, 1, 10_000),
    duration("maxSleep", settings.maxSleep, maxTimer),
    duration("activationTimeout", settings.activationTimeout, maxTimer),
    duration("flushTimeout", settings.flushTimeout, maxTimer),
    ...(settings.deliveryRetry === undefined
      ? []
      : [
          duration("deliveryRetryMax", settings.deliveryRetry.max, maxTimer),
          duration("deliveryRetryMin", settings.deliveryRetry.min, Duration.toMillis(settings.deliveryRetry.max))
        ])
  ].filter((problem) => problem !== undefined)
  return problems.length === 0
    ? Either.right(settings)
    : Either.left(problems.reduce((left, right) => ConfigError.And(left, right)))
}

// The platform's longest timer; a longer one would fire at once.
const maxTimer = 2 ** 31 - 1

const integer = (field: string, value: number, low: number, high: number) =>
  Number.isInteger(value) && value >= low && value <= high
    ? undefined
    : ConfigError.InvalidData([field], `Expected an integer from ${low} to ${high}, but received ${value}`)

const duration = (field: string, value: Duration.Duration, high: number) => {
  const millis = Duration.toMillis(value)
  return millis >= 1 && millis <= high
    ? undefined
    : ConfigError.InvalidData([field], `Expected a duration from 1 ms to ${high} ms, but received ${millis} ms`)
}
