/**
 * The default driver: messages stay in the inbox for a person or program to consume.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AgentDriver } from "./AgentDriver.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<AgentDriver> = Layer.succeed(AgentDriver, { name: "inbox", turn: Option.none() })
