/**
 * What the Agents of a Host do with a message, as configured.
 *
 * @since 0.1.0
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { AgentDriver } from "../session/AgentDriver.ts"
import * as CommandDriver from "../session/CommandDriver.ts"
import * as InboxDriver from "../session/InboxDriver.ts"
import * as WebhookDriver from "../session/WebhookDriver.ts"
import { type HostConfig, HostConfigInvalid } from "./HostConfig.ts"

/**
 * The driver that a configuration asks for; one that lacks what it needs is refused.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (config: HostConfig): Effect.Effect<Layer.Layer<AgentDriver>, HostConfigInvalid> =>
  Effect.gen(function* () {
    const timeLimit = yield* durationOf(config.driverTimeLimit)
    switch (config.driver ?? "inbox") {
      case "inbox":
        return InboxDriver.layer
      case "command": {
        const [program, ...args] = config.driverCommand ?? []
        if (program === undefined) return yield* missing("command", "--command", "driverCommand")
        return Layer.provide(CommandDriver.layer({ command: [program, ...args], timeLimit }), NodeContext.layer)
      }
      case "webhook": {
        const { webhookSecret, webhookUrl } = config
        if (webhookUrl === undefined) return yield* missing("webhook", "--webhook-url", "webhookUrl")
        if (!isPostable(webhookUrl)) {
          return yield* new HostConfigInvalid({
            message: "the webhook's URL must be a whole one, such as https://example.org/hook, without a password"
          })
        }
        if (webhookSecret === undefined || webhookSecret === "") {
          return yield* missing("webhook", "HOST_SCHEDULE_WEBHOOK_SECRET", "webhookSecret")
        }
        const secret = Redacted.make(webhookSecret)
        return Layer.provide(WebhookDriver.layer({ url: webhookUrl, secret, timeLimit }), FetchHttpClient.layer)
      }
    }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const missing = (driver: string, flag: string, key: string) =>
  new HostConfigInvalid({ message: `the driver ${driver} needs ${flag}, or ${key} in config.json` })

/** `localhost:8080/hook` is a URL, too, and one of the scheme `localhost`. No request may have a user and password in its URL. */
const isPostable = (text: string) => {
  if (!URL.canParse(text)) return false
  const { password, protocol, username } = new URL(text)
  return /^https?:$/.test(protocol) && username + password === ""
}

const durationOf = (text: string | undefined): Effect.Effect<Duration.Duration | undefined, HostConfigInvalid> => {
  if (text === undefined) return Effect.succeed(undefined)
  const duration = Duration.decodeUnknown(text)
  return duration._tag === "Some" && Duration.greaterThan(duration.value, 0)
    ? Effect.succeed(duration.value)
    : new HostConfigInvalid({
        message: `the driver's time limit must be a time such as "10 minutes", not ${JSON.stringify(text)}`
      })
}
