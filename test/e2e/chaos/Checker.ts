import type { ScheduleTask } from "../../../src/domain/ScheduleTask.ts"
import type { TestHome } from "../Command.ts"
import type { Workload } from "./Workload.ts"

interface Message {
  readonly id: string
  readonly session: string
  readonly keys: ReadonlyArray<string>
}

/**
 * Reads the Sessions' logs and the store, and lists every breach of the promises of `docs/delivery.md`, by the numbers there.
 */
export const check = (
  home: Pick<TestHome, "log">,
  chaos: Workload,
  rows: ReadonlyArray<ScheduleTask>
): ReadonlyArray<string> => {
  const problems = [...chaos.problems]
  const messages = new Map<string, Message>()
  const byKey = new Map<string, Message>()
  const byTask = new Map<string, Array<Message>>()
  for (const session of chaos.sessions) {
    for (const { data, type } of home.log(session)) {
      if (type !== "message/user") continue
      const message = { id: String(data.id), session, keys: (data.keys ?? []) as ReadonlyArray<string> }
      if (messages.has(message.id)) problems.push(`message ${message.id} is in a log twice`)
      messages.set(message.id, message)
      for (const key of message.keys) {
        if (byKey.has(key))
          problems.push(`rule 3: ${key} was delivered twice, in ${byKey.get(key)?.id} and ${message.id}`)
        byKey.set(key, message)
        const id = key.split("@")[0]!
        byTask.set(id, [...(byTask.get(id) ?? []), message])
      }
    }
  }

  const stored = new Map(rows.map((row) => [row.record.title, row]))
  const titles = new Set(chaos.tasks.map(({ title }) => title))
  for (const title of stored.keys()) if (!titles.has(title)) problems.push(`${title} is stored, and nobody created it`)

  for (const row of rows) {
    chaos.see(row.record)
    const history = row.deliveryHistory?.records ?? []
    for (const { messageId, scheduledAt } of history) {
      const message = messages.get(messageId)
      if (message === undefined)
        problems.push(`rule 6: ${row.record.title} has a receipt for ${messageId}, which is in no log`)
      else if (!message.keys.includes(`${row.record.id}@${scheduledAt}`)) {
        problems.push(`rule 6: ${row.record.title} has a receipt at ${scheduledAt} for a message about something else`)
      } else if (message.session !== row.sessionId)
        problems.push(`${row.record.title} was delivered to ${message.session}`)
    }
    if (row.status === "inactive" && history.length === 0) {
      problems.push(`rule 2: ${row.record.title} has ended without a receipt`)
    }
  }

  for (const known of chaos.tasks) {
    const row = stored.get(known.title)
    const id = known.record?.id ?? row?.record.id
    const delivered = id === undefined ? 0 : (byTask.get(id)?.length ?? 0)
    if (known.record === undefined && row === undefined) continue
    if (known.deleted === "yes" && row !== undefined) problems.push(`rule 11: ${known.title} was deleted and is there`)
    if (
      known.deleted === "no" &&
      row === undefined &&
      !(chaos.inactiveRemovals > 0 && known.oneShot && delivered > 0)
    ) {
      problems.push(`rule 11: ${known.title} was created and is gone`)
    }
    if (row !== undefined && known.prompt !== undefined && row.record.prompt !== known.prompt) {
      problems.push(`rule 11: ${known.title} says ${row.record.prompt}, and was told to say ${known.prompt}`)
    }
    if (known.oneShot && known.deleted === "no" && delivered === 0 && row?.status !== "active") {
      problems.push(`rule 2: ${known.title} was never delivered`)
    }
    // a message without a receipt may be followed by another once its task was moved
    if (known.oneShot && delivered > 1 + known.retimed) {
      problems.push(`rule 2: ${known.title} was delivered ${delivered} times`)
    }
  }
  return problems
}
