import { Button } from "../design/Button.tsx"
import { Icon } from "../design/Icon.tsx"
import { type Language, languages, useLanguage, useSetLanguage, useTexts } from "../language/Language.ts"
import { ConnectionState } from "./Connection.tsx"
import { href, type Route } from "./Route.ts"
import { type Theme, themes, useTheme } from "./Theme.ts"

const views = ["tasks", "timeline", "sessions"] as const

export const Header = ({ onNew, view }: { readonly view: Route["view"]; readonly onNew: () => void }) => {
  const texts = useTexts()
  return (
    <header className="top">
      <a className="brand" href={href({ view: "tasks" })}>
        <img src="/icon.svg" alt="" width="22" height="22" />
        <span>host-schedule</span>
      </a>
      <nav aria-label={texts.nav.label}>
        {views.map((name) => (
          <a key={name} href={href({ view: name })} aria-current={view === name ? "page" : undefined}>
            <Icon name={name} />
            <span>{texts.nav[name]}</span>
          </a>
        ))}
      </nav>
      <div className="settings">
        <ConnectionState />
        <LanguageSwitch />
        <ThemeSwitch />
        <Button look="primary" icon="plus" onClick={onNew}>
          <span>{texts.tasks.new}</span>
        </Button>
      </div>
    </header>
  )
}

const LanguageSwitch = () => {
  const texts = useTexts()
  const language = useLanguage()
  const set = useSetLanguage()
  return (
    <select
      className="small"
      aria-label={texts.settings.language}
      value={language}
      onChange={({ target }) => set(target.value as Language)}
    >
      {languages.map(({ language, name }) => (
        <option key={language} value={language}>
          {name}
        </option>
      ))}
    </select>
  )
}

const ThemeSwitch = () => {
  const texts = useTexts()
  const [theme, set] = useTheme()
  return (
    <select
      className="small"
      aria-label={texts.settings.theme}
      value={theme}
      onChange={({ target }) => set(target.value as Theme)}
    >
      {themes.map((theme) => (
        <option key={theme} value={theme}>
          {texts.settings.themes[theme]}
        </option>
      ))}
    </select>
  )
}
