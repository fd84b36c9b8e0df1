import type { ButtonHTMLAttributes } from "react"
import { Icon } from "./Icon.tsx"

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "plain" | "primary" | "danger" | "quiet"
  readonly icon?: Parameters<typeof Icon>[0]["name"]
  /** What the button does, when only its icon is seen. */
  readonly label?: string
}

export const Button = ({ children, icon, label, look = "plain", ...rest }: Props) => (
  <button
    type="button"
    className={`button ${look}${children ? "" : " bare"}`}
    aria-label={label}
    title={label}
    {...rest}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
)
