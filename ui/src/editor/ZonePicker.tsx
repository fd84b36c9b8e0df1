import { canonicalName } from "../../../src/domain/TimeZone.ts"
import { type Option, Picker } from "../design/Picker.tsx"
import { useLocale, useTexts } from "../language/Language.ts"
import * as Format from "../time/Format.ts"

export const ZonePicker = (props: {
  readonly value: string
  readonly error: string | undefined
  readonly disabled: boolean | undefined
  readonly onChange: (zone: string) => void
}) => {
  const texts = useTexts()
  const locale = useLocale()
  const known = canonicalName(props.value)
  return (
    <Picker
      label={texts.editor.zone}
      hint={known === undefined ? texts.editor.zoneSearch : `${Format.zoneName(known, locale)}, ${offsetNow(known)}`}
      error={props.error}
      none={texts.editor.zoneNone}
      value={props.value}
      options={() => options(locale)}
      disabled={props.disabled}
      onChange={props.onChange}
    />
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const offsetNow = (zone: string) => Format.offset(Date.now(), zone)

const made = new Map<string, ReadonlyArray<Option>>()

/** UTC, the viewer's own zone, then every zone that the domain accepts; found by id, city, name in the language, and offset. */
const options = (locale: string): ReadonlyArray<Option> => {
  const existing = made.get(locale)
  if (existing !== undefined) return existing
  const names = [...new Set([Format.viewerZone, "UTC", ...Intl.supportedValuesOf("timeZone")])]
  const all = names
    .filter((zone) => canonicalName(zone) !== undefined)
    .map((zone) => {
      const note = `${Format.zoneName(zone, locale)} · ${offsetNow(zone)}`
      return { value: zone, note, words: `${zone.replaceAll("_", " ")} ${note}`.toLocaleLowerCase() }
    })
  made.set(locale, all)
  return all
}
