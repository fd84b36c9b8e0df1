/** What `export` writes: the layout of version 1 of the `schedule` domain. */
export interface Document {
  readonly unit: { readonly name: "schedule"; readonly version: 1 }
  readonly global: null
  readonly tables: { readonly tasks: Record<string, Row> }
}

export interface Row {
  sessionId: string
  record: { id: string; kind: string; title: string; prompt: string; scheduledAt: string } & Record<string, unknown>
  status?: string
  lastDelivery?: { scheduledAt: string; deliveredAt: string; messageId: string }
  deliveryHistory?: { records: ReadonlyArray<object>; earlierRecordsUnavailable: boolean }
}

export interface Summary {
  readonly sessionId: string
  readonly record: Row["record"]
  readonly status: string
  readonly lastDelivery?: { readonly scheduledAt: string; readonly deliveredAt: string; readonly messageId: string }
}

export const documentOf = (rows: ReadonlyArray<Row>): Document => ({
  unit: { name: "schedule", version: 1 },
  global: null,
  tables: { tasks: Object.fromEntries(rows.map((row) => [row.record.id, row])) }
})

export const instant = (millis: number) => new Date(millis).toISOString()

/** The occurrences that a message of one Session names. */
export const occurrencesOf = (text: string): ReadonlyArray<{ readonly id: string; readonly at: string }> => {
  const [kind, , first = "", second = ""] = text.split("\n")
  if (kind === "[SCHEDULE REMINDER]") {
    return [{ id: JSON.parse(first.slice("schedule_id_json: ".length)), at: second.slice("occurrence_at: ".length) }]
  }
  const members: ReadonlyArray<{ schedule_id: string; occurrence_at: string }> = JSON.parse(
    first.slice("reminders_json: ".length)
  )
  return members.map(({ occurrence_at, schedule_id }) => ({ id: schedule_id, at: occurrence_at }))
}
