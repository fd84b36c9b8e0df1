import { type ReactNode, useId } from "react"
import { Icon } from "./Icon.tsx"

/** What a control needs so that its label, hint and error are read with it. */
export interface Control {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": boolean | undefined
}

/** A labelled control with a hint and, in place, what is wrong with it. */
export const Field = (props: {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: (control: Control) => ReactNode
}) => {
  const id = useId()
  const described = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(" ")
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": props.error ? true : undefined
      })}
      {props.hint && (
        <p className="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.error && <Problem id={`${id}-error`} text={props.error} />}
    </div>
  )
}

/** What is wrong, where it is wrong. */
export const Problem = ({ id, text }: { readonly id?: string; readonly text: string }) => (
  <p className="failure" id={id} aria-live="polite">
    <Icon name="warning" />
    <span>{text}</span>
  </p>
)
