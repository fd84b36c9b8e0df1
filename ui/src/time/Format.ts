/** Instants in words, through `Intl`. */

/** The zone of whoever looks at the page. */
export const viewerZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** `Tue, 1 Dec 2026, 09:00:00` in a zone. Seconds only where they say something. */
export const absolute = (millis: number, zone: string, locale: string): string =>
  formatter(locale, zone, millis % 60_000 !== 0).format(millis)

/** The time of day alone. */
export const clock = (millis: number, zone: string, locale: string): string =>
  cached(
    `clock ${locale} ${zone}`,
    () => new Intl.DateTimeFormat(locale, { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
  ).format(millis)

/** The day alone. */
export const day = (millis: number, zone: string, locale: string): string =>
  cached(
    `day ${locale} ${zone}`,
    () => new Intl.DateTimeFormat(locale, { timeZone: zone, weekday: "short", day: "numeric", month: "short" })
  ).format(millis)

/** `in 5 minutes`, `3 days ago`, with the largest unit that is not below one. */
export const relative = (millis: number, now: number, locale: string): string => {
  const seconds = Math.round((millis - now) / 1000)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[units.length - 1]!
  return cached(`relative ${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" })).format(
    Math.trunc(seconds / size),
    unit
  )
}

/** How long something took, in its largest unit: `5 minutes`. */
export const span = (millis: number, locale: string): string => {
  const seconds = Math.round(millis / 1000)
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? units[units.length - 1]!
  return cached(
    `span ${locale} ${unit}`,
    () => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" })
  ).format(Math.trunc(seconds / size))
}

/** `GMT+8` at an instant. */
export const offset = (millis: number, zone: string): string =>
  part(
    cached(`offset ${zone}`, () => new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" })),
    millis
  )

/** `China Standard Time`, for people who search for it. */
export const zoneName = (zone: string, locale: string): string =>
  part(new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: "longGeneric" }), 0)

/** The local date `YYYY-MM-DD` and time `HH:mm:ss.SSS` of an instant in a zone. */
export const local = (millis: number, zone: string): { readonly date: string; readonly time: string } => {
  const text = Object.fromEntries(
    cached(
      `local ${zone}`,
      () =>
        new Intl.DateTimeFormat("en", {
          timeZone: zone,
          year: "numeric",
          month: "2-digit",
          day: "2-digit",
          hour: "2-digit",
          minute: "2-digit",
          second: "2-digit",
          fractionalSecondDigits: 3,
          hourCycle: "h23"
        })
    )
      .formatToParts(millis)
      .map(({ type, value }) => [type, value])
  )
  return {
    date: `${text.year?.padStart(4, "0")}-${text.month}-${text.day}`,
    time: `${text.hour}:${text.minute}:${text.second}.${text.fractionalSecond}`
  }
}

/** A number as people of a language write it. */
export const number = (value: number, locale: string): string =>
  cached(`number ${locale}`, () => new Intl.NumberFormat(locale)).format(value)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1]
] as const

// Making a formatter costs far more than using it.
const formatters = new Map<string, unknown>()

const cached = <A>(key: string, make: () => A): A => {
  if (!formatters.has(key)) formatters.set(key, make())
  return formatters.get(key) as A
}

const formatter = (locale: string, zone: string, withSeconds: boolean) =>
  cached(
    `absolute ${locale} ${zone} ${withSeconds}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        timeZone: zone,
        weekday: "short",
        year: "numeric",
        month: "short",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        ...(withSeconds ? { second: "2-digit" } : {})
      })
  )

const part = (format: Intl.DateTimeFormat, millis: number): string =>
  format.formatToParts(millis).find(({ type }) => type === "timeZoneName")?.value ?? ""
