import { useState } from "react"
import { useTexts } from "../language/Language.ts"

// Longer texts than this are cut until somebody wants to read on.
const long = 600

/** Somebody's text, exactly as it is: never markup, with its own direction, and folded while it is long. */
export const Clamp = ({ text }: { readonly text: string }) => {
  const texts = useTexts()
  const [open, setOpen] = useState(false)
  const isLong = text.length > long || text.split("\n", 12).length === 12
  return (
    <div className="clamp">
      <p dir="auto" className={isLong && !open ? "verbatim folded" : "verbatim"}>
        {text}
      </p>
      {isLong && (
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? texts.actions.less : texts.actions.more}
        </button>
      )}
    </div>
  )
}
