import { useEffect, useRef } from "react"
import { edited } from "../editor/Draft.ts"
import { useDrafts } from "../editor/Drafts.ts"

/** `/` goes to the search of the view, `n` begins a new task. Not while somebody types or a dialog is open. */
export const useShortcuts = ({ onNew }: { readonly onNew: () => void }) => {
  const latest = useRef(onNew)
  latest.current = onNew
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return
      if (target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]")) return
      if (event.key === "/") document.querySelector<HTMLElement>("input[type=search]")?.focus()
      else if (event.key === "n") latest.current()
      else return
      event.preventDefault()
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [])
}

/** The browser asks before it throws unsaved edits away. */
export const useLeaveWarning = () => {
  const drafts = useDrafts()
  const dirty = [...drafts.values()].some(({ draft }) => edited(draft).length > 0)
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener("beforeunload", ask)
    return () => removeEventListener("beforeunload", ask)
  }, [dirty])
}
