import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { MessageId, ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import type { Receipt, ScheduleTask } from "../../src/domain/ScheduleTask.ts"

export const id = ScheduleId.make("schedule-00000000-0000-4000-8000-000000000001")
export const sessionId = SessionId.make("session-1")

/** Epoch milliseconds of a canonical instant. */
export const at = (text: string): number => {
  const millis = Instant.parse(text)
  if (Number.isNaN(millis)) throw new Error(`no instant: ${text}`)
  return millis
}

export const instant = (text: string): Instant.Instant => Instant.format(at(text))

/** The time at which requests of the tests are made: a Thursday. */
export const now = at("2026-01-01T00:00:00.000Z")

/** One record of each kind. */
export const records = {
  after: {
    id,
    kind: "after",
    title: "T",
    prompt: "P",
    afterSeconds: 600,
    scheduledAt: instant("2026-01-01T00:10:00.000Z")
  },
  at: { id, kind: "at", title: "T", prompt: "P", scheduledAt: instant("2026-01-01T00:10:00.000Z") },
  every: {
    id,
    kind: "every",
    title: "T",
    prompt: "P",
    everySeconds: 300,
    scheduledAt: instant("2026-01-01T00:05:00.000Z")
  },
  daily: {
    id,
    kind: "daily",
    title: "T",
    prompt: "P",
    time: "09:00:00.000",
    timeZone: "Asia/Shanghai",
    scheduledAt: instant("2026-01-01T01:00:00.000Z")
  },
  weekly: {
    id,
    kind: "weekly",
    title: "T",
    prompt: "P",
    time: "09:00:00.000",
    timeZone: "Asia/Shanghai",
    weekdays: [1, 3],
    scheduledAt: instant("2026-01-05T01:00:00.000Z")
  },
  cron: {
    id,
    kind: "cron",
    title: "T",
    prompt: "P",
    expression: "*/15 9-17 * * 1-5",
    timeZone: "Asia/Shanghai",
    scheduledAt: instant("2026-01-01T01:00:00.000Z")
  }
} as const satisfies Record<ScheduleRecord["kind"], ScheduleRecord>

export const task = (fields: Partial<ScheduleTask> = {}): ScheduleTask => ({
  sessionId,
  record: records.every,
  ...fields
})

export const receipt = (messageId: string, deliveredAt: string | number, scheduledAt = deliveredAt): Receipt => ({
  scheduledAt: typeof scheduledAt === "string" ? instant(scheduledAt) : Instant.format(scheduledAt),
  deliveredAt: typeof deliveredAt === "string" ? instant(deliveredAt) : Instant.format(deliveredAt),
  messageId: MessageId.make(messageId)
})

/** `code: message` of a refusal, the right value of anything else. */
export const outcome = <A, E extends { readonly code: string; readonly message: string }>(
  result: Either.Either<A, E>
): A | string =>
  Either.match(result, { onLeft: ({ code, message }) => `${code}: ${message}`, onRight: (value) => value })

/** Values that no JSON parser hands over, and some that it does. */
export const hostile = (): ReadonlyArray<unknown> => {
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const wide: Array<unknown> = []
  for (let i = 0; i < 900; i++) wide.push(wide)
  return [
    undefined,
    null,
    true,
    0,
    Number.NaN,
    1n,
    "",
    "x".repeat(1_000_000),
    Symbol("s"),
    () => 1,
    [],
    new Array(4_000_000_000),
    {},
    Object.create(null),
    Object.create({ title: "T", prompt: "P", after_seconds: 1 }),
    JSON.parse('{"__proto__": {"title": "T", "prompt": "P"}, "constructor": 1}'),
    new Date(0),
    new Map([["title", "T"]]),
    { toString: () => "2030-01-01T00:00:00Z", valueOf: () => 600 },
    Object.defineProperty({}, "title", { enumerable: true, get: () => { throw new Error("getter") } }), // biome-ignore format: one line
    new Proxy({}, { ownKeys: () => { throw new Error("trap") } }), // biome-ignore format: one line
    new Proxy({}, { ownKeys: () => ["title"], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }), get: () => { throw new Error("trap") } }), // biome-ignore format: one line
    revoked.proxy,
    cyclic,
    wide,
    "\uD800",
    "\u0000"
  ]
}

/** Instants anywhere in the years that exist. */
export const anyInstant = FastCheck.integer({ min: Instant.min, max: Instant.max })

/** Instants of this age, where people make reminders. */
export const recentInstant = FastCheck.integer({
  min: Date.UTC(1970, 0, 1),
  max: Date.UTC(2100, 0, 1)
})

/** Zones whose clocks do unusual things, and plain ones. */
export const someZone = FastCheck.constantFrom(
  "UTC",
  "Asia/Shanghai",
  "Asia/Kathmandu",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "Europe/Paris",
  "Europe/Dublin",
  "Africa/Casablanca",
  "Africa/Monrovia",
  "Asia/Gaza",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Chatham",
  "Antarctica/Troll",
  "Etc/GMT+12"
)
