/**
 * Text of any kind in a database column.
 *
 * @since 0.1.0
 */

/**
 * A column for any text. Databases hold no lone surrogates, and some no NUL: text with one is kept as JSON behind a mark.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encode = (text: string): string =>
  unstorable.test(text) || text.startsWith(mark) ? mark + JSON.stringify(text) : text

/**
 * The text of a column.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = (column: unknown): unknown => {
  if (typeof column !== "string" || column.charCodeAt(0) !== 0xffff) return column
  try {
    return JSON.parse(column.slice(1))
  } catch {
    return undefined
  }
}

/**
 * What a column begins with that holds encoded text.
 *
 * @since 0.1.0
 * @category constants
 */
export const mark = "\uffff"

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const unstorable = /[\0\ud800-\udfff]/u
