/** The Sessions of the Host and their transcripts. */
import { Atom } from "@effect-atom/atom-react"
import * as Effect from "effect/Effect"
import { Host } from "./Host.ts"
import { live } from "./Live.ts"

/** Every Session, newest activity first. */
export const sessions = live(Effect.flatMap(Host, (client) => client("sessions.list", undefined)))

/** How many events of a transcript are read first, and with each step back. */
export const transcriptPage = 100

/** The newest events of a Session, `pages` steps back. The key is `pages id`. */
export const transcript = Atom.family((key: string) => {
  const space = key.indexOf(" ")
  const limit = Number(key.slice(0, space)) * transcriptPage
  const id = key.slice(space + 1)
  return live(
    Effect.gen(function* () {
      const client = yield* Host
      const { events } = yield* client("sessions.show", { id, limit: 1 })
      return yield* client("sessions.show", { id, from: Math.max(0, events - limit) })
    })
  )
})
