/**
 * IANA time zones as this runtime knows them.
 *
 * @since 0.1.0
 */

/** Whether `name` is `UTC` or an IANA Area/Location name in any spelling that this runtime knows. */
export const isKnown = (_name: string): boolean => {
  throw new Error("not built yet")
}

/** The runtime's canonical name of a zone that {@link isKnown}, else undefined. */
export const canonicalName = (_name: string): string | undefined => {
  throw new Error("not built yet")
}
