import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"

type Answer = Effect.Effect<never, never> | Effect.Effect<unknown, unknown>

/** A service that answers every call with what the test told it, and remembers the calls. */
export class FakeService extends Context.Tag("test/FakeService")<
  FakeService,
  {
    readonly calls: Array<ReadonlyArray<unknown>>
    answer: Answer
    readonly change: Effect.Effect<void>
    readonly subscribers: () => number
  }
>() {}

export const layer: Layer.Layer<FakeService | ScheduleService> = Layer.effectContext(
  Effect.gen(function* () {
    const changed = yield* PubSub.sliding<void>(1)
    let subscribers = 0
    const fake: FakeService["Type"] = {
      calls: [],
      answer: Effect.void,
      change: Effect.asVoid(PubSub.publish(changed, undefined)),
      subscribers: () => subscribers
    }
    // the fake answers with whatever the test chose, which no type can tell
    const method =
      (name: string) =>
      (...args: ReadonlyArray<unknown>): Effect.Effect<never> =>
        Effect.suspend(() => {
          fake.calls.push([name, ...args])
          return fake.answer as Effect.Effect<never>
        })
    const service = ScheduleService.of({
      create: method("create"),
      list: method("list"),
      catalog: method("catalog"),
      catalogPage: method("catalogPage"),
      history: method("history"),
      update: method("update"),
      delete: method("delete"),
      deleteInactive: method("deleteInactive"),
      reopen: method("reopen"),
      archiveAdmission: Effect.void,
      changes: Stream.unwrapScoped(
        Effect.gen(function* () {
          const queue = yield* PubSub.subscribe(changed)
          yield* Effect.acquireRelease(
            Effect.sync(() => void subscribers++),
            () => Effect.sync(() => void subscribers--)
          )
          return Stream.fromQueue(queue)
        })
      )
    })
    return Context.make(ScheduleService, service).pipe(Context.add(FakeService, fake))
  })
)
