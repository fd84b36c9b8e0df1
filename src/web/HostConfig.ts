/**
 * `config.json`: what a home says of its Host. Flags and environment come first.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as ScheduleConfig from "../runtime/ScheduleConfig.ts"
import * as Shard from "../storage/Shard.ts"
import { type Home, type HomeUnusable, unusable } from "./Home.ts"

/**
 * The configuration does not say what a Host needs, or says something else. Correct what `message` names.
 *
 * @since 0.1.0
 * @category errors
 */
export class HostConfigInvalid extends Schema.TaggedError<HostConfigInvalid>("host-schedule/web/HostConfigInvalid")(
  "HostConfigInvalid",
  { message: Schema.String }
) {}

/**
 * Where reminders are kept.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Storage = Schema.Literal("sqlite", "json", "postgres")

/**
 * @since 0.1.0
 * @category models
 */
export type Storage = typeof Storage.Type

const Count = Schema.optional(Schema.Int)
const Time = Schema.optional(Schema.String)

const runtime = {
  deliveryHistoryDays: Count,
  deliveryHistoryRecords: Count,
  deliveryConcurrency: Count,
  maxSleep: Time,
  activationTimeout: Time,
  flushTimeout: Time,
  deliveryRetry: Schema.optional(Schema.Boolean),
  deliveryRetryMin: Time,
  deliveryRetryMax: Time
}

/**
 * Every key may be left out; any other is refused. Times are written like `30 seconds`. The keys of the runtime are those of
 * `ScheduleConfig`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HostConfig = Schema.Struct({
  host: Schema.optional(Schema.NonEmptyString),
  port: Schema.optional(Schema.Int.pipe(Schema.between(0, 65_535))),
  storage: Schema.optional(Storage),
  driver: Schema.optional(Schema.Literal("inbox", "command", "webhook")),
  /** The program and its arguments, passed as they are. */
  driverCommand: Schema.optional(Schema.NonEmptyArray(Schema.String)),
  driverTimeLimit: Time,
  webhookUrl: Schema.optional(Schema.String),
  webhookSecret: Schema.optional(Schema.String),
  databaseUrl: Schema.optional(Schema.NonEmptyString),
  /** Whether the Host is one of several over one PostgreSQL database. */
  cluster: Schema.optional(Schema.Boolean),
  /** Where the other Hosts reach this one. */
  clusterHost: Schema.optional(Schema.NonEmptyString),
  clusterPort: Schema.optional(Schema.Int.pipe(Schema.between(1, 65_535))),
  clusterLease: Time,
  shards: Schema.optional(Schema.Int.pipe(Schema.between(1, Shard.maxCount))),
  /** The directory of the Sessions that all Hosts of a cluster see. */
  sessions: Schema.optional(Schema.NonEmptyString),
  ...runtime
})

/**
 * @since 0.1.0
 * @category models
 */
export type HostConfig = typeof HostConfig.Type

/**
 * Reads the file of a home; an absent one is empty.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (home: Home): Effect.Effect<HostConfig, HomeUnusable | HostConfigInvalid, FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem
    const text = yield* fs.readFileString(home.config).pipe(
      Effect.catchIf(
        (error) => error._tag === "SystemError" && error.reason === "NotFound",
        () => Effect.succeed("{}")
      ),
      Effect.mapError((error) => unusable(home.config, error))
    )
    return yield* Effect.mapError(decode(text), (error) => {
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `
      return new HostConfigInvalid({
        message: `${home.config}: ${where}${(issue?.message ?? "it is not a configuration").replace(/^is unexpected, expected: /, "is no setting; there are ")}`
      })
    })
  })

/**
 * The runtime's settings: environment variables such as `HOST_SCHEDULE_DELIVERY_HISTORY_DAYS`, else the file's, else the
 * defaults of the shipped compositions.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerSettings = (config: HostConfig) => {
  const fromFile = Object.keys(runtime).flatMap((key): ReadonlyArray<[string, string]> => {
    const value = config[key as keyof typeof runtime]
    return value === undefined ? [] : [[key, String(value)]]
  })
  return ScheduleConfig.layerConfig({ deliveryRetry: ScheduleConfig.compositionRetry }).pipe(
    Layer.provide(
      Layer.setConfigProvider(
        ConfigProvider.fromEnv().pipe(
          ConfigProvider.nested("HOST_SCHEDULE"),
          ConfigProvider.constantCase,
          ConfigProvider.orElse(() => ConfigProvider.fromMap(new Map(fromFile)))
        )
      )
    )
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const decode = Schema.decode(Schema.parseJson(HostConfig), { onExcessProperty: "error" })
