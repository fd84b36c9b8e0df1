/** The saved deliveries of a task. */
import { Atom } from "@effect-atom/atom-react"
import * as Effect from "effect/Effect"
import type { ScheduleId, SessionId } from "../../../src/domain/Identifiers.ts"
import type { DeliveryRecord } from "../../../src/domain/ScheduleTask.ts"
import { Host } from "./Host.ts"
import { live } from "./Live.ts"

/** Deliveries of a first read, and of each older step. */
export const recordsPage = 20

/** The newest deliveries of a task, `pages` steps back; undefined when there is no such task. The key is `pages task session`. */
export const history = Atom.family((key: string) => {
  const [pages = "1", id = "", ...rest] = key.split(" ")
  const address = { id: id as ScheduleId, sessionId: rest.join(" ") as SessionId }
  return live(
    Effect.gen(function* () {
      const client = yield* Host
      const records: Array<DeliveryRecord> = []
      let before: string | undefined
      for (let page = 1; ; page++) {
        const cursor = before === undefined ? {} : { before }
        const answer = yield* client("schedule.history", { ...address, limit: recordsPage, ...cursor })
        if ("code" in answer) return undefined
        records.push(...answer.records)
        before = answer.nextBefore
        if (before === undefined || page >= Number(pages)) return { ...answer, records }
      }
    })
  )
})
