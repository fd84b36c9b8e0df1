/** The language of the page: chosen by a switch, else by the browser. */
import { Atom, useAtomSet, useAtomValue } from "@effect-atom/atom-react"
import { chinese } from "./chinese.ts"
import { english, type Texts } from "./english.ts"

export type Language = "en" | "zh"

const texts: Record<Language, Texts> = { en: english, zh: chinese }

/** Every language with its own name. */
export const languages = (Object.keys(texts) as Array<Language>).map((language) => ({
  language,
  name: texts[language].name
}))

const key = "language"

const preferred = (): Language => {
  const stored = localStorage.getItem(key)
  if (stored === "en" || stored === "zh") return stored
  const first = navigator.languages.find((tag) => /^(en|zh)\b/i.test(tag))
  return first?.toLowerCase().startsWith("zh") ? "zh" : "en"
}

const apply = (language: Language): Language => {
  document.documentElement.lang = texts[language].code
  return language
}

/** Setting it remembers the choice. */
export const language: Atom.Writable<Language, Language> = Atom.keepAlive(
  Atom.writable(
    () => apply(preferred()),
    (ctx, language: Language) => {
      localStorage.setItem(key, language)
      ctx.setSelf(apply(language))
    }
  )
)

/** The texts of the chosen language. */
export const useTexts = (): Texts => texts[useAtomValue(language)]

export const useLanguage = (): Language => useAtomValue(language)

/** The tag for `Intl`: the viewer's own variety of the language, where the browser names one. */
export const useLocale = (): string => localeOf(useLanguage())

const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? texts[language].code

export const useSetLanguage = () => useAtomSet(language)
