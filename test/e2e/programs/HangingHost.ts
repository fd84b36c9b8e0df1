// A Host whose Session `deaf` never resolves and whose Session `stuck` never flushes. It prints what happens, one JSON per line,
// with the time by its clock, and creates reminders for `well` all the while.
import { Clock, Duration, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { MessageId, SessionId } from "../../../src/domain/Identifiers.ts"
import * as AgentResolver from "../../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../../src/runtime/ScheduleConfig.ts"
import * as ScheduleRuntime from "../../../src/runtime/ScheduleRuntime.ts"
import { ScheduleService } from "../../../src/runtime/ScheduleService.ts"
import * as SessionHeaders from "../../../src/runtime/SessionHeaders.ts"
import * as Storage from "../../../src/storage/Storage.ts"

const [directory = ""] = process.argv.slice(2)

const print = (event: string, sessionId: string) =>
  Effect.map(Clock.currentTimeMillis, (at) => process.stdout.write(`${JSON.stringify({ event, sessionId, at })}\n`))

const handler: AgentResolver.Handler = (sessionId) =>
  Effect.zipRight(
    print("resolve", sessionId),
    sessionId === "deaf"
      ? Effect.never
      : Effect.succeed({
          followup: () => Effect.as(print("followup", sessionId), MessageId.make(crypto.randomUUID())),
          flush: sessionId === "stuck" ? Effect.never : Effect.succeed(true)
        })
  )

const host = ScheduleRuntime.layer.pipe(
  Layer.provideMerge(
    Layer.scopedDiscard(Effect.flatMap(AgentResolver.AgentResolver, ({ register }) => register(handler)))
  ),
  Layer.provideMerge(AgentResolver.layer),
  Layer.provide([
    SessionHeaders.layerTopLevel,
    ScheduleConfig.layer({ flushTimeout: Duration.seconds(1), deliveryRetry: ScheduleConfig.compositionRetry }),
    Storage.layer({ kind: "sqlite", directory })
  ])
)

const program = Effect.gen(function* () {
  const { catalog, create } = yield* ScheduleService
  const remind = (sessionId: string, seconds: number) =>
    create(SessionId.make(sessionId), { title: "t", prompt: "p", after_seconds: seconds })
  yield* remind("deaf", 1)
  yield* remind("stuck", 1)
  for (let seconds = 1; seconds <= 6; seconds++) yield* remind("well", seconds)
  yield* Effect.sleep("8 seconds")
  for (const { lastDelivery, record, sessionId } of yield* catalog()) {
    process.stdout.write(
      `${JSON.stringify({ event: "receipt", sessionId, at: lastDelivery?.deliveredAt, target: record.scheduledAt })}\n`
    )
  }
})

const logs = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

const runtime = ManagedRuntime.make(Layer.provide(host, logs))
await runtime.runPromise(program)
await runtime.dispose()
