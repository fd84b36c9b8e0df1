import { useId } from "react"

/** One of a few, all of them seen: a row of radio buttons. */
export const Choice = <A extends string>(props: {
  readonly label: string
  readonly value: A
  readonly options: ReadonlyArray<{ readonly value: A; readonly text: string; readonly count?: string | undefined }>
  readonly onChange: (value: A) => void
  readonly hideLabel?: boolean
  readonly disabled?: boolean
}) => {
  const name = useId()
  return (
    <fieldset className="choice" disabled={props.disabled}>
      <legend className={props.hideLabel ? "unseen" : ""}>{props.label}</legend>
      <div className="segments">
        {props.options.map(({ count, text, value }) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            <span>
              {text}
              {count !== undefined && <small>{count}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
