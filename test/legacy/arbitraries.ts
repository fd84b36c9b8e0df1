import { FastCheck as fc } from "effect"
import type { LoggedEvent } from "../../src/legacy/ScheduleFold.ts"

const instant = fc
  .oneof(
    fc.integer({ min: Date.UTC(2030, 0, 1), max: Date.UTC(2030, 0, 3) }),
    fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
    fc.integer({ min: 253_402_300_000_000, max: 253_402_300_799_999 })
  )
  .map((millis) => new Date(millis).toISOString())

const text = fc.oneof(
  fc.stringMatching(/^[a-z]([a-z ]{0,8}[a-z])?$/),
  fc.string16bits({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() === text && text !== "")
)

const id = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map((n) => `schedule-${n}`),
  fc.constantFrom("x", "schedule-01", "schedule-9007199254740993", "Schedule-1", "schedule-1.5", "__proto__", "é")
)

const everySeconds = fc.oneof(
  fc.integer({ min: 300, max: 5000 }),
  fc.constantFrom(300, 86_400, 9_007_199_254_740, 253_402_300_799)
)

const afterSeconds = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.constantFrom(1, Number.MAX_SAFE_INTEGER))

const record = fc.oneof(
  fc.record({ kind: fc.constant("after"), prompt: text, afterSeconds, scheduledAt: instant }),
  fc.record({ kind: fc.constant("at"), prompt: text, scheduledAt: instant }),
  fc.record({ kind: fc.constant("every"), prompt: text, everySeconds, scheduledAt: instant })
)

type Step =
  | { readonly step: "create"; readonly id: string; readonly record: object }
  | { readonly step: "delete" | "dispatch"; readonly pick: number; readonly later: number }
  | { readonly step: "other"; readonly data: unknown }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant("create" as const), id, record }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constantFrom("delete" as const, "dispatch" as const, "dispatch" as const),
      pick: fc.nat(),
      later: fc.oneof(fc.nat(10), fc.nat(5_000_000), fc.nat(1e13))
    })
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("other" as const), data: fc.jsonValue() }) }
)

const change = (data: unknown): LoggedEvent => ({ type: "schedule/change", data })

/**
 * The log that steps leave behind, by rules of its own: steps that would not be allowed are left out. Targets that move on are
 * computed by walking from one to the next.
 */
const play = (steps: ReadonlyArray<Step>): ReadonlyArray<LoggedEvent> => {
  const events: Array<LoggedEvent> = []
  const used = new Set<string>()
  const active: Array<{ id: string; kind?: unknown; everySeconds?: unknown; scheduledAt?: unknown }> = []
  for (const step of steps) {
    if (step.step === "other") events.push({ type: "message/user", data: step.data })
    else if (step.step === "create") {
      if (used.has(step.id)) continue
      used.add(step.id)
      const schedule = { id: step.id, ...step.record }
      active.push({ ...schedule })
      events.push(change({ version: 1, operation: "create", schedule }))
    } else if (active.length > 0) {
      const index = step.pick % active.length
      const one = active[index]!
      if (step.step === "delete") {
        active.splice(index, 1)
        events.push(change({ version: 1, operation: "delete", id: one.id }))
      } else if (one.kind !== "every") {
        active.splice(index, 1)
        events.push(change({ version: 1, operation: "dispatch", id: one.id }))
      } else {
        const interval = Number(one.everySeconds) * 1000
        const target = Date.parse(String(one.scheduledAt))
        // Few enough intervals to walk over.
        const accepted = Math.min(target + Math.min(step.later, interval * 50), 253_402_300_799_999)
        events.push(
          change({ version: 1, operation: "dispatch", id: one.id, acceptedAt: new Date(accepted).toISOString() })
        )
        let next = target
        while (next <= accepted) next += interval
        if (next > 253_402_300_799_999) active.splice(index, 1)
        else one.scheduledAt = new Date(next).toISOString()
      }
    }
  }
  return events
}

/** A log that keeps every rule. */
export const validLog = fc.array(step, { maxLength: 14 }).map(play)

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    0,
    -1,
    1.5,
    2,
    299,
    300,
    "",
    " ",
    "x ",
    "1",
    "schedule-1",
    "at",
    "every",
    "after",
    "create",
    "delete",
    "dispatch",
    [],
    {},
    true,
    9_007_199_254_741,
    2 ** 53,
    "2030-01-01T00:00:00.000Z",
    "2030-01-01T00:00:00Z",
    "2030-02-30T00:00:00.000Z",
    "0000-01-01T00:00:00.000Z",
    "+010000-01-01T00:00:00.000Z"
  ),
  instant,
  text,
  fc.jsonValue()
)

const mutation = fc.record({
  kind: fc.constantFrom("set", "set", "drop", "add", "repeat", "swap", "remove", "replace", "type"),
  event: fc.nat(),
  other: fc.nat(),
  key: fc.nat(),
  inner: fc.boolean(),
  name: fc.constantFrom("acceptedAt", "id", "extra", "title2", "everySeconds", "afterSeconds", "kind", "__proto__"),
  value: junk
})

type Mutation = typeof mutation extends fc.Arbitrary<infer A> ? A : never

const mutate = (log: ReadonlyArray<LoggedEvent>, mutations: ReadonlyArray<Mutation>): ReadonlyArray<LoggedEvent> => {
  const events: Array<{ type: string; data: unknown }> = JSON.parse(JSON.stringify(log))
  for (const { kind, event, other, key, inner, name, value: shared } of mutations) {
    // Several mutations may draw the same value, and change it.
    const value = structuredClone(shared)
    if (events.length === 0) break
    const index = event % events.length
    const one = events[index]!
    const data = one.data
    const schedule = isObject(data) && isObject(data.schedule) ? data.schedule : undefined
    const target = inner && schedule !== undefined ? schedule : data
    if (kind === "repeat") events.splice(other % (events.length + 1), 0, structuredClone(one))
    else if (kind === "remove") events.splice(index, 1)
    else if (kind === "swap") {
      const second = other % events.length
      events[index] = events[second]!
      events[second] = one
    } else if (kind === "replace") one.data = value
    else if (kind === "type") one.type = one.type === "note" ? "schedule/change" : "note"
    else if (isObject(target)) {
      const keys = Object.keys(target)
      const chosen = keys[key % Math.max(1, keys.length)]
      if (kind === "add")
        Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
      else if (chosen !== undefined && kind === "drop") delete target[chosen]
      else if (chosen !== undefined) target[chosen] = value
    }
  }
  return events
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A log that something happened to; it may still keep every rule. */
export const mutatedLog = fc
  .tuple(validLog, fc.array(mutation, { minLength: 1, maxLength: 3 }))
  .map(([log, mutations]) => mutate(log, mutations))
