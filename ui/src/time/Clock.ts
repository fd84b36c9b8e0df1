/** The time on the page. */
import { Atom, useAtomValue } from "@effect-atom/atom-react"

/** Epoch milliseconds, moving once a second while somebody looks. */
export const now: Atom.Atom<number> = Atom.make((get) => {
  const timer = setInterval(() => get.setSelf(Date.now()), 1000)
  get.addFinalizer(() => clearInterval(timer))
  return Date.now()
})

/** The minute that has begun, for what need not move every second. */
const minute: Atom.Atom<number> = Atom.map(now, (millis) => Math.floor(millis / 60_000) * 60_000)

export const useNow = (): number => useAtomValue(now)

export const useMinute = (): number => useAtomValue(minute)
