import { Icon } from "./Icon.tsx"

export const Search = (props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <div className="search">
    <Icon name="search" />
    <input
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") props.onChange("")
      }}
    />
  </div>
)
