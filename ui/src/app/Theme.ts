/** Light or dark: chosen by a switch, else as the system prefers. */
import { Atom, useAtom } from "@effect-atom/atom-react"

export const themes = ["system", "light", "dark"] as const

export type Theme = (typeof themes)[number]

const key = "theme"

const theme = Atom.keepAlive(
  Atom.writable(
    (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? "system",
    (ctx, chosen: Theme) => {
      if (chosen === "system") {
        localStorage.removeItem(key)
        delete document.documentElement.dataset.theme
      } else {
        localStorage.setItem(key, chosen)
        document.documentElement.dataset.theme = chosen
      }
      ctx.setSelf(chosen)
    }
  )
)

export const useTheme = () => useAtom(theme)
