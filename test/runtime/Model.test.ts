import { assert, describe, it } from "@effect/vitest"
import { type Clock, Duration, Effect, FastCheck, Runtime, Scope, TestClock } from "effect"
import { type ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import { AgentUnavailable } from "../../src/runtime/AgentResolver.ts"
import { StorageFailure } from "../../src/storage/StorageError.ts"
import { day, type Rule, ScheduleModel, type Task } from "./ScheduleModel.ts"
import * as World from "./World.ts"

const runs = Number(process.env.MODEL_RUNS ?? 40)

describe("the service and its model", () => {
  it.effect(
    "agree after every step of random management, due times, clock jumps, failures and restarts",
    () =>
      Effect.gen(function* () {
        const runtime = yield* Effect.runtime<never>()
        const run = Runtime.runPromise(runtime)
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(
              FastCheck.commands([...commands, ...frequent], { maxCommands: 60, size: "max" }),
              (plan) =>
                run(
                  Effect.gen(function* () {
                    yield* TestClock.setTime(0)
                    const real = yield* Real.make
                    const inner = yield* Effect.runtime<never>()
                    yield* Effect.promise(() =>
                      FastCheck.asyncModelRun(
                        () => ({
                          model: new ScheduleModel(maxSleep, kept),
                          real: { real, run: Runtime.runPromise(inner) }
                        }),
                        plan
                      )
                    )
                  }).pipe(Effect.scoped)
                )
            ),
            { numRuns: runs }
          )
        )
      }),
    600_000
  )
})

const maxSleep = 120_000
/** As many receipts as are compared. */
const kept = 20
const sessions = ["s1", "s2", "s3"].map((id) => SessionId.make(id))

const settings = { maxSleep: Duration.millis(maxSleep), deliveryHistoryRecords: kept }

/** The service under test, with the names that tell its tasks apart from the model's point of view. */
class Real {
  readonly world: World.World
  readonly clock: ReturnType<typeof jumpingClock>
  private host: Effect.Effect.Success<ReturnType<World.World["start"]>>
  private readonly names = new Map<string, string>()
  private readonly scope: Scope.Scope

  static readonly make = Effect.gen(function* () {
    const world = yield* World.make
    const clock = jumpingClock(yield* Effect.clock)
    const scope = yield* Effect.scope
    const start = world.start(settings).pipe(Effect.withClock(clock.clock))
    return new Real(world, clock, yield* start, scope)
  })

  private constructor(
    world: World.World,
    clock: ReturnType<typeof jumpingClock>,
    host: Effect.Effect.Success<ReturnType<World.World["start"]>>,
    scope: Scope.Scope
  ) {
    this.world = world
    this.clock = clock
    this.host = host
    this.scope = scope
  }

  get service() {
    return this.host.service
  }

  get resolver() {
    return this.host.resolver
  }

  readonly within = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
    effect.pipe(Effect.withClock(this.clock.clock), Scope.extend(this.scope))

  readonly create = (name: string, session: SessionId, selector: object) =>
    Effect.map(this.service.create(session, { title: name, prompt: name, ...selector }), ({ id }) =>
      this.names.set(id, name)
    )

  readonly find = (name: string) =>
    Effect.map(this.service.catalog(), (tasks) => tasks.find(({ record }) => record.title === name)!)

  readonly restart = Effect.suspend(() => Effect.zipRight(this.host.stop, this.world.start(settings))).pipe(
    Effect.tap((host) =>
      Effect.sync(() => {
        this.host = host
      })
    )
  )

