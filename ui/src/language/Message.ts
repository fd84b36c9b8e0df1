/** Refusals and failures in the page's language. */
import { type Language, useLanguage } from "./Language.ts"
import { byCode, refusals } from "./refusals.ts"

/** What a refusal or failure has to be told by. */
export interface Told {
  readonly message: string
  readonly code?: string
}

/** What a refusal or failure of the Host, or of the domain, says to a person. */
export const messageIn = (language: Language, { code, message }: Told): string => {
  for (const refusal of refusals) {
    const match = refusal.says.exec(message)
    if (match !== null) return refusal[language](...match.slice(1))
  }
  return (code === undefined ? undefined : byCode[code]?.[language]) ?? message
}

/** {@link messageIn} in the page's language. */
export const useMessage = () => {
  const language = useLanguage()
  return (error: Told) => messageIn(language, error)
}
