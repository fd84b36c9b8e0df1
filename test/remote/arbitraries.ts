import * as FastCheck from "effect/FastCheck"
import { MessageId, ScheduleId, SessionId } from "../../src/domain/Identifiers.ts"
import * as Instant from "../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import type { DeliveryRecord, Receipt, TaskStatus, TaskSummary } from "../../src/domain/ScheduleTask.ts"
import { records } from "../domain/fixtures.ts"

const text = FastCheck.oneof(
  FastCheck.string({ minLength: 1, maxLength: 40, unit: "binary" }),
  FastCheck.constantFrom("提醒", "emoji 🎉 here", 'quote " and \\ and \n', "\u2028", "</script>")
).map((text) => text.trim() || "x")

export const scheduleId = FastCheck.uuid().map((uuid) => ScheduleId.make(`schedule-${uuid}`))
export const sessionId = text.map((text) => SessionId.make(text))
export const instant = FastCheck.integer({ min: Instant.min, max: Instant.max }).map(Instant.format)

export const record: FastCheck.Arbitrary<ScheduleRecord> = FastCheck.record({
  kind: FastCheck.constantFrom(...Object.values(records)),
  id: scheduleId,
  title: text,
  prompt: text,
  scheduledAt: instant
}).map(({ kind, ...common }) => ({ ...kind, ...common }))

export const receipt: FastCheck.Arbitrary<Receipt> = FastCheck.record({
  scheduledAt: instant,
  deliveredAt: instant,
  messageId: text.map((text) => MessageId.make(text))
})

export const delivery: FastCheck.Arbitrary<DeliveryRecord> = FastCheck.tuple(receipt, FastCheck.option(text)).map(
  ([receipt, prompt]) => (prompt === null ? receipt : { ...receipt, prompt })
)

export const summary: FastCheck.Arbitrary<TaskSummary> = FastCheck.record({
  sessionId,
  record,
  status: FastCheck.constantFrom<TaskStatus>("active", "inactive"),
  last: FastCheck.option(receipt)
}).map(({ last, ...rest }) => (last === null ? rest : { ...rest, lastDelivery: last }))

/** Any JSON value: what a caller of the wire can send. `-0` has no JSON. */
export const json = FastCheck.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)))
