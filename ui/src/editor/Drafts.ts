/** The unsaved edits of this page, by task; they outlive navigation and reconnects. */
import { Atom, useAtomSet, useAtomValue } from "@effect-atom/atom-react"
import type { Draft } from "./Draft.ts"

/** What is kept of an edit: also whose it is, should the task disappear. */
export interface Kept {
  readonly sessionId: string
  readonly draft: Draft
}

export const drafts = Atom.keepAlive(Atom.make<ReadonlyMap<string, Kept>>(new Map()))

export const useDrafts = () => useAtomValue(drafts)

/** Keeps an edit, or forgets it with `undefined`. */
export const useKeepDraft = () => {
  const set = useAtomSet(drafts)
  return (id: string, kept: Kept | undefined) =>
    set((all) => {
      const next = new Map(all)
      if (kept === undefined) next.delete(id)
      else next.set(id, kept)
      return next
    })
}
