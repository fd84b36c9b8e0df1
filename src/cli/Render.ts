/**
 * Reminders and Sessions as people read them.
 *
 * @since 0.1.0
 */
import * as Describe from "../domain/Describe.ts"
import * as Instant from "../domain/Instant.ts"
import type { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import type { DeliveryRecord, TaskSummary } from "../domain/ScheduleTask.ts"
import type { SessionDetail, SessionList, SessionSummary } from "../remote/SessionRpcs.ts"
import * as Text from "./Text.ts"

/**
 * One reminder in a few lines, under what happened to it.
 *
 * @since 0.1.0
 * @category rendering
 */
export const record = (headline: string, record: ScheduleRecord, style: Text.Style, now: number): string =>
  [
    `${style.green(headline)} ${style.bold(Text.printable(record.title))}`,
    `  ${style.dim("id")}    ${record.id}`,
    `  ${style.dim("when")}  ${Describe.describe(record)}`,
    `  ${style.dim("next")}  ${target(record.scheduledAt, now)}`
  ].join("\n")

/**
 * The active reminders of a Session.
 *
 * @since 0.1.0
 * @category rendering
 */
export const records = (records: ReadonlyArray<ScheduleRecord>, style: Text.Style, now: number): string =>
  records.length === 0
    ? style.dim("No active reminders in this Session.")
    : Text.table(
        ["ID", "TITLE", "WHEN", "NEXT"],
        records.map((record) => [
          record.id,
          { text: record.title, paint: style.bold },
          Describe.describe(record),
          due(record.scheduledAt, style, now)
        ]),
        style
      )

/**
 * Reminders of all Sessions.
 *
 * @since 0.1.0
 * @category rendering
 */
export const catalog = (tasks: ReadonlyArray<TaskSummary>, style: Text.Style, now: number): string =>
  tasks.length === 0
    ? style.dim("No reminders.")
    : Text.table(
        ["ID", "SESSION", "TITLE", "WHEN", "NEXT", "LAST DELIVERY"],
        tasks.map(({ lastDelivery, record, sessionId, status }) => [
          record.id,
          sessionId,
          { text: record.title, paint: style.bold },
          Describe.describe(record),
          status === "inactive" ? { text: "ended", paint: style.dim } : due(record.scheduledAt, style, now),
          lastDelivery === undefined ? "" : Text.relative(Instant.toMillis(lastDelivery.deliveredAt), now)
        ]),
        style
      )

/**
 * What is due next, under a line that tells who delivers it, in at most `rows` lines.
 *
 * @since 0.1.0
 * @category rendering
 */
export const dueNext = (
  { host, tasks }: { readonly host: string | undefined; readonly tasks: ReadonlyArray<TaskSummary> },
  style: Text.Style,
  now: number,
  rows = Number.POSITIVE_INFINITY
): string => {
  const shown = tasks.slice(0, Math.max(0, rows - 2))
  const headline =
    host === undefined
      ? style.yellow("Due next, as the store has it; no Host serves this home")
      : `${style.green("Due next")} ${style.dim(host)}`
  const table =
    tasks.length === 0
      ? style.dim("No active reminders.")
      : Text.table(
          ["NEXT", "TITLE", "SESSION", "WHEN", "LAST DELIVERY"],
          shown.map(({ lastDelivery, record, sessionId }) => [
            due(record.scheduledAt, style, now),
            { text: record.title, paint: style.bold },
            sessionId,
            Describe.describe(record),
            lastDelivery === undefined ? "" : Text.relative(Instant.toMillis(lastDelivery.deliveredAt), now)
          ]),
          style
        )
  return `${headline}\n${table}`
}

/**
 * Saved deliveries, newest first.
 *
 * @since 0.1.0
 * @category rendering
 */
export const deliveries = (
  page: {
    readonly records: ReadonlyArray<DeliveryRecord>
    readonly nextBefore?: string
    readonly earlierRecordsUnavailable: boolean
    readonly earlierRecordsPruned: boolean
    readonly retention: { readonly days: number; readonly records: number }
  },
  style: Text.Style,
  now: number
): string => {
  const rows = Text.table(
    ["DELIVERED", "OCCURRENCE", "MESSAGE", "PROMPT"],
    page.records.map(({ deliveredAt, messageId, prompt, scheduledAt }) => [
      Text.relative(Instant.toMillis(deliveredAt), now),
      scheduledAt,
      messageId,
      prompt ?? { text: "not saved", paint: style.dim }
    ]),
    style
  )
  const { days, records } = page.retention
  const notes = [
    ...(page.nextBefore === undefined ? [] : [`Older ones: --before ${Text.printable(page.nextBefore)}`]),
    ...(page.earlierRecordsPruned
      ? [`Earlier deliveries were pruned; ${days} days and ${records} records are kept.`]
      : page.earlierRecordsUnavailable
        ? ["Earlier deliveries were not saved."]
        : [])
  ].map(style.dim)
  return [page.records.length === 0 ? style.dim("No deliveries yet.") : rows, ...notes].join("\n")
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const occurrences = (instants: ReadonlyArray<string>, style: Text.Style, now: number): string =>
  instants.map((at) => `${at}  ${style.dim(Text.relative(Instant.toMillis(Instant.Instant.make(at)), now))}`).join("\n")

/**
 * @since 0.1.0
 * @category rendering
 */
export const sessions = ({ sessions, unreadable }: SessionList, style: Text.Style, now: number): string => {
  const rows = sessions.map((session) => [
    session.header.id,
    { text: session.title ?? "", paint: style.bold },
    session.archived ? { text: "archived", paint: style.dim } : "active",
    String(session.pending),
    Text.relative(session.updatedAt, now)
  ])
  return [
    sessions.length === 0
      ? style.dim("No Sessions. Make one with `host-schedule sessions new`.")
      : Text.table(["ID", "TITLE", "STATE", "INBOX", "UPDATED"], rows, style),
    ...unreadable.map(({ message }) => style.red(`unreadable: ${Text.printable(message)}`))
  ].join("\n")
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const session = (headline: string, session: SessionSummary, style: Text.Style): string =>
  `${style.green(headline)} ${style.bold(Text.printable(session.header.id))}${
    session.title === undefined ? "" : `  ${Text.printable(session.title)}`
  }`

/**
 * A Session with its log, each event under its time.
 *
 * @since 0.1.0
 * @category rendering
 */
export const transcript = (detail: SessionDetail, style: Text.Style, now: number): string =>
  [
    session(detail.archived ? "archived" : "Session", detail, style),
    ...detail.log.map(({ data, time, type }) =>
      [`${style.bold(Text.printable(type))}  ${style.dim(Text.relative(time, now))}`, ...body(data)].join("\n")
    )
  ].join("\n\n")

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const target = (at: Instant.Instant, now: number) => `${at} (${Text.relative(Instant.toMillis(at), now)})`

const due = (at: Instant.Instant, style: Text.Style, now: number): Text.Cell => {
  const millis = Instant.toMillis(at)
  return millis <= now
    ? { text: `overdue (${Text.relative(millis, now)})`, paint: style.yellow }
    : Text.relative(millis, now)
}

/** The text of a message by its lines, other data as JSON. */
const body = (data: unknown): ReadonlyArray<string> => {
  const text =
    typeof data === "object" && data !== null && "text" in data && typeof data.text === "string"
      ? data.text
      : JSON.stringify(data)
  return text.split("\n").map((line) => `  ${Text.printable(line)}`)
}
