/** The ids and instants that the rows of these tests are made of. */
import { MessageId, ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"

/** The id of the n-th task of the tests. */
export const id = (n: number) => ScheduleId.make(`schedule-00000000-0000-4000-8000-${String(n).padStart(12, "0")}`)

/** The n-th Session; their ids are not all in the order of their numbers, and not all ASCII. */
export const session = (n: number) => SessionId.make(["s-1", "Ω 会话", "__proto__", "s'\"%_\udc00"][n % 4]!)

/** 2030-01-01 and `minutes` after it. */
export const instant = (minutes: number) => Instant.format(Date.UTC(2030, 0, 1) + minutes * 60_000)

export const message = (n: number) => MessageId.make(`message-${n}`)

/** The n-th task, just created: due once, n minutes after 2030-01-01. */
export const oneShot = (n: number): ScheduleTask => ({
  sessionId: session(0),
  record: { id: id(n), kind: "at", title: `Task ${n}`, prompt: "Look.", scheduledAt: instant(n) },
  status: "active",
  deliveryHistory: { records: [], earlierRecordsUnavailable: false }
})
