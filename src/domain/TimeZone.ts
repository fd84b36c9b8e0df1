/**
 * IANA time zones as this runtime knows them.
 *
 * @since 0.1.0
 */

/**
 * Whether `name` is `UTC` or an IANA Area/Location name that this runtime knows, aliases included. Area/Location names are
 * matched as `Intl` does, ignoring case; offsets, abbreviations and surrounding spaces are not names.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isKnown = (name: string): boolean => canonicalName(name) !== undefined

/**
 * The runtime's canonical name of a zone that {@link isKnown}, else undefined.
 *
 * @since 0.1.0
 * @category conversions
 */
export const canonicalName = (name: string): string | undefined => {
  const cached = canonicalNames.get(name)
  if (cached !== undefined) return cached
  const canonical = lookUp(name)
  if (canonical !== undefined) {
    if (canonicalNames.size >= maxCached) canonicalNames.clear()
    canonicalNames.set(name, canonical)
  }
  return canonical
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// More than the names of the tz database, so that only odd capitals can ever fill it.
const maxCached = 1024

const canonicalNames = new Map<string, string>()

const areaLocation = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)+$/
const maxLength = 64

const isName = (text: string): boolean => text === "UTC" || (text.length <= maxLength && areaLocation.test(text))

const lookUp = (name: string): string | undefined => {
  if (!isName(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions()
    return isName(timeZone) ? timeZone : name
  } catch {
    return undefined
  }
}
