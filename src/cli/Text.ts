/**
 * Text for people: tables, colours, relative times.
 *
 * @since 0.1.0
 */

/**
 * Colours, or none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly red: (text: string) => string
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const style = (enabled: boolean): Style => ({
  bold: paint(enabled, 1, 22),
  dim: paint(enabled, 2, 22),
  green: paint(enabled, 32, 39),
  yellow: paint(enabled, 33, 39),
  red: paint(enabled, 31, 39)
})

/**
 * What others wrote, safe to print: control characters, which could move the cursor or recolour the terminal, become `�`.
 *
 * @since 0.1.0
 * @category rendering
 */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "�")

/**
 * A text without the escape sequences that paint it.
 *
 * @since 0.1.0
 * @category rendering
 */
export const withoutColours = (text: string): string => text.replaceAll(ansi, "")

/**
 * A number and what it counts, such as "1 reminder" and "2 reminders".
 *
 * @since 0.1.0
 * @category conversions
 */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/**
 * A cell of a table: its text, which is made printable, and how to paint it.
 *
 * @since 0.1.0
 * @category models
 */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string }

/**
 * Columns by their widest cell, two spaces apart, without spaces at the end of a line.
 *
 * @since 0.1.0
 * @category rendering
 */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>, style: Style): string => {
  const cells = [head.map((text): Cell => ({ text, paint: style.dim })), ...rows].map((row) =>
    row.map((cell) => {
      const { paint, text } = typeof cell === "string" ? { text: cell, paint: identity } : cell
      const shown = printable(text)
      return { shown, paint, width: width(shown) }
    })
  )
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.width ?? 0)))
  return cells
    .map((row) =>
      row
        .map(({ paint, shown, width }, column) =>
          column === row.length - 1 ? paint(shown) : paint(shown) + " ".repeat((widths[column] ?? 0) - width)
        )
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/**
 * How far an instant is from now, both in epoch milliseconds: `in 12 s`, `in 3 h 5 min`, `4 d ago`.
 *
 * @since 0.1.0
 * @category rendering
 */
export const relative = (at: number, now: number): string => {
  const seconds = Math.round(Math.abs(at - now) / 1000)
  if (seconds === 0) return "now"
  const distance = span(seconds)
  return at > now ? `in ${distance}` : `${distance} ago`
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

const identity = (text: string) => text

const paint = (enabled: boolean, on: number, off: number) =>
  enabled ? (text: string) => `\u001b[${on}m${text}\u001b[${off}m` : identity

const span = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (seconds < 60) return `${seconds} s`
  if (minutes < 60) return pair(minutes, "min", minutes < 10 ? seconds % 60 : 0, "s")
  if (hours < 24) return pair(hours, "h", minutes % 60, "min")
  if (days < 365) return pair(days, "d", days < 10 ? hours % 24 : 0, "h")
  return `${Math.floor(days / 365.2425)} y`
}

const pair = (big: number, bigUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`

/** Columns that a terminal gives a text: two for wide characters, none for what combines. */
const width = (text: string): number => {
  let columns = 0
  for (const character of text) {
    if (zeroWidth.test(character)) continue
    columns += wide.test(character) ? 2 : 1
  }
  return columns
}

const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]$|^\p{Emoji_Presentation}$|^[\u{20000}-\u{3fffd}]$/u
