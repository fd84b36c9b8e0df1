// Mounts the schedule service in a program of its own: storage in ./reminders, and a resolver that knows its own agents.
import { randomUUID } from "node:crypto"
import { Console, Effect, Layer, Stream } from "effect"
import { MessageId, SessionId } from "host-schedule/domain"
import { AgentResolver, ScheduleConfig, ScheduleRuntime, ScheduleService, SessionHeaders } from "host-schedule/runtime"
import { Storage } from "host-schedule/storage"

// A Session's Agent: takes a message into its inbox, and says when the inbox is on disk.
const Agents = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { register } = yield* AgentResolver.AgentResolver
    yield* register((sessionId) =>
      Effect.succeed({
        followup: ({ text }) => Effect.as(Console.log(`to ${sessionId}:\n${text}`), MessageId.make(randomUUID())),
        flush: Effect.succeed(true)
      })
    )
  })
)

const Schedule = ScheduleRuntime.layer.pipe(
  Layer.provide(Agents),
  Layer.provide(AgentResolver.layer),
  Layer.provide([Storage.layer({ kind: "sqlite", directory: "reminders" }), SessionHeaders.layerTopLevel]),
  Layer.provide(ScheduleConfig.layer({ deliveryRetry: ScheduleConfig.compositionRetry }))
)

const program = Effect.gen(function* () {
  const schedule = yield* ScheduleService
  const sessionId = SessionId.make("conversation-1")
  yield* schedule.create(sessionId, { title: "Tea", prompt: "The tea is ready.", after_seconds: 1 })
  yield* schedule.changes.pipe(
    Stream.mapEffect(() => schedule.list({ sessionId })),
    Stream.takeUntil((active) => active.length === 0),
    Stream.runDrain
  )
})

Effect.runPromise(Effect.provide(program, Schedule))
