import { Atom, useAtomSet, useAtomValue } from "@effect-atom/atom-react"
import { useEffect } from "react"
import { Icon } from "./Icon.tsx"

const notice = Atom.keepAlive(Atom.make<{ readonly text: string; readonly bad: boolean } | undefined>(undefined))

/** Tells what has happened, seen for a while and read aloud. */
export const useNotice = () => {
  const set = useAtomSet(notice)
  return (text: string, bad = false) => set({ text, bad })
}

export const Notices = () => {
  const current = useAtomValue(notice)
  const set = useAtomSet(notice)
  useEffect(() => {
    if (current === undefined) return
    const timer = setTimeout(() => set(undefined), 6000)
    return () => clearTimeout(timer)
  }, [current, set])
  return (
    <div className="notices" role="status" aria-live="polite">
      {current && (
        <p className={current.bad ? "notice bad" : "notice"}>
          <Icon name={current.bad ? "warning" : "check"} />
          <span>{current.text}</span>
        </p>
      )}
    </div>
  )
}
