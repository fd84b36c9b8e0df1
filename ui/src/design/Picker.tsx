import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider } from "@ariakit/react/combobox"
import { useEffect, useMemo, useRef, useState } from "react"
import { Field } from "./Field.tsx"

export interface Option {
  readonly value: string
  /** What else it is known by, seen beside it. */
  readonly note?: string
  /** What it is found by, in lower case. */
  readonly words: string
}

// More would only be scrolled past.
const most = 80

/** A text with suggestions: anything may be typed, and what is typed searches the list. */
export const Picker = (props: {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly none: string
  readonly value: string
  readonly options: () => ReadonlyArray<Option>
  readonly disabled?: boolean | undefined
  readonly onChange: (value: string) => void
}) => {
  const { disabled, error, hint, label, none, onChange, value } = props
  const [open, setOpen] = useState(false)
  return (
    <ComboboxProvider open={open} setOpen={setOpen} value={value} setValue={onChange} resetValueOnHide={false}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only listens to what its field does */}
      <div
        className="picker"
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setOpen(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !open) return
          // a dialog around it stays
          event.preventDefault()
          event.stopPropagation()
          setOpen(false)
        }}
      >
        <Field label={label} hint={hint} error={error}>
          {(control) => (
            <Combobox
              {...control}
              className="input"
              disabled={disabled ?? false}
              autoComplete="none"
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
        </Field>
        {open && (
          <ComboboxList className="popover" aria-label={label}>
            <Options none={none} options={props.options} search={value} />
          </ComboboxList>
        )}
      </div>
    </ComboboxProvider>
  )
}

// Mounted while the list is open only, so that nobody waits for what is not looked at.
const Options = (props: {
  readonly none: string
  readonly search: string
  readonly options: () => ReadonlyArray<Option>
}) => {
  const ref = useRef<HTMLDivElement>(null)
  // what the list lies in may have to scroll before it is seen
  useEffect(() => {
    ref.current?.scrollIntoView({ block: "nearest" })
  }, [])
  const all = useMemo(props.options, [])
  // never late: the keys that choose come right after those that search
  const found = useMemo(() => matches(all, props.search), [all, props.search])
  return (
    <div className="options" ref={ref}>
      {found.map(({ note, value }) => (
        <ComboboxItem key={value} value={value} className="option">
          <span dir="auto">{value}</span>
          {note && <small dir="auto">{note}</small>}
        </ComboboxItem>
      ))}
      {found.length === 0 && <p className="option-none">{props.none}</p>}
    </div>
  )
}

const matches = (all: ReadonlyArray<Option>, search: string): ReadonlyArray<Option> => {
  const text = search.trim().toLocaleLowerCase()
  const words = text.split(/[\s_]+/).filter(Boolean)
  // A value that was chosen already says nothing about what is looked for now: its neighbours come first then.
  const chosen = all.findIndex(({ value }) => value === search)
  if (chosen >= 0) return [all[chosen]!, ...all.filter((_, i) => i !== chosen)].slice(0, 500)
  return all.filter((option) => words.every((word) => option.words.includes(word))).slice(0, most)
}