  /** The state in the model's words. */
  readonly state = Effect.gen(this, function* () {
    const catalog = yield* this.service.catalog()
    const inboxes = Object.fromEntries(
      sessions.map((id) => [id, this.world.inbox(id).map(({ keys }) => keys.map(this.keyName))])
    )
    const tasks = yield* Effect.forEach(catalog, (task) =>
      Effect.map(this.service.history({ sessionId: task.sessionId, id: task.record.id, limit: 100 }), (history) => ({
        name: task.record.title,
        target: Instant.toMillis(task.record.scheduledAt),
        active: task.status === "active",
        receipts: ("records" in history ? history.records : [])
          .map(({ messageId, scheduledAt }) => [
            Instant.toMillis(scheduledAt),
            this.world.inbox(task.sessionId).findIndex((message) => message.messageId === messageId)
          ])
          .reverse()
      }))
    )
    const ended = (task: { readonly receipts: ReadonlyArray<ReadonlyArray<unknown>> }) => task.receipts.at(-1)?.[0]
    return { inboxes, tasks: tasks.sort(byName).map((task) => (task.active ? task : { ...task, target: ended(task) })) }
  })

  private readonly keyName = (key: string) => {
    const [id, at] = key.split("@") as [ScheduleId, string]
    return `${this.names.get(id)}@${Instant.parse(at)}`
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => a.name.localeCompare(b.name)

const modelState = (model: ScheduleModel) => ({
  inboxes: Object.fromEntries(sessions.map((id) => [id, model.inboxes.get(id) ?? []])),
  tasks: model.tasks
    .map(({ active, name, receipts, target }) => ({
      name,
      target: active ? target : receipts.at(-1)?.[0],
      active,
      receipts: receipts.slice(-kept)
    }))
    .sort(byName)
})

type Host = { readonly real: Real; readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A> }

/** A command: what it does to the model, and to the service; afterwards both must be in the same state. */
const command = (
  name: string,
  toModel: (model: ScheduleModel) => unknown,
  toReal: (real: Real, model: ScheduleModel) => Effect.Effect<unknown, unknown, Scope.Scope>,
  check: (model: ScheduleModel) => boolean = () => true
): FastCheck.AsyncCommand<ScheduleModel, Host> => ({
  toString: () => name,
  check,
  run: (model, { real, run }) =>
    run(
      Effect.gen(function* () {
        // the service first, since it may need what the model still knows
        yield* real.within(toReal(real, model))
        yield* real.within(World.settle)
        toModel(model)
        assert.deepStrictEqual<unknown>(yield* real.within(real.state), modelState(model))
      })
    )
})

const rule: FastCheck.Arbitrary<Rule> = FastCheck.oneof(
  FastCheck.constant<Rule>({ kind: "once" }),
  FastCheck.constantFrom(60_000, 90_000, 600_000).map((interval): Rule => ({ kind: "every", interval })),
  FastCheck.constantFrom(0, 43_200_000).map((time): Rule => ({ kind: "daily", time }))
)
const seconds = FastCheck.integer({ min: 1, max: 200 })

const selector = (rule: Rule, delay: number) =>
  rule.kind === "once"
    ? { after_seconds: delay }
    : rule.kind === "every"
      ? { every_seconds: rule.interval / 1000 }
      : { daily: { time: Instant.format(rule.time).slice(11, 19), time_zone: "UTC" } }

const change = (rule: Rule, at: number) =>
  rule.kind === "once"
    ? { kind: "at", at: Instant.format(at) }
    : rule.kind === "every"
      ? { kind: "every", every_seconds: rule.interval / 1000 }
      : { kind: "daily", ...selector(rule, 0) }

const nth = (tasks: ReadonlyArray<Task>, n: number): Task => tasks[n % tasks.length]!
let created = 0

const commands: Array<FastCheck.Arbitrary<FastCheck.AsyncCommand<ScheduleModel, Host>>> = [
  FastCheck.tuple(FastCheck.constantFrom(...sessions), rule, seconds).map(([session, rule, delay]) => {
    const name = `task-${String(created++).padStart(6, "0")}`
    return command(
      `create ${name} in ${session} ${JSON.stringify(rule)} ${delay}`,
      (model) => model.create(name, session, rule, delay * 1000),
      (real) => real.create(name, session, selector(rule, delay))
    )
  }),
  FastCheck.tuple(FastCheck.nat(), rule, seconds).map(([n, rule, delay]) =>
    command(
      `retime ${n} ${JSON.stringify(rule)} ${delay}`,
      (model) => {
        const task = nth(model.tasks, n)
        if (task.active) model.retime(task, rule, delay * 1000)
      },
      (real, model) =>
        Effect.flatMap(real.find(nth(model.tasks, n).name), ({ record, sessionId }) =>
          real.service.update({
            sessionId,
            id: record.id,
            expected: record,
            change: change(rule, model.now + delay * 1000)
          })
        ),
      (model) => model.tasks.length > 0
    )
  ),
  FastCheck.nat().map((n) =>
    command(
      `delete ${n}`,
      (model) => model.remove(nth(model.tasks, n)),
      (real, model) =>
        Effect.flatMap(real.find(nth(model.tasks, n).name), ({ record, sessionId }) =>
          real.service.delete({ sessionId, id: record.id })
        ),
      (model) => model.tasks.length > 0
    )
  ),
  FastCheck.constant(
    command(
      "delete inactive",
      (model) => model.removeInactive(),
      (real) => real.service.deleteInactive()
    )
  ),
  FastCheck.integer({ min: 1, max: 600 }).map((n) =>
    command(
      `advance ${n} s`,
      (model) => model.advance(n * 1000),
      () => TestClock.adjust(Duration.seconds(n))
    )
  ),
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.integer({ min: -200, max: 100 }) },
    { weight: 1, arbitrary: FastCheck.integer({ min: -day / 1000, max: day / 1000 }) }
  ).map((n) =>
    command(
      `jump ${n} s`,
      (model) => model.jump(Math.max(n * 1000, -model.now)),
      (real, model) => Effect.sync(() => real.clock.jump(Math.max(n * 1000, -model.now)))
    )
  ),
  FastCheck.tuple(FastCheck.constantFrom(...sessions), FastCheck.boolean()).map(([session, broken]) =>
    command(
      `Agent of ${session} ${broken ? "breaks" : "is well"}`,
      (model) => (broken ? model.brokenAgents.add(session) : model.brokenAgents.delete(session)),
      ({ world }) =>
        Effect.sync(() => {
          const others = world.onResolve
          world.onResolve = (id) => (id !== session ? others(id) : broken ? unavailable : Effect.void)
        })
    )
  ),
  FastCheck.tuple(FastCheck.constantFrom(...sessions), FastCheck.boolean()).map(([session, broken]) =>
    command(
      `disk of ${session} ${broken ? "breaks" : "is well"}`,
      (model) => (broken ? model.brokenDisks.add(session) : model.brokenDisks.delete(session)),
      ({ world }) =>
        Effect.sync(() => {
          const others = world.onFlush
          world.onFlush = (id) => (id !== session ? others(id) : Effect.succeed(!broken))
        })
    )
  ),
  FastCheck.boolean().map((fails) =>
    command(
      `the store ${fails ? "refuses" : "takes"} receipts`,
      (model) => (model.storeFails = fails),
      ({ world }) => Effect.sync(() => (world.onCommit = () => (fails ? offline : Effect.void)))
    )
  ),
  FastCheck.constant(
    command(
      "a handler registers",
      (model) => model.drive(),
      (real) => real.resolver.registerController(real.world.handler)
    )
  ),
  FastCheck.constant(
    command(
      "restart",
      (model) => model.restart(),
      (real) => real.restart
    )
  )
]

/** Creations and the passing of time, which make the others mean something. */
const frequent = [commands[0]!, commands[4]!, commands[4]!]

const unavailable = new AgentUnavailable({ message: "broken" })
const offline = new StorageFailure({ message: "offline" })

/** A clock whose wall time jumps while its naps do not notice. */
const jumpingClock = (clock: Clock.Clock) => {
  let offset = 0
  const jump = (millis: number) => {
    offset += millis
  }
  const jumping: Clock.Clock = Object.create(clock, {
    currentTimeMillis: { get: () => Effect.map(clock.currentTimeMillis, (now) => now + offset) },
    unsafeCurrentTimeMillis: { value: () => clock.unsafeCurrentTimeMillis() + offset }
  })
  return { clock: jumping, jump }
}
