/**
 * Serving the tools of a Session to an agent program over stdio.
 *
 * @since 0.1.0
 */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type { SessionId } from "../domain/Identifiers.ts"
import { SessionClient } from "../remote/SessionClient.ts"
import { CallingSession } from "../tools/CallingSession.ts"
import * as McpServer from "../tools/McpServer.ts"
import * as McpStdio from "../tools/McpStdio.ts"
import * as ScheduleTools from "../tools/ScheduleTools.ts"
import * as Connection from "./Connection.ts"
import * as Output from "./Output.ts"

/**
 * Serves until the input ends or the first signal comes. The Session must exist. The Host, or the home when none runs, is held
 * for the time of each call only, so that a Host can start and stop while the agent program goes on.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = (sessionId: SessionId, options: Connection.Options) =>
  Effect.gen(function* () {
    const connection = Connection.layer(options)
    yield* Effect.flatMap(SessionClient, (client) => client.delegationDepth({ id: sessionId })).pipe(
      Effect.provide(connection)
    )
    const tools = ScheduleTools.layerPerCall(Layer.provide(ScheduleTools.layerClient, connection))
    const context = yield* Layer.build(McpServer.layer({ version: yield* Output.Version }).pipe(Layer.provide(tools)))
    const serving = McpStdio.run({
      answer: Context.get(context, McpServer.McpServer).answer,
      stdin: NodeStream.stdin,
      stdout: NodeSink.stdout
    })
    yield* Effect.raceFirst(serving, yield* Output.Signal)
  }).pipe(
    Effect.scoped,
    Effect.provideService(CallingSession, Option.some(sessionId)),
    Output.withLogs(LogLevel.Warning)
  )
